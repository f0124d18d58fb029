// Files of /proc and /sys as counters.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "../descriptor.hpp"
#include "list.hpp"

namespace heatflow::detail {

// A file that is read again and again from its beginning; it is opened when it is first read, and again if the program has closed it.
class SystemFile {
public:
    explicit SystemFile(std::string path) : path_(std::move(path)) {}
    SystemFile(SystemFile&& from) noexcept
        : path_(std::move(from.path_)), file_(std::move(from.file_)), isTried_(from.isTried_), isMissing_(from.isMissing_), error_(from.error_) {}
    SystemFile(const SystemFile&) = delete;
    SystemFile& operator=(const SystemFile&) = delete;

    // What it says now, each line after a line end, the first one too; nothing where the system does not tell.
    const char* read() {
        int file = file_.get();
        if (file < 0) {
            if (isMissing_) return nullptr;
            const int opened = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
            if (opened < 0) error_ = errno;
            isMissing_ = opened < 0 && !std::exchange(isTried_, true);
            file_ = Descriptor(opened);
            file = file_.get();
            if (file < 0) return nullptr;
        }
        if (text_.empty()) text_.resize(1u << 14, '\n');
        std::size_t filled = 1;
        // The system hands out some files a page at a time.
        for (ssize_t length; (length = pread(file, &text_[filled], text_.size() - 1 - filled, off_t(filled - 1))) != 0;) {
            if (length < 0) {
                error_ = errno;
                return nullptr;
            }
            filled += std::size_t(length);
            if (filled == text_.size() - 1) text_.resize(text_.size() * 2);
        }
        text_[filled] = '\0';
        return text_.c_str();
    }

    // Why there is nothing, to a person.
    const char* why() const noexcept {
        return error_ == EACCES || error_ == EPERM ? "not readable by this user" : "this system does not tell";
    }

private:
    std::string path_;
    Descriptor file_;
    bool isTried_ = false;
    // It could not be opened the first time: later it may fail while the program closes descriptors.
    bool isMissing_ = false;
    int error_ = 0;
    std::string text_;
};

// The whole number that a text goes on with after spaces.
inline double numberAt(const char* text) { return double(std::strtoull(text, nullptr, 10)); }

// A line of a file: what it begins with, and what its number is multiplied with to be in the metric's unit.
struct KeyedMetric {
    const char* key;
    double scale;
    Metric metric;
};

// A file that has one number per line.
class KeyedFile {
public:
    template <std::size_t size>
    KeyedFile(const char* path, const KeyedMetric (&metrics)[size], CounterList& list) : file_(path) {
        const char* text = nullptr;
        for (const KeyedMetric& one : metrics) {
            if (!list.wants(one.metric)) continue;
            if (text == nullptr) text = file_.read();
            if (find(text, one.key) == nullptr) list.lacks(one.metric, file_.why());
            else kept_.push_back({&one, list.add(one.metric)});
        }
    }

    void sample(CounterList& list) {
        if (kept_.empty()) return;
        const char* text = file_.read();
        for (const auto& [metric, counter] : kept_)
            if (const char* at = find(text, metric->key)) list.put(counter, numberAt(at) * metric->scale);
    }

private:
    // What follows a key at the begin of a line.
    static const char* find(const char* text, const char* key) {
        const std::size_t length = std::strlen(key);
        for (; text != nullptr; text = std::strchr(text, '\n'))
            if (std::strncmp(++text, key, length) == 0) return text + length;
        return nullptr;
    }

    SystemFile file_;
    std::vector<std::pair<const KeyedMetric*, std::size_t>> kept_;
};

// Percent of the time since the last sample, of something that grows in nanoseconds.
class Share {
public:
    // No number at the first time, and where it has fallen.
    double of(double nanoseconds, double periodNanoseconds) {
        const double grown = nanoseconds - std::exchange(before_, nanoseconds);
        return grown >= 0 && periodNanoseconds > 0 ? 100 * grown / periodNanoseconds
                                                   : std::numeric_limits<double>::quiet_NaN();
    }

private:
    double before_ = std::numeric_limits<double>::quiet_NaN();
};

// A file whose first line has a time that grows, after a mark, as a share of all time.
class ShareFile {
public:
    ShareFile(const char* path, const char* mark, double nanoseconds, const Metric& metric, CounterList& list)
        : file_(path), mark_(mark), nanoseconds_(nanoseconds) {
        if (!list.wants(metric)) return;
        if (at() == nullptr) list.lacks(metric, file_.why());
        else counter_ = list.add(metric);
    }

    void sample(CounterList& list, double periodNanoseconds) {
        if (counter_ == CounterList::none) return;
        if (const char* time = at()) list.put(counter_, share_.of(numberAt(time) * nanoseconds_, periodNanoseconds));
    }

private:
    const char* at() {
        const char* text = file_.read();
        const char* found = text == nullptr ? nullptr : std::strstr(text, mark_);
        return found == nullptr ? nullptr : found + std::strlen(mark_);
    }

    SystemFile file_;
    const char* mark_;
    double nanoseconds_;
    Share share_;
    std::size_t counter_ = CounterList::none;
};

}  // namespace heatflow::detail

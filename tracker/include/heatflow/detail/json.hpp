// A JSON file that is written in pieces, each of which is on its way to the disk when `flush` returns.
#pragma once

#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "descriptor.hpp"
#include "printable.hpp"

namespace heatflow::detail {

class JsonFile {
public:
    JsonFile() = default;
    JsonFile(const JsonFile&) = delete;
    JsonFile& operator=(const JsonFile&) = delete;
    ~JsonFile() { close(); }

    // What becomes of a path that is to be written to.
    enum class Opened { isNew, exists, failed };

    // Makes a new file, readable by its owner alone, and locks it while this process writes to it. Never opens one that exists, under any
    // kind of link. `error()` says why it failed.
    Opened open(const std::string& path) {
        error_.clear();
        const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (file < 0 && errno == EEXIST) return Opened::exists;
        if (!check(file >= 0)) return Opened::failed;
        file_ = Descriptor(file);
        path_ = absolute(path);
        lock();
        isOpen_ = true;
        return Opened::isNew;
    }

    // Writes to a device, such as /dev/null. False if it can't be opened, or is something else: a pipe would wait for its reader.
    bool openDevice(const std::string& path) {
        const int file = ::open(path.c_str(), O_WRONLY | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
        struct stat facts {};
        if (!check(file >= 0)) return false;
        if (fstat(file, &facts) != 0 || !S_ISCHR(facts.st_mode)) {
            ::close(file);
            return false;
        }
        file_ = Descriptor(file);
        path_ = absolute(path);
        return isOpen_ = true;
    }

    bool isOpen() const noexcept { return isOpen_; }
    const std::string& error() const noexcept { return error_; }
    // Whatever the working folder becomes.
    const std::string& path() const noexcept { return path_; }

    JsonFile& raw(std::string_view text) {
        text_.append(text);
        return *this;
    }

    JsonFile& number(std::int64_t value) {
        char digits[24];
        const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
        return raw({digits, std::size_t(end - digits)});
    }

    // Nanoseconds as microseconds, the unit of traces: every digit is kept.
    JsonFile& microseconds(std::int64_t nanoseconds) {
        if (nanoseconds < 0) raw("-");
        const std::uint64_t size = nanoseconds < 0 ? 0 - std::uint64_t(nanoseconds) : std::uint64_t(nanoseconds);
        number(std::int64_t(size / 1000));
        const auto rest = unsigned(size % 1000);
        if (rest == 0) return *this;
        const char digits[] = {'.', char('0' + rest / 100), char('0' + rest / 10 % 10), char('0' + rest % 10)};
        return raw({digits, sizeof digits});
    }

    JsonFile& real(double value) {
        // JSON has no word for what is no number.
        if (value != value || value - value != 0) return raw("null");
        // Counters of many digits, of which the last ones differ.
        constexpr double mostExact = 9007199254740992.0;
        if (value > -mostExact && value < mostExact && value == double(std::int64_t(value))) return number(std::int64_t(value));
        char digits[32];
        const int length = std::snprintf(digits, sizeof digits, "%.15g", value);
        for (int at = 0; at < length; ++at)
            if (digits[at] == ',') digits[at] = '.';
        return raw({digits, std::size_t(length)});
    }

    // A text of any bytes; what is no UTF-8 becomes U+FFFD.
    JsonFile& text(std::string_view value) {
        text_.push_back('"');
        for (std::size_t at = 0; at < value.size();) {
            std::size_t plain = at;
            while (plain < value.size() && isPlain(value[plain])) ++plain;
            raw(value.substr(at, plain - at));
            if ((at = plain) == value.size()) break;
            const auto byte = static_cast<unsigned char>(value[at]);
            const std::size_t length = utf8Sequence(value.substr(at));
            if (byte < 0x20 || byte == 0x7f) {
                char escape[8];
                std::snprintf(escape, sizeof escape, "\\u%04x", unsigned(byte));
                raw(escape);
            } else if (byte == '"' || byte == '\\') {
                text_.push_back('\\');
                text_.push_back(value[at]);
            } else if (length == 0) {
                raw("\xEF\xBF\xBD");
            } else {
                raw(value.substr(at, length));
            }
            at += length == 0 ? 1 : length;
        }
        text_.push_back('"');
        return *this;
    }

    // What has gathered, for another file.
    std::string take() { return std::exchange(text_, {}); }

    // A boundary between whole values: hands on what has gathered.
    void relieve() {
        if (text_.size() >= 1u << 18) flush();
    }

    // If the disk is full, the rest is lost, and `error()` says so.
    void flush() {
        for (std::size_t done = 0; isOpen_ && done < text_.size();) {
            const int file = current();
            if (file < 0) break;
            const ssize_t wrote = ::write(file, text_.data() + done, text_.size() - done);
            if (wrote < 0 && errno == EINTR) continue;
            if (!check(wrote > 0)) break;
            done += std::size_t(wrote);
            written_ += wrote;
        }
        text_.clear();
    }

    // Bytes of the file, with what has gathered.
    off_t size() const noexcept { return written_ + off_t(text_.size()); }

    // Bytes that are on their way to the disk.
    off_t written() const noexcept { return written_; }

    // Leaves out what stands behind a place, to write it anew.
    void cutTo(off_t size) {
        flush();
        const int file = isOpen_ ? current() : -1;
        if (file >= 0 && check(ftruncate(file, size) == 0 && lseek(file, size, SEEK_SET) == size)) written_ = size;
    }

    // Writes a text over another one of the same length.
    void overwrite(off_t at, std::string_view text) {
        flush();
        const int file = isOpen_ ? current() : -1;
        if (file >= 0) check(pwrite(file, text.data(), text.size(), at) == ssize_t(text.size()));
    }

    bool close() {
        if (!isOpen_) return error_.empty();
        flush();
        if (isOpen_) check(file_.close());
        isOpen_ = false;
        return error_.empty();
    }

    // In a forked child: the file is the parent's, and so is what it has gathered.
    void abandon() {
        file_.close();
        isOpen_ = false;
        text_.clear();
    }

private:
    bool check(bool good) {
        if (good) return true;
        if (error_.empty()) error_ = std::strerror(errno);
        file_.close();
        return isOpen_ = false;
    }

    // The file's descriptor. If the program has closed it, the file is opened again by its name, unless another one stands there now.
    int current() {
        const int known = file_.get();
        if (known >= 0) return known;
        const int file = ::open(path_.c_str(), O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (file >= 0 && !file_.isOf(file)) {
            ::close(file);
            errno = ESTALE;
        } else if (file >= 0) {
            file_ = Descriptor(file);
            lock();
            // A device has no place to go on at.
            if (lseek(file_.get(), written_, SEEK_SET) >= 0 || errno == ESPIPE) return file_.get();
        }
        if (error_.empty()) error_ = std::string("the program has closed it, and it can't be opened again: ") + std::strerror(errno);
        file_ = Descriptor();
        isOpen_ = false;
        return -1;
    }

    // Others see by this that the file is in use. They look for a moment, which is waited for; file systems without locks do without.
    void lock() {
        constexpr int tries = 50;
        for (int attempt = 0; attempt < tries; ++attempt) {
            if (flock(file_.get(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
            usleep(1000);
        }
    }

    static std::string absolute(const std::string& path) {
        char folder[4096];
        if (path.empty() || path.front() == '/' || getcwd(folder, sizeof folder) == nullptr) return path;
        return std::string(folder) + "/" + path;
    }

    static bool isPlain(char letter) noexcept { return letter >= 0x20 && letter < 0x7f && letter != '"' && letter != '\\'; }

    Descriptor file_;
    std::string path_;
    // Bytes of the file.
    off_t written_ = 0;
    bool isOpen_ = false;
    std::string text_;
    std::string error_;
};

}  // namespace heatflow::detail

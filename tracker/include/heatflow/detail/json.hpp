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

namespace heatflow::detail {

class JsonFile {
public:
    JsonFile() = default;
    JsonFile(const JsonFile&) = delete;
    JsonFile& operator=(const JsonFile&) = delete;
    ~JsonFile() { close(); }

    // False where it can't be made; `error()` says why, and `isTaken()` whether another process writes to it.
    bool open(const std::string& path) {
        error_.clear();
        file_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
        if (!check(file_ >= 0)) return false;
        struct stat facts {};
        if (fstat(file_, &facts) != 0 || !S_ISREG(facts.st_mode)) return true;
        // File systems without locks are written to as ever.
        isTaken_ = flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
        return check(!isTaken_) && check(ftruncate(file_, 0) == 0);
    }

    bool isTaken() const noexcept { return isTaken_; }

    bool isOpen() const noexcept { return file_ >= 0; }
    const std::string& error() const noexcept { return error_; }

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
            const std::size_t length = sequence(value.substr(at));
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

    // Where the disk is full the rest is lost, and `error()` says so.
    void flush() {
        std::size_t done = 0;
        while (file_ >= 0 && done < text_.size()) {
            const ssize_t wrote = ::write(file_, text_.data() + done, text_.size() - done);
            if (wrote < 0 && errno == EINTR) continue;
            if (!check(wrote > 0)) break;
            done += std::size_t(wrote);
        }
        text_.clear();
    }

    bool close() {
        if (file_ < 0) return error_.empty();
        flush();
        if (file_ >= 0) check(::close(file_) == 0);
        file_ = -1;
        return error_.empty();
    }

    // In a forked child: the file is the parent's, and so is what it has gathered.
    void abandon() {
        if (file_ >= 0) ::close(file_);
        file_ = -1;
        text_.clear();
    }

private:
    bool check(bool good) {
        if (good) return true;
        if (error_.empty()) error_ = std::strerror(errno);
        if (file_ >= 0) ::close(file_);
        file_ = -1;
        return false;
    }

    static bool isPlain(char letter) noexcept { return letter >= 0x20 && letter < 0x7f && letter != '"' && letter != '\\'; }

    // Bytes of the UTF-8 sequence that the text begins with; 0 where it is none (Unicode 15, table 3-7).
    static std::size_t sequence(std::string_view text) {
        const auto at = [&](std::size_t index) { return index < text.size() ? static_cast<unsigned char>(text[index]) : 0u; };
        const auto follows = [&](std::size_t index) { return (at(index) & 0xC0u) == 0x80u; };
        const unsigned first = at(0);
        if (first < 0x80) return 1;
        if (first >= 0xC2 && first <= 0xDF) return follows(1) ? 2 : 0;
        if (first >= 0xE0 && first <= 0xEF) {
            const bool isCanonical = (first != 0xE0 || at(1) >= 0xA0) && (first != 0xED || at(1) < 0xA0);
            return isCanonical && follows(1) && follows(2) ? 3 : 0;
        }
        if (first >= 0xF0 && first <= 0xF4) {
            const bool isCanonical = (first != 0xF0 || at(1) >= 0x90) && (first != 0xF4 || at(1) < 0x90);
            return isCanonical && follows(1) && follows(2) && follows(3) ? 4 : 0;
        }
        return 0;
    }

    int file_ = -1;
    bool isTaken_ = false;
    std::string text_;
    std::string error_;
};

}  // namespace heatflow::detail

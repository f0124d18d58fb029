// Descriptors of the tracker in a program that may close any of them.
#pragma once

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace heatflow::detail {

// An open file of the tracker. A program may close all descriptors (closefrom, a daemon's loop) and open its own files under the same
// numbers. Each use first checks that the number still stands for the same file, so that files of the program are left alone.
class Descriptor {
public:
    Descriptor() = default;
    explicit Descriptor(int file) noexcept : file_(file) {
        struct stat facts {};
        if (file_ < 0) return;
        isKnown_ = fstat(file_, &facts) == 0;
        device_ = facts.st_dev;
        inode_ = facts.st_ino;
        const int moved = fcntl(file_, F_DUPFD_CLOEXEC, firstNumber());
        if (moved < 0) return;
        // Only if it is still the same file: the program may have closed it and opened another one.
        close();
        file_ = moved;
    }
    Descriptor(Descriptor&& from) noexcept
        : file_(std::exchange(from.file_, -1)), isKnown_(from.isKnown_), device_(from.device_), inode_(from.inode_) {}
    Descriptor& operator=(Descriptor&& from) noexcept {
        if (this == &from) return *this;
        // The number may be that of the new file, if the program has closed the old one.
        if (file_ != from.file_) close();
        file_ = std::exchange(from.file_, -1);
        isKnown_ = from.isKnown_;
        device_ = from.device_;
        inode_ = from.inode_;
        return *this;
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { close(); }

    // The number; -1 if nothing is open, or if the number is no longer that of this file.
    int get() const noexcept { return file_ >= 0 && isOf(file_) ? file_ : -1; }

    // Whether another descriptor is open on the same file.
    bool isOf(int other) const noexcept {
        struct stat facts {};
        return isKnown_ && fstat(other, &facts) == 0 && facts.st_dev == device_ && facts.st_ino == inode_;
    }

    // Returns false if the system reports a delayed write error.
    bool close() noexcept {
        const int file = get();
        file_ = -1;
        return file < 0 || ::close(file) == 0;
    }

    // Lowest number for the tracker. Files of the program get lower ones, since the system gives out the lowest free number.
    static int firstNumber() noexcept {
        rlimit limit{};
        constexpr rlim_t most = 1024;
        const rlim_t numbers = getrlimit(RLIMIT_NOFILE, &limit) == 0 ? std::min(limit.rlim_cur, most) : most;
        return int(numbers - numbers / 4);
    }

private:
    int file_ = -1;
    bool isKnown_ = false;
    dev_t device_ = 0;
    ino_t inode_ = 0;
};

}  // namespace heatflow::detail

// Ends of the program without `exit`.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output.hpp"
#include "own.hpp"
#include "undisturbed.hpp"

namespace heatflow::detail {

// Whether the first thread has ended while the process continues (pthread_exit in main). The thread then stays as a zombie.
inline bool isMainGone() {
    char path[64], text[512];
    std::snprintf(path, sizeof path, "/proc/self/task/%ld/stat", long(getpid()));
    const int file = ::open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    const ssize_t length = ::read(file, text, sizeof text - 1);
    ::close(file);
    text[length > 0 ? length : 0] = '\0';
    // The name before it may contain parentheses.
    const char* const end = std::strrchr(text, ')');
    return end != nullptr && (std::strncmp(end, ") Z", 3) == 0 || std::strncmp(end, ") X", 3) == 0);
}

// Whether the first thread has ended and this is the only thread that still runs.
inline bool isLastThread() {
    if (!isMainGone()) return false;
    const std::unique_ptr<DIR, int (*)(DIR*)> tasks(opendir("/proc/self/task"), [](DIR* one) { return closedir(one); });
    if (tasks == nullptr) return false;
    int threads = 0;
    while (const dirent* const task = readdir(tasks.get()))
        if (task->d_name[0] >= '0' && task->d_name[0] <= '9' && std::atol(task->d_name) != long(getpid())) ++threads;
    return threads == 1;
}

// Counts regions that begin after their thread has ended, or after the file was written. The file contains their number.
class TooLate {
public:
    void add() {
        if (isHere_) return;
        const OwnMemory own;
        const Undisturbed whole;
        const std::lock_guard<std::mutex> lock(mutex_);
        ++count_;
        write();
    }

    std::uint64_t count() {
        const std::lock_guard<std::mutex> lock(mutex_);
        return count_;
    }

    // Starts at 0 for the next recording.
    void reset() {
        const std::lock_guard<std::mutex> lock(mutex_);
        count_ = 0;
    }

    // Sets the finished file that the number is written to.
    void writeTo(const std::string& path, off_t at) {
        const std::lock_guard<std::mutex> lock(mutex_);
        struct stat facts {};
        if (lstat(path.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode)) return;
        path_ = path;
        at_ = at;
        device_ = facts.st_dev;
        inode_ = facts.st_ino;
        if (count_ > 0) write();
    }

    void forgetFile() noexcept { at_ = 0; }

private:
    // Opens the file each time, since the program may have closed all descriptors.
    void write() {
        if (at_ == 0) return;
        isHere_ = true;
        const std::string text = Output::afterEnd(count_);
        const int file = ::open(path_.c_str(), O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        struct stat facts {};
        const bool isSame = file >= 0 && fstat(file, &facts) == 0 && facts.st_dev == device_ && facts.st_ino == inode_;
        if (!isSame || pwrite(file, text.data(), text.size(), at_) != ssize_t(text.size())) at_ = 0;
        if (file >= 0) ::close(file);
        isHere_ = false;
    }

    // Set while this thread is in `add`: functions called there may be instrumented.
    static inline thread_local bool isHere_ = false;

    std::mutex mutex_;
    std::uint64_t count_ = 0;
    std::string path_;
    off_t at_ = 0;
    dev_t device_ = 0;
    ino_t inode_ = 0;
};

}  // namespace heatflow::detail

// What a process has from the one that it was forked from.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output.hpp"

namespace heatflow::detail {

// A recording that began shortly before its process forked. If the parent ends without finishing its file, as daemon() does, the child
// writes the recording to its own file, and the parent's file is removed.
class Inherited {
public:
    Inherited(std::string path, off_t size, std::uint64_t start, std::vector<ThreadOutput> threads)
        : path_(std::move(path)), size_(size), start_(start), threads_(std::move(threads)) {
        struct stat facts {};
        if (lstat(path_.c_str(), &facts) != 0) return;
        device_ = facts.st_dev;
        inode_ = facts.st_ino;
    }

    std::uint64_t start() const noexcept { return start_; }
    std::vector<ThreadOutput>& threads() noexcept { return threads_; }

    // The parent still runs; the parent has finished its file; the recording now belongs to this process.
    enum class State { isPending, isAnothers, isOurs };

    // Removes the parent's file if the result is `isOurs`.
    State take() const { return look(true); }

    // Whether the recording belongs to this process. Waits a few milliseconds for the parent to end, as one that forks a daemon does at once.
    bool isThere() const {
        constexpr int shortTries = 3, tries = 20;
        State state = look(false);
        for (int attempt = 1; state == State::isPending && attempt < (getppid() == parent_ ? shortTries : tries); ++attempt) {
            usleep(1000);
            state = look(false);
        }
        return state == State::isOurs;
    }

private:
    State look(bool removes) const {
        const int file = ::open(path_.c_str(), O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (file < 0) return State::isAnothers;
        State state = State::isAnothers;
        struct stat facts {};
        if (fstat(file, &facts) == 0 && facts.st_dev == device_ && facts.st_ino == inode_ && facts.st_size == size_) {
            // The parent holds the lock until it ends.
            if (flock(file, LOCK_EX | LOCK_NB) != 0) state = State::isPending;
            else if (fstat(file, &facts) == 0 && facts.st_size == size_ && (!removes || unlink(path_.c_str()) == 0)) state = State::isOurs;
        }
        ::close(file);
        return state;
    }

    std::string path_;
    off_t size_;
    // The process that owned the recording at the fork.
    pid_t parent_ = getppid();
    std::uint64_t start_;
    dev_t device_ = 0;
    ino_t inode_ = 0;
    std::vector<ThreadOutput> threads_;
};

}  // namespace heatflow::detail

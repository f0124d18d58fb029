// Protection from signal handlers and cancellation.
#pragma once

#include <pthread.h>

#include <csignal>

namespace heatflow::detail {

// While an object of this class exists, no signal handler runs on this thread, and the thread is not cancelled. A handler could leave with
// siglongjmp, with locks held and memory half changed. It costs two system calls, so it is for rare work.
class Undisturbed {
public:
    // `lengthy` does not block signals without a handler, so that they can still end the process.
    enum class Work { brief, lengthy };

    explicit Undisturbed(Work work = Work::brief) noexcept {
        sigset_t set;
        sigfillset(&set);
        if (work == Work::lengthy)
            for (int number = 1; number < NSIG; ++number)
                if (!hasHandler(number)) sigdelset(&set, number);
        isBlocked_ = pthread_sigmask(SIG_BLOCK, &set, &before_) == 0;
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancelled_);
    }
    ~Undisturbed() {
        pthread_setcancelstate(cancelled_, nullptr);
        if (isBlocked_) pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }
    // Signals that were blocked before.
    const sigset_t& before() const noexcept { return before_; }

    Undisturbed(const Undisturbed&) = delete;
    Undisturbed& operator=(const Undisturbed&) = delete;

    static bool hasHandler(int number) noexcept {
        struct sigaction action {};
        return sigaction(number, nullptr, &action) == 0 && action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
    }

private:
    sigset_t before_;
    int cancelled_ = 0;
    bool isBlocked_ = false;
};

}  // namespace heatflow::detail

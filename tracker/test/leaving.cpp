// Regions that are left in other ways than through their end: by an exception, by longjmp, by the end of the process in a thread
// that outlives main, and by fork, after which both processes go on. Says what the child's number is, and between which
// nanoseconds the region `spinning` must have taken.
#include <heatflow/tracker.hpp>

#include <csetjmp>
#include <cstdio>
#include <stdexcept>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

#include "spinning.hpp"

namespace {

void throwing() {
    HEATFLOW_REGION("throwing");
    throw std::runtime_error("left");
}

std::jmp_buf back;

void jumping() {
    HEATFLOW_BEGIN("jumping");
    std::longjmp(back, 1);
}

}  // namespace

int main() {
    HEATFLOW_REGION("all");
    try {
        HEATFLOW_REGION("trying");
        throwing();
    } catch (const std::runtime_error&) {
        HEATFLOW_REGION("catching");
    }
    {
        HEATFLOW_REGION("setting");
        if (setjmp(back) == 0) jumping();
    }
    {
        const long long before = otherClock();
        long long within = 0;
        {
            HEATFLOW_REGION("spinning");
            const long long begin = otherClock();
            spin(0.2);
            within = otherClock() - begin;
        }
        std::printf("spun %lld to %lld\n", within, otherClock() - before);
    }
    {
        HEATFLOW_REGION("forking");
        std::fflush(stdout);
        const pid_t child = fork();
        if (child == 0) {
            HEATFLOW_REGION("in the child");
            return 0;
        }
        int status = 0;
        waitpid(child, &status, 0);
        std::printf("child %ld ended with %d\n", long(child), status);
    }
    std::thread([] {
        HEATFLOW_REGION("outliving");
        for (;;) {
            HEATFLOW_REGION("turn");
            spin(0.001);
        }
    }).detach();
    spin(0.05);
    return 0;
}

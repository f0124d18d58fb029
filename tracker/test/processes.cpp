// What a program does beside its regions, by its argument: `fork` and `exec` start another process that records, `sessions` records twice
// with one region open all the time, `signal` waits for a signal that it has blocked, `long` has regions that are longer than any bound,
// `late` has a region that ends while the recording is written.
// Says the nanoseconds that were spent where the recording is asked for them.
#include <heatflow/tracker.hpp>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

#include "spinning.hpp"

namespace {

void work(const char* which) {
    if (std::strcmp(which, "child") == 0) {
        for (int at = 0; at < 20'000; ++at) {
            HEATFLOW_REGION("of the child");
        }
        return;
    }
    HEATFLOW_REGION("of the parent");
    spin(0.01);
}

int parent(const char* program, bool execs) {
    work("parent");
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        if (execs) execl(program, program, "child", nullptr);
        work("child");
        return 0;
    }
    int status = 0;
    waitpid(child, &status, 0);
    work("parent");
    return status;
}

void sessions(const std::string& first, const std::string& second) {
    heatflow::Tracker tracker;
    tracker.start();
    HEATFLOW_REGION("outer");
    spin(0.02);
    tracker.dump(first);
    spin(0.3);
    const long long begin = otherClock();
    tracker.start();
    {
        HEATFLOW_REGION("inner");
        spin(0.02);
    }
    spin(0.02);
    tracker.dump(second);
    std::printf("%lld\n", otherClock() - begin);
}

int waiting() {
    { HEATFLOW_REGION("before"); }
    usleep(50'000);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, nullptr);
    kill(getpid(), SIGUSR1);
    int got = 0;
    return sigwait(&set, &got) == 0 && got == SIGUSR1 ? 0 : 1;
}

// The second thread leaves so many events that the first one's region ends while they are written.
void late() {
    static std::atomic<int> stage{0};
    const long long begin = otherClock();
    std::thread([] {
        HEATFLOW_REGION("late");
        while (stage != 2) usleep(100);
        usleep(2000);
    }).detach();
    std::thread([] {
        for (int at = 0; at < 1'000'000; ++at) {
            HEATFLOW_REGION("many");
        }
        stage = 1;
        for (;;) usleep(1000);
    }).detach();
    while (stage != 1) usleep(100);
    std::printf("%lld\n", otherClock() - begin);
    stage = 2;
}

}  // namespace

int main(int count, char** arguments) {
    const std::string mode = count > 1 ? arguments[1] : "";
    if (mode == "fork" || mode == "exec") return parent(arguments[0], mode == "exec");
    if (mode == "child") work("child");
    if (mode == "sessions" && count == 4) sessions(arguments[2], arguments[3]);
    if (mode == "signal") return waiting();
    if (mode == "late") late();
    if (mode == "long") {
        HEATFLOW_REGION("all");
        {
            HEATFLOW_REGION("long");
            spin(1.2);
        }
        spin(0.3);
    }
    return 0;
}

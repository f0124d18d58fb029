// Ways in which programs, their threads and their processes end, by its first argument; each begins with a region `begin`.
#include <heatflow/tracker.hpp>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#include <pthread.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "spinning.hpp"

extern char** environ;

namespace {

std::string mode;

bool is(const char* wanted) { return mode == wanted; }

// A region that takes a moment.
#define MOMENT(name)          \
    do {                      \
        HEATFLOW_REGION(name); \
        spin(0.002);          \
    } while (false)

struct Named {
    const char* wanted;
    void (*region)();
    ~Named() {
        if (is(wanted)) region();
    }
};
// Made before the first region.
Named ofStatic{"late", [] { MOMENT("static object"); }};
// Made before and after the thread's first region.
thread_local Named early{"threads", [] { MOMENT("early object of a thread"); }};
thread_local Named later{"threads", [] { MOMENT("later object of a thread"); }};

// Later than all objects of the program.
__attribute__((destructor)) void atLast() {
    if (is("late")) MOMENT("destructor of the program");
}

void* untilCancelled(void*) {
    HEATFLOW_REGION("cancelled");
    for (;;) usleep(1000);
}

void* leaving(void*) {
    HEATFLOW_REGION("leaving");
    spin(0.02);
    pthread_exit(nullptr);
}

pthread_key_t key;
void ofKey(void* left) {
    MOMENT("destructor of a key");
    const auto turn = reinterpret_cast<std::uintptr_t>(left);
    if (turn > 1) pthread_setspecific(key, reinterpret_cast<void*>(turn - 1));
}

void* withDestructors(void*) {
    if (early.region == nullptr) return nullptr;
    MOMENT("thread");
    if (later.region == nullptr) return nullptr;
    pthread_key_create(&key, ofKey);
    pthread_setspecific(key, reinterpret_cast<void*>(std::uintptr_t(2)));
    return nullptr;
}

pthread_t started(void* (*function)(void*)) {
    pthread_t thread;
    if (pthread_create(&thread, nullptr, function, nullptr) != 0) std::_Exit(9);
    return thread;
}

void late() {
    std::atexit([] { MOMENT("handler"); });
    std::atexit([] { std::thread([] { MOMENT("thread of a handler"); }).join(); });
    static Named local{"late", [] { MOMENT("local static object"); }};
}

// Children that record nothing, of a region around all.
int others() {
    HEATFLOW_REGION("around");
    const pid_t child = vfork();
    if (child == 0) {
        execl("/bin/true", "true", nullptr);
        _exit(1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (std::system("true") != 0) return 1;
    std::FILE* const pipe = popen("echo said", "r");
    char line[16] = "";
    if (pipe == nullptr || std::fgets(line, sizeof line, pipe) == nullptr || pclose(pipe) != 0) return 1;
    pid_t spawned = 0;
    char name[] = "true";
    char* arguments[] = {name, nullptr};
    if (posix_spawn(&spawned, "/bin/true", nullptr, nullptr, arguments, environ) != 0) return 1;
    waitpid(spawned, &status, 0);
    return status;
}

int forked() {
    HEATFLOW_REGION("around the fork");
    HEATFLOW_BEGIN("begun in the parent");
    const pid_t child = fork();
    if (child == 0) {
        MOMENT("child");
        // Its begin is none of the child's.
        HEATFLOW_END("begun in the parent");
        return 0;
    }
    int status = 0;
    waitpid(child, &status, 0);
    HEATFLOW_END("begun in the parent");
    MOMENT("parent");
    return status;
}

int daemonized(int times) {
    HEATFLOW_REGION("around the daemon");
    for (int time = 0; time < times; ++time)
        if (daemon(is("daemonHome") ? 0 : 1, 1) != 0) return 1;
    if (!is("daemonSilent")) MOMENT("daemon");
    return 0;
}

// As `daemon` of programs that do it themselves: the parent ends without a word, when its child has begun.
int disowned() {
    const pid_t child = fork();
    if (child == 0) {
        MOMENT("child");
        usleep(100'000);
        return 0;
    }
    usleep(3'000);
    _exit(0);
}

// Other threads go on, and one of them ends the program.
void exitOfThread() {
    static std::atomic<bool> isThere{false};
    std::thread([] {
        HEATFLOW_REGION("going on");
        isThere = true;
        for (;;) MOMENT("turn");
    }).detach();
    HEATFLOW_REGION("waiting");
    std::thread([] {
        HEATFLOW_REGION("exiting");
        while (!isThere) usleep(100);
        spin(0.01);
        std::exit(3);
    }).join();
}

}  // namespace

int main(int count, char** arguments) {
    mode = count > 1 ? arguments[1] : "";
    if (is("mainexitSilent")) {
        started([](void*) -> void* {
            MOMENT("begin");
            return nullptr;
        });
        pthread_exit(nullptr);
    }
    MOMENT("begin");
    if (is("late")) late();
    if (is("threads")) {
        pthread_join(started(withDestructors), nullptr);
        pthread_join(started(leaving), nullptr);
        const pthread_t cancelled = started(untilCancelled);
        spin(0.02);
        pthread_cancel(cancelled);
        pthread_join(cancelled, nullptr);
    }
    if (is("mainexit")) {
        std::atexit([] { MOMENT("handler"); });
        started(leaving);
        pthread_exit(nullptr);
    }
    if (is("mainexitDetached")) {
        HEATFLOW_REGION("main");
        for (int thread = 0; thread < 3; ++thread) pthread_detach(started(leaving));
        pthread_exit(nullptr);
    }
    if (is("others")) return others();
    if (is("fork")) return forked();
    if (is("disowned")) return disowned();
    if (mode.substr(0, 6) == "daemon") return daemonized(is("daemonTwice") || is("daemonSilent") ? 2 : 1);
    if (is("exitOfThread")) exitOfThread();
    if (is("cut")) {
        HEATFLOW_REGION("cut");
        usleep(unsigned(1000 * std::atoi(arguments[2])));
        if (std::strcmp(arguments[3], "abort") == 0) std::abort();
        if (std::strcmp(arguments[3], "quick") == 0) std::quick_exit(0);
        if (std::strcmp(arguments[3], "_exit") == 0) _exit(0);
        std::raise(std::atoi(arguments[3]));
    }
    return 0;
}

// Regions whose memory, waiting and attributes are known. Says what each must have: `REGION WHAT LEAST MOST`.
//   measures [SIGNALS]: any argument stops and starts recording, too
#include <heatflow/tracker.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include <malloc.h>
#include <pthread.h>
#include <sys/resource.h>
#include <time.h>

namespace {

double secondsOf(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
}

// Seconds that this thread has run, as the kernel counts for getrusage: another way than the tracker's.
double ranSeconds() {
    rusage usage{};
    getrusage(RUSAGE_THREAD, &usage);
    return double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

void* volatile kept[4];


void memory() {
    // What a block has, which is what was asked for and what the C library rounds up.
    std::size_t most = 0;
    {
        HEATFLOW_REGION("blocks");
        kept[0] = std::malloc(1000);
        kept[1] = std::malloc(70'000);
        std::free(kept[0]);
        std::free(kept[1]);
        {
            HEATFLOW_REGION("grown");
            kept[2] = std::calloc(10, 100);
            kept[2] = std::realloc(kept[2], 500'000);
            most = malloc_usable_size(kept[2]);
        }
        std::free(kept[2]);
        void* aligned = nullptr;
        if (posix_memalign(&aligned, 256, 4096) == 0) std::free(aligned);
    }
    std::printf("blocks allocations 3 3\nblocks allocated 75096 75096\n");
    std::printf("grown allocations 2 2\ngrown allocated 501000 501000\n");
    for (const char* region : {"all", "blocks", "grown"}) std::printf("%s peak %zu %zu\n", region, most, most);
}

// Seconds that the work waits: the time that passes without the processor's.
template <typename Work>
double waitedIn(Work&& work) {
    const double begin = secondsOf(CLOCK_REALTIME), ran = ranSeconds();
    work();
    return secondsOf(CLOCK_REALTIME) - begin - (ranSeconds() - ran);
}

// A region waits at least as long as what is inside of it, and at most as long as what is around it.
template <typename Region>
void timed(const char* name, Region&& region) {
    double inside = 0;
    const double around = waitedIn([&] { inside = region(); });
    // The kernel counts in steps of up to 4 ms.
    std::printf("%s waiting %.0f %.0f\n", name, inside > 0.006 ? (inside - 0.006) * 1e9 : 0, (around + 0.006) * 1e9);
}

void waiting() {
    timed("sleeping", [] {
        HEATFLOW_REGION("sleeping");
        return waitedIn([] {
            const timespec time{0, 120'000'000};
            nanosleep(&time, nullptr);
        });
    });
    timed("spinning", [] {
        HEATFLOW_REGION("spinning");
        return waitedIn([] {
            for (const double until = secondsOf(CLOCK_MONOTONIC) + 0.05; secondsOf(CLOCK_MONOTONIC) < until;) {
            }
        });
    });
}

void sparse() {
    for (int at = 0; at < 1000; ++at) {
        HEATFLOW_REGION_EVERY(16, "tiny");
        kept[3] = nullptr;
    }
    std::printf("tiny calls 1008 1008\n");
}

void attributes() {
    for (int at = 3; at < 40; ++at) {
        HEATFLOW_REGION("step");
        HEATFLOW_ATTRIBUTE("iteration", at);
        HEATFLOW_ATTRIBUTE("grid", at < 20 ? "coarse" : "fine");
    }
}

// Stops recording by a signal, and starts it again.
void signalled() {
    for (int at = 0; at < 10; ++at) {
        HEATFLOW_REGION("now and then");
        if (at % 4 == 1) std::raise(SIGUSR2);
    }
    std::printf("now and then calls 6 6\n");
}

}  // namespace

int main(int count, char**) {
    HEATFLOW_REGION("all");
    memory();
    waiting();
    sparse();
    attributes();
    if (count > 1) signalled();
    std::thread([] {
        pthread_setname_np(pthread_self(), "solver 7");
        HEATFLOW_REGION("on a thread");
    }).join();
}

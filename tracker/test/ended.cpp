// Threads that end: `ended COUNT REGIONS TOGETHER MILLISECONDS` starts so many threads, some of them at once, each of which goes so many times
// through regions, one to eight deep, and has an attribute, and a name for each tenth; then it does nothing for a time. Says by how many KB it has grown, and how long its
// file was before and after that time. With `killed` as a fifth argument it has no end.
#include <heatflow/tracker.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

// So many regions, each within the one before.
void down(int depth) {
    HEATFLOW_REGION("down");
    if (depth > 1) down(depth - 1);
}

void work(int thread, int regions) {
    if (thread % 10 == 0) pthread_setname_np(pthread_self(), "tenth");
    HEATFLOW_REGION("task");
    HEATFLOW_ATTRIBUTE("number", thread);
    for (int at = 0; at < regions; ++at) down(1 + at % 8);
    // It ends with the thread.
    if (thread % 2 == 0) HEATFLOW_BEGIN("without an end");
}

long residentKb() {
    long all = 0, resident = 0;
    std::FILE* const file = std::fopen("/proc/self/statm", "r");
    const bool isRead = std::fscanf(file, "%ld %ld", &all, &resident) == 2;
    std::fclose(file);
    return isRead ? resident * (sysconf(_SC_PAGESIZE) / 1024) : 0;
}

long long sizeOf(const char* path) {
    struct stat facts {};
    return stat(path, &facts) == 0 ? static_cast<long long>(facts.st_size) : -1;
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 5) return 2;
    const int threads = std::atoi(arguments[1]), regions = std::atoi(arguments[2]), together = std::atoi(arguments[3]);
    const long before = residentKb();
    for (int first = 0; first < threads; first += together) {
        std::vector<std::thread> some;
        for (int at = first; at < first + together && at < threads; ++at) some.emplace_back(work, at, regions);
        for (std::thread& one : some) one.join();
    }
    const long grown = residentKb() - before;
    const char* const path = std::getenv("HEATFLOW_OUTPUT");
    usleep(1'200'000);
    const long long size = sizeOf(path);
    usleep(unsigned(std::atoi(arguments[4])) * 1000);
    std::printf("%ld %lld %lld\n", grown, size, sizeOf(path));
    std::fflush(stdout);
    if (count > 5) raise(SIGKILL);
    return 0;
}

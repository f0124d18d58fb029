// Does known amounts of what counters count, and says how much: memory that is touched, bytes that are written, time of a processor.
#include <cstdio>
#include <cstring>
#include <vector>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <heatflow/tracker.hpp>

int main() {
    HEATFLOW_FUNCTION;
    constexpr std::size_t touched = 64u << 20, written = 8u << 20;
    std::vector<char> memory(touched);
    std::memset(memory.data(), 1, memory.size());
    const int nowhere = open("/dev/null", O_WRONLY);
    const bool isGood = write(nowhere, memory.data(), written) == ssize_t(written);
    close(nowhere);
    rusage usage{};
    const auto seconds = [](const timeval& time) { return double(time.tv_sec) + 1e-6 * double(time.tv_usec); };
    do getrusage(RUSAGE_SELF, &usage);
    while (seconds(usage.ru_utime) + seconds(usage.ru_stime) < 0.5);
    std::printf("touched %zu\nwritten %zu\nseconds %.6f\nfaults %ld\n", touched, written,
                seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_minflt);
    return isGood ? 0 : 1;
}

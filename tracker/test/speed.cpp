// What regions cost, on threads of a number and for a time that the arguments say: nanoseconds of one that is empty and of two
// readings of the clock, and whether a million events per second and thread find room.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <thread>
#include <vector>

#include <heatflow/tracker.hpp>

namespace {

using heatflow::detail::now;

// Nanoseconds of a call, the median of rounds.
double nanosecondsOf(const std::function<void(int)>& repeat) {
    constexpr int rounds = 101, calls = 1000;
    std::vector<double> took;
    for (int round = 0; round < rounds; ++round) {
        const std::uint64_t begin = now();
        repeat(calls);
        took.push_back(double(now() - begin) / calls);
    }
    std::nth_element(took.begin(), took.begin() + rounds / 2, took.end());
    return took[rounds / 2];
}

void emptyRegions(int calls) {
    for (int call = 0; call < calls; ++call) {
        HEATFLOW_REGION("empty");
    }
}

void pairsOfReadings(int calls) {
    timespec time{};
    for (int call = 0; call < 2 * calls; ++call) clock_gettime(CLOCK_MONOTONIC, &time);
}

}  // namespace

int main(int, char** arguments) {
    const int threads = std::atoi(arguments[1]);
    const double seconds = std::atof(arguments[2]);
    HEATFLOW_FUNCTION;
    // In turn: clocks of processors change.
    std::vector<double> regions, readings;
    for (int round = 0; round < 5; ++round) {
        readings.push_back(nanosecondsOf(pairsOfReadings));
        regions.push_back(nanosecondsOf(emptyRegions));
    }
    std::sort(regions.begin(), regions.end());
    std::sort(readings.begin(), readings.end());
    std::printf("region %.2f\nreadings %.2f\n", regions[2], readings[2]);
    // A region per microsecond; who is late catches up.
    constexpr std::uint64_t between = 1000;
    std::vector<std::thread> all;
    for (int thread = 0; thread < threads; ++thread)
        all.emplace_back([seconds] {
            const std::uint64_t begin = now(), regions_ = std::uint64_t(seconds * 1e9) / between;
            for (std::uint64_t region = 0; region < regions_; ++region) {
                while (now() < begin + region * between) {
                }
                HEATFLOW_REGION("a region per microsecond");
            }
        });
    const std::uint64_t begin = now();
    for (std::thread& thread : all) thread.join();
    std::printf("seconds %.3f\n", double(now() - begin) * 1e-9);
    return 0;
}

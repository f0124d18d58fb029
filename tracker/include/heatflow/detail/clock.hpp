// Time of this process, and of the machine.
#pragma once

#include <cstdint>
#include <ctime>

namespace heatflow::detail {

// Nanoseconds of a clock that never goes back; its zero is the machine's own.
inline std::uint64_t now() noexcept {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return std::uint64_t(time.tv_sec) * 1'000'000'000u + std::uint64_t(time.tv_nsec);
}

// A counter that says how long a few instructions take. Unlike the clock, reading it waits for nothing before it, so that they overlap
// with the program as they do without it. Its unit is the processor's: `CostSample` compares what was taken in one process.
inline std::uint64_t ticks() noexcept {
#if defined(__x86_64__) || defined(__i386__)
    return __builtin_ia32_rdtsc();
#else
    return now();
#endif
}

// Nanoseconds that this thread has run. Not read from memory as the others are: 5 to 10 times their cost.
inline std::uint64_t threadTime() noexcept {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::uint64_t(time.tv_sec) * 1'000'000'000u + std::uint64_t(time.tv_nsec);
}

// Nanoseconds that all threads of this process have run.
inline std::uint64_t processTime() noexcept {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return std::uint64_t(time.tv_sec) * 1'000'000'000u + std::uint64_t(time.tv_nsec);
}

// Nanoseconds since 1970, which other processes of the same run count from, too.
inline std::uint64_t timeOfDay() noexcept {
    timespec time{};
    clock_gettime(CLOCK_REALTIME, &time);
    return std::uint64_t(time.tv_sec) * 1'000'000'000u + std::uint64_t(time.tv_nsec);
}

}  // namespace heatflow::detail

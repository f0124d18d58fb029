// What recording itself costs the threads that it records.
#pragma once

#include <cstdint>

#include "clock.hpp"
#include "contexts.hpp"

namespace heatflow::detail {

// Nanoseconds that recording one region takes: before its begin and after its end, which its caller has in its time, and between
// the two, which it has itself.
struct Cost {
    double caller = 0;
    double callee = 0;
    double whole() const noexcept { return caller + callee; }
    // Halfway between two.
    static Cost mean(const Cost& one, const Cost& other) noexcept {
        return {(one.caller + other.caller) / 2, (one.callee + other.callee) / 2};
    }
};

// What recording takes in the program as it runs, with the caches as it leaves them: of one begin or end in about a thousand, which are
// never as many apart as what the program repeats. Written by the thread alone.
class CostSample {
public:
    // Of one begin or end in so many; of none if it is 0.
    void every(std::uint32_t period) noexcept {
        period_ = period;
        until_ = period;
    }
    // Whether this begin or end is taken. The next one is known from now on: a signal's handler may jump out of this one.
    bool isDue() noexcept {
        if (__builtin_expect(--until_ != 0, 1)) return false;
        until_ = untilNext();
        return true;
    }
    // What one took.
    void begun(std::uint64_t ticks) noexcept { add(begins_, ticks); }
    void ended(std::uint64_t ticks) noexcept { add(ends_, ticks); }

    // Several threads together.
    struct Sum {
        std::uint64_t begins = 0, ends = 0, beginTicks = 0, endTicks = 0;
        void add(const CostSample& one) noexcept {
            begins += one.begins_.count.get();
            beginTicks += one.begins_.ticks.get();
            ends += one.ends_.count.get();
            endTicks += one.ends_.ticks.get();
        }
        // Per region, with the readings of the clock that sampling adds.
        double ticksPerRegion() const noexcept {
            return double(beginTicks) / double(begins) + double(endTicks) / double(ends);
        }
    };

private:
    // What takes longer was not running for a while, or another thread had the core: 20 µs at 3 GHz.
    static constexpr std::uint64_t interrupted = 60'000;

    struct Side {
        Published<std::uint64_t> count, ticks;
    };

    // From half the period to one and a half (xorshift, Marsaglia 2003): a program that repeats itself is sampled everywhere.
    __attribute__((noinline, cold)) std::uint32_t untilNext() noexcept {
        random_ ^= random_ << 13;
        random_ ^= random_ >> 17;
        random_ ^= random_ << 5;
        return period_ / 2 + random_ % (period_ + 1) + 1;
    }

    void add(Side& side, std::uint64_t ticks) noexcept {
        if (ticks >= interrupted) return;
        side.count.add(1);
        side.ticks.add(ticks);
    }

    std::uint64_t until_ = 1024;
    std::uint32_t period_ = 1024;
    std::uint32_t random_ = 0x9E3779B9u;
    Side begins_, ends_;
};

}  // namespace heatflow::detail

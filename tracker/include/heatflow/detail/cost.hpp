// Cost of recording in the recorded threads.
#pragma once

#include <cstdint>

#include "clock.hpp"
#include "contexts.hpp"

namespace heatflow::detail {

// Nanoseconds that recording one region takes. `caller` is before the begin and after the end, in the caller's time; `callee` is between
// the two, in the region's own time.
struct Cost {
    double caller = 0;
    double callee = 0;
    double whole() const noexcept { return caller + callee; }
    // Mean of two costs.
    static Cost mean(const Cost& one, const Cost& other) noexcept {
        return {(one.caller + other.caller) / 2, (one.callee + other.callee) / 2};
    }
};

// Cost of recording in the running program, with its caches: measured for one begin or end in about a thousand. The distance between two
// samples varies, so that it never matches a repetition of the program. Only the thread itself writes.
class CostSample {
public:
    // Samples one begin or end in `period`; none if it is 0.
    void every(std::uint32_t period) noexcept {
        period_ = period;
        until_ = period;
    }
    // Whether this begin or end is sampled. Also chooses the next one, since a signal handler may jump out of this one.
    bool isDue() noexcept {
        if (__builtin_expect(--until_ != 0, 1)) return false;
        until_ = untilNext();
        return true;
    }
    // Adds the duration of one begin or end.
    void begun(std::uint64_t ticks) noexcept { add(begins_, ticks); }
    void ended(std::uint64_t ticks) noexcept { add(ends_, ticks); }

    // Sum over several threads.
    struct Sum {
        std::uint64_t begins = 0, ends = 0, beginTicks = 0, endTicks = 0;
        void add(const CostSample& one) noexcept {
            begins += one.begins_.count.get();
            beginTicks += one.begins_.ticks.get();
            ends += one.ends_.count.get();
            endTicks += one.ends_.ticks.get();
        }
        // Ticks per region, including the clock readings that sampling adds.
        double ticksPerRegion() const noexcept {
            return double(beginTicks) / double(begins) + double(endTicks) / double(ends);
        }
    };

private:
    // A longer sample was interrupted, or another thread had the core: 20 µs at 3 GHz.
    static constexpr std::uint64_t interrupted = 60'000;

    struct Side {
        Published<std::uint64_t> count, ticks;
    };

    // Between 0.5 and 1.5 periods (xorshift, Marsaglia 2003), so that a program that repeats itself is sampled everywhere.
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

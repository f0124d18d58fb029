// What an empty region costs on this machine at this time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cost.hpp"
#include "frames.hpp"
#include "settings.hpp"
#include "thread.hpp"

namespace heatflow::detail {

// Empty regions in a loop, recorded as the settings say: the median of some rounds, so that no interruption counts. The program's own
// cost more, since what they need may not be in the caches: `inProgram` adds what a sample of them says.
class Calibration {
public:
    // Calls functions that are empty but instrumented, so many; nothing where no runtime of -finstrument-functions is there.
    using EmptyFunctions = void (*)(int calls);

    Calibration() = default;

    // `isolated` runs a loop with another recorder as the thread's own one.
    template <typename Isolated>
    Calibration(Settings settings, EmptyFunctions functions, Isolated&& isolated) {
        static const KnownSite site{"empty", "", 0};
        // The events of a loop are never read: few of them find room.
        settings.bufferBytes = 1u << 18;
        ThreadRecorder scratch(settings);
        const auto regions = [&](int times) {
            for (int at = 0; at < times; ++at) scratch.end(scratch.beginBlock(FrameKey::of(site), 1, 1), 1);
        };
        region = medianOf(scratch, regions);
        scratch.costSample.every(sampledPeriod);
        const std::uint64_t begin = now(), before = ticks();
        regions(sampledRegions);
        ticksPerNanosecond_ = double(ticks() - before) / double(now() - begin);
        CostSample::Sum sum;
        sum.add(scratch.costSample);
        sampledTicks_ = sum.ticksPerRegion();
        function = region;
        if (functions == nullptr) return;
        ThreadRecorder other(settings);
        isolated(other, [&] { function = medianOf(other, functions); });
    }

    // Of a region that is marked, and of a function.
    Cost region, function;

    // Nanoseconds that each costs in the program more than here: its context and its place in the file are looked up before it begins
    // and after it ends, so that its caller has them.
    double excess(const CostSample::Sum& inProgram) const noexcept {
        if (std::min(inProgram.begins, inProgram.ends) < fewest) return 0;
        return std::max(0.0, inProgram.ticksPerRegion() - sampledTicks_) / ticksPerNanosecond_;
    }

private:
    static constexpr int rounds = 15, calls = 100;
    // Rarely enough that the processor does not foresee it here either.
    static constexpr std::uint32_t sampledPeriod = 128;
    static constexpr int sampledRegions = 20'000;
    // Samples that a mean is made of.
    static constexpr std::uint64_t fewest = 100;

    template <typename Regions>
    static Cost medianOf(ThreadRecorder& scratch, Regions&& regions) {
        scratch.costSample.every(0);
        // Its context, and what else a first one makes.
        regions(1);
        std::vector<Cost> took;
        for (int round = 0; round < rounds; ++round) {
            const std::uint64_t within = withinOf(scratch), begin = now();
            regions(calls);
            const double whole = double(now() - begin) / calls, callee = double(withinOf(scratch) - within) / calls;
            took.push_back({whole - callee, callee});
        }
        std::nth_element(took.begin(), took.begin() + rounds / 2, took.end(),
                         [](const Cost& one, const Cost& other) { return one.whole() < other.whole(); });
        return took[rounds / 2];
    }

    // Nanoseconds within regions that have ended.
    static std::uint64_t withinOf(const ThreadRecorder& scratch) {
        std::uint64_t sum = 0;
        for (std::uint32_t at = 1; at < scratch.contexts.size(); ++at) sum += scratch.contexts[at].inclusive.get();
        return sum;
    }

    double sampledTicks_ = 0;
    double ticksPerNanosecond_ = 1;
};

}  // namespace heatflow::detail

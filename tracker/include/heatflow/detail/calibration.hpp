// Cost of an empty region on this machine at this time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cost.hpp"
#include "frames.hpp"
#include "settings.hpp"
#include "thread.hpp"

namespace heatflow::detail {

// Measures empty regions in a loop, recorded with the program's settings. The median of several rounds leaves interruptions out. Regions
// of the program cost more, since their data may not be in the caches: `excess` returns the difference, from samples in the program.
class Calibration {
public:
    // Calls empty instrumented functions `calls` times; nullptr without the runtime of -finstrument-functions.
    using EmptyFunctions = void (*)(int calls);

    Calibration() = default;

    // `isolated` runs a loop with the given recorder in place of the thread's own.
    template <typename Isolated>
    Calibration(Settings settings, EmptyFunctions functions, Isolated&& isolated) {
        static const KnownSite site{"empty", "", 0};
        // A small buffer is enough, since these events are never read.
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

    // Cost of a marked region, and of an instrumented function.
    Cost region, function;

    // Nanoseconds that each costs in the program beyond the cost in the loop. They are in the caller's time: the context and the place in
    // the file are looked up before the begin and after the end.
    double excess(const CostSample::Sum& inProgram) const noexcept {
        if (std::min(inProgram.begins, inProgram.ends) < fewest) return 0;
        return std::max(0.0, inProgram.ticksPerRegion() - sampledTicks_) / ticksPerNanosecond_;
    }

private:
    static constexpr int rounds = 15, calls = 100;
    // Rare enough that the processor's branch prediction misses it, as in the program.
    static constexpr std::uint32_t sampledPeriod = 128;
    static constexpr int sampledRegions = 20'000;
    // Minimum number of samples for a mean.
    static constexpr std::uint64_t fewest = 100;

    template <typename Regions>
    static Cost medianOf(ThreadRecorder& scratch, Regions&& regions) {
        scratch.costSample.every(0);
        // The first region creates its context, and is not measured.
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

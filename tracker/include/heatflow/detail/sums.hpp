// What is added up per context.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "contexts.hpp"

namespace heatflow::detail {

// Calls, nanoseconds, allocations and bytes.
struct Sums {
    static constexpr std::size_t always = 3, all = 6;
    static constexpr const char* names[all] = {"calls", "inclusive", "exclusive", "waiting", "allocations", "allocated"};
    std::uint64_t values[all] = {};

    static Sums of(const Context& context) noexcept {
        return {{context.calls.get(), context.inclusive.get(), context.exclusive.get(), context.waiting.get(),
                 context.allocations.get(), context.allocated.get()}};
    }
    std::uint64_t calls() const noexcept { return values[0]; }
    std::uint64_t inclusive() const noexcept { return values[1]; }
    std::uint64_t exclusive() const noexcept { return values[2]; }
    void add(const Sums& other) noexcept {
        for (std::size_t at = 0; at < all; ++at) values[at] += other.values[at];
    }
    // Nothing of what was more before.
    Sums since(const Sums& before) const noexcept {
        Sums sums;
        for (std::size_t at = 0; at < all; ++at) sums.values[at] = values[at] - std::min(values[at], before.values[at]);
        return sums;
    }
    bool operator==(const Sums& other) const noexcept { return std::equal(values, values + all, other.values); }
};

}  // namespace heatflow::detail

// What a calling context consists of: regions that stand in the source, and addresses of functions.
#pragma once

#include <cstdint>

namespace heatflow {

// Groups of work, in the words of the trace's categories.
enum class Category : std::uint8_t { computing, dataMovement, communication, runtime, io, idle };

// A region as it stands in the source. One per place, never freed: contexts point to it.
struct Site {
    const char* name;
    const char* file;
    int line;
    Category category = Category::computing;
    // Calls of which one is recorded.
    std::uint32_t every = 1;
};

namespace detail {

// A site, or the address of an instrumented function; no user address has its highest bit set, so that it fits beside the mark.
class FrameKey {
public:
    FrameKey() noexcept = default;
    static FrameKey of(const Site& site) noexcept { return FrameKey(reinterpret_cast<std::uintptr_t>(&site)); }
    static FrameKey at(const void* address) noexcept {
        return FrameKey(reinterpret_cast<std::uintptr_t>(address) << 1 | 1u);
    }

    bool isAddress() const noexcept { return value_ & 1u; }
    const Site& site() const noexcept { return *reinterpret_cast<const Site*>(value_); }
    std::uintptr_t address() const noexcept { return value_ >> 1; }
    std::uintptr_t value() const noexcept { return value_; }
    bool operator==(FrameKey other) const noexcept { return value_ == other.value_; }

private:
    explicit FrameKey(std::uintptr_t value) noexcept : value_(value) {}
    std::uintptr_t value_ = 0;
};

// Where an instrumented function was called, and where in its code it says so; 0 where that is not known, or not told apart.
struct CallPlace {
    std::uintptr_t returnsTo = 0;
    std::uintptr_t within = 0;
};

static_assert(alignof(Site) > 1, "the lowest bit of a site's address is the mark");

}  // namespace detail
}  // namespace heatflow

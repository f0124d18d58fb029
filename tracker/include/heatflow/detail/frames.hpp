// What a calling context consists of: regions that stand in the source, and addresses of functions.
#pragma once

#include <atomic>
#include <cstdint>

namespace heatflow {

// Groups of work, in the words of the trace's categories.
enum class Category : std::uint8_t { computing, dataMovement, communication, runtime, io, idle };

namespace detail {

// The recorder's copy of a site, one per content. It stays valid when the site's library is unloaded.
struct KnownSite {
    const char* name;
    const char* file;
    int line;
    Category category = Category::computing;
    // Calls of which one is recorded.
    std::uint32_t every = 1;
};

struct GoneFunction;

}  // namespace detail

// A marked region in the source.
struct Site {
    const char* name;
    const char* file;
    int line;
    Category category = Category::computing;
    // Calls of which one is recorded.
    std::uint32_t every = 1;
    // The recorder's copy, set when the region is first recorded.
    mutable std::atomic<const detail::KnownSite*> known{nullptr};
};

namespace detail {

// A site, the address of an instrumented function, or a function that was unloaded. The highest bit of user addresses is 0, so the mark
// fits beside it.
class FrameKey {
public:
    FrameKey() noexcept = default;
    static FrameKey of(const KnownSite& site) noexcept { return FrameKey(reinterpret_cast<std::uintptr_t>(&site)); }
    static FrameKey of(const GoneFunction& function) noexcept {
        return FrameKey(reinterpret_cast<std::uintptr_t>(&function) | 2u);
    }
    static FrameKey at(const void* address) noexcept {
        return FrameKey(reinterpret_cast<std::uintptr_t>(address) << 1 | 1u);
    }

    bool isAddress() const noexcept { return value_ & 1u; }
    bool isSite() const noexcept { return value_ != 0 && (value_ & 3u) == 0; }
    bool isGone() const noexcept { return (value_ & 3u) == 2; }
    const KnownSite& site() const noexcept { return *reinterpret_cast<const KnownSite*>(value_); }
    const GoneFunction& gone() const noexcept { return *reinterpret_cast<const GoneFunction*>(value_ - 2); }
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

static_assert(alignof(KnownSite) > 2, "the two lowest bits of a site's address are the mark");

}  // namespace detail
}  // namespace heatflow

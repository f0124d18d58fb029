// Heatflow's tracker: marks regions of a program and writes what they cost. C++17, no library but the system's (-pthread).
//
//   void solve() {
//       HEATFLOW_FUNCTION;
//       { HEATFLOW_REGION("assemble"); … }
//   }
//
// Everything that a region needs stands in the source; the recording is written when the program ends (tracker/README.md).
#pragma once

#if __cplusplus < 201703L
#error "Heatflow's tracker needs C++17: compile with -std=c++17 or later (CMake: CMAKE_CXX_STANDARD 17)"
#else

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "detail/forward.hpp"
#include "detail/names.hpp"
#include "detail/recorder.hpp"

// With HEATFLOW_RUNTIME src/heatflow.cpp is compiled once, and linked or loaded before the program, instead of into each file. With
// HEATFLOW_OFF, in all files, nothing is ever recorded, and nothing of it is left in the program.
#if !defined(HEATFLOW_RUNTIME) && !defined(HEATFLOW_OFF)
#include "detail/process.hpp"
#endif

namespace heatflow {

// A region from here to the end of the block, whichever way that is left. Not to be handed to another thread.
class Region {
public:
    // `frame` is that of the function which the region is in.
    explicit Region(const Site& site, const void* frame = __builtin_frame_address(0))
        : site_(&site), recorder_(detail::Recorder::forBegin()) {
        if (recorder_ != nullptr) depth_ = recorder_->beginBlock(detail::Recorder::keyOf(site), std::uintptr_t(frame), mark());
        detail::beginElsewhere(site.name);
    }
    ~Region() {
        detail::endElsewhere(site_->name);
        if (!detail::Recorder::isOff && recorder_ != nullptr) recorder_->end(depth_, mark());
    }
    Region(const Region&) = delete;
    Region& operator=(const Region&) = delete;

protected:
    Region(const Site& site, const void* frame, detail::Movement movement, std::uint32_t calls)
        : site_(&site), recorder_(calls > 0 ? detail::Recorder::forBegin() : nullptr) {
        if (recorder_ != nullptr)
            depth_ = recorder_->begin(detail::Recorder::keyOf(site), movement, calls, {}, {std::uintptr_t(frame), mark(), 0});
        detail::beginElsewhere(site.name);
    }

private:
    std::uintptr_t mark() const noexcept { return std::uintptr_t(this); }

    const Site* site_;
    detail::ThreadRecorder* recorder_;
    std::uint32_t depth_ = 0;
};

// A region so short that each n-th call of a thread is recorded, for as many calls as that. The time of the others is the time of
// the region around them.
class SparseRegion : public Region {
public:
    SparseRegion(const Site& site, std::uint32_t& turn, const void* frame = __builtin_frame_address(0))
        : Region(site, frame, detail::noMovement, turn == 0 ? site.every : 0) {
        if (++turn == site.every) turn = 0;
    }
};

enum class Direction { hostToDevice, deviceToHost, deviceToDevice, hostToHost };

// A copy of so many bytes, from here to the end of the block.
class Transfer : public Region {
public:
    Transfer(const Site& site, std::uint64_t bytes, const void* frame = __builtin_frame_address(0))
        : Region(site, frame, {std::int64_t(bytes), -1, -1}, 1) {}
};

constexpr const char* nameOf(Direction direction) noexcept {
    switch (direction) {
        case Direction::hostToDevice: return "copy host to device";
        case Direction::deviceToHost: return "copy device to host";
        case Direction::deviceToDevice: return "copy device to device";
        case Direction::hostToHost: return "copy host to host";
    }
    return "copy";
}

// A recording in DMTracker's phases: setup is its construction; `start`, `stop` and events collect; `dump` and `destroy` end it.
class Tracker {
public:
    explicit Tracker(Settings settings = detail::settingsOfEnvironment()) : settings_(std::move(settings)) {
        detail::Recorder::record(false);
    }
    ~Tracker() { destroy(); }
    Tracker(const Tracker&) = delete;
    Tracker& operator=(const Tracker&) = delete;

    // False where HEATFLOW_ENABLE is 0 or the file can't be made, which is said on standard error.
    bool start() {
        auto* const runtime = detail::Recorder::runtime();
        if (runtime == nullptr || !runtime->start(settings_)) return false;
        detail::Recorder::record(true);
        return true;
    }

    // Regions that have begun are recorded to their end.
    void stop() { detail::Recorder::record(false); }

    // An event within the regions that are open on this thread. The tag, if any, is a part of its name.
    void start_event(const std::string& name, const std::string& tag = {}) {
        const std::string whole = nameOf(name, tag);
        if (auto* recorder = detail::Recorder::forBegin()) recorder->begin(keyOf(whole));
        else detail::Recorder::skip(whole);
    }

    // Ends the innermost event of that name and tag, and what has begun within it.
    void stop_event(const std::string& name, const std::string& tag = {}) {
        if (detail::Recorder::runtime() == nullptr) return;
        const std::string whole = nameOf(name, tag);
        const detail::FrameKey key = keyOf(whole);
        detail::Recorder::endWhere(whole.c_str(), [key](detail::FrameKey frame) { return frame == key; });
    }

    // Writes all to a file. False where that failed, which is said on standard error.
    bool dump(const std::string& path) {
        stop();
        auto* const runtime = detail::Recorder::runtime();
        return runtime != nullptr && runtime->dump(path.c_str());
    }

    void destroy() { dump(""); }

private:
    static std::string nameOf(const std::string& name, const std::string& tag) {
        return tag.empty() ? name : name + " [" + tag + "]";
    }
    static detail::FrameKey keyOf(const std::string& whole) {
        return detail::FrameKey::of(detail::Recorder::runtime()->site({whole.c_str(), "", 0}));
    }

    Settings settings_;
};

// An attribute of the innermost region of this thread, such as the iteration; of all its values the file keeps the least, the most
// and the last.
template <typename Number, std::enable_if_t<std::is_arithmetic_v<Number>, int> = 0>
void attribute(const char* key, Number value) {
    if (auto* recorder = detail::Recorder::current()) detail::Recorder::runtime()->attribute(*recorder, key, double(value));
}
inline void attribute(const char* key, const std::string& value) {
    if (auto* recorder = detail::Recorder::current()) detail::Recorder::runtime()->attribute(*recorder, key, value.c_str());
}

}  // namespace heatflow

#define HEATFLOW_JOIN_(a, b) a##b
#define HEATFLOW_JOIN(a, b) HEATFLOW_JOIN_(a, b)

// Marks have numbers in place of lines in their names, since a line may have several, and a macro of the program's own, too.
// The rest of the function, with its class and namespaces in its name (`Kernel::dot`).
#define HEATFLOW_FUNCTION HEATFLOW_FUNCTION_(__COUNTER__)
#define HEATFLOW_FUNCTION_(number)                                                                                   \
    static constexpr auto HEATFLOW_JOIN(heatflowName, number) =                                                      \
        ::heatflow::detail::functionName(__PRETTY_FUNCTION__, __func__);                                             \
    HEATFLOW_REGION_(HEATFLOW_JOIN(heatflowName, number).text, number)

// The rest of the block.
#define HEATFLOW_REGION(name) HEATFLOW_REGION_(name, __COUNTER__)
#define HEATFLOW_REGION_(name, number)                                                               \
    static const ::heatflow::Site HEATFLOW_JOIN(heatflowSite, number){name, __FILE__, __LINE__};     \
    const ::heatflow::Region HEATFLOW_JOIN(heatflowRegion, number)(HEATFLOW_JOIN(heatflowSite, number))

// The rest of the block, of which each n-th call of a thread is recorded.
#define HEATFLOW_REGION_EVERY(n, name) HEATFLOW_REGION_EVERY_(n, name, __COUNTER__)
#define HEATFLOW_REGION_EVERY_(n, name, number)                                                                          \
    static_assert((n) > 0, "of so many calls one is recorded");                                                          \
    static const ::heatflow::Site HEATFLOW_JOIN(heatflowSite, number){name, __FILE__, __LINE__,                          \
                                                                      ::heatflow::Category::computing, n};               \
    static thread_local std::uint32_t HEATFLOW_JOIN(heatflowTurn, number) = 0;                                           \
    const ::heatflow::SparseRegion HEATFLOW_JOIN(heatflowRegion, number)(HEATFLOW_JOIN(heatflowSite, number),            \
                                                                         HEATFLOW_JOIN(heatflowTurn, number))

// What the region around it works on: a number or a text.
#define HEATFLOW_ATTRIBUTE(key, value) ::heatflow::attribute(key, value)

// The rest of the block copies so many bytes.
#define HEATFLOW_TRANSFER(direction, bytes) HEATFLOW_TRANSFER_(direction, bytes, __COUNTER__)
#define HEATFLOW_TRANSFER_(direction, bytes, number)                                                                 \
    static const ::heatflow::Site HEATFLOW_JOIN(heatflowSite, number){::heatflow::nameOf(direction), __FILE__,       \
                                                                      __LINE__, ::heatflow::Category::dataMovement}; \
    const ::heatflow::Transfer HEATFLOW_JOIN(heatflowRegion, number)(HEATFLOW_JOIN(heatflowSite, number), bytes)

// A region that is no block. It ends at the HEATFLOW_END of the same text, with all that has begun within it.
#define HEATFLOW_BEGIN(name)                                                                             \
    do {                                                                                                 \
        static const ::heatflow::Site heatflowSite{name, __FILE__, __LINE__};                            \
        ::heatflow::detail::Recorder::begin(heatflowSite);                                               \
        ::heatflow::detail::beginElsewhere(name);                                                        \
    } while (false)
#define HEATFLOW_END(name)                                                                               \
    do {                                                                                                 \
        ::heatflow::detail::endElsewhere(name);                                                          \
        ::heatflow::detail::Recorder::end(name);                                                         \
    } while (false)

#endif

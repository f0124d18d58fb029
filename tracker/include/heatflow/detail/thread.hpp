// What one thread records.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include <sys/syscall.h>
#include <unistd.h>

#include "clock.hpp"
#include "contexts.hpp"
#include "events.hpp"

namespace heatflow::detail {

// A region that has begun and not ended.
struct OpenRegion {
    Published<std::uint32_t> context;
    Published<std::uint64_t> begin;
    // Nanoseconds of the regions within it that have ended.
    Published<std::uint64_t> children;
    Movement movement = noMovement;
};

// A region that was open when it was looked at.
struct OpenSeen {
    std::uint32_t context;
    std::uint64_t begin;
    std::uint64_t children;
};

// Of one thread, which alone writes; any other may read what is Published. Lives as long as the process, since threads may outlive
// main and the writer reads what ended threads have left.
class ThreadRecorder {
public:
    static constexpr std::uint32_t deepest = 1u << 20;
    // Events that are longer always find room: the writer has announced them as begun.
    static constexpr std::uint64_t alwaysKept = 1'000'000'000;

    ThreadRecorder(std::size_t bufferBytes, std::uint64_t shortestEvent)
        : id(long(syscall(SYS_gettid))), events(bufferBytes), shortestEvent_(shortestEvent),
          open_(new std::atomic<OpenRegion*>[deepest / pieceSize]()) {}

    ~ThreadRecorder() {
        for (std::uint32_t at = 0; at < deepest / pieceSize; ++at) delete[] open_[at].load(std::memory_order_relaxed);
    }

    // Of the operating system.
    const long id;
    ContextTree contexts;
    EventQueue events;

    // Regions deeper than `deepest`, and events shorter than the shortest that is kept: counted, never shown as if they were not.
    Published<std::uint64_t> tooDeep;
    Published<std::uint64_t> tooShort;

    // Begins a region within the one that is open. Gives its depth, which ends it.
    std::uint32_t begin(FrameKey frame, Movement movement = noMovement) {
        const std::uint32_t depth = depth_.load(std::memory_order_relaxed);
        if (depth == deepest) {
            tooDeep.add(1);
            return deepest;
        }
        OpenRegion& opened = slot(depth);
        const std::uint32_t parent = depth == 0 ? ContextTree::thread : slot(depth - 1).context.get();
        opened.context.set(contexts.child(parent, frame));
        opened.children.set(0);
        opened.movement = movement;
        opened.begin.set(now());
        depth_.store(depth + 1, std::memory_order_release);
        return depth;
    }

    // Ends the region of that depth, and before it those within it whose end was jumped over (longjmp).
    void end(std::uint32_t depth) {
        std::uint32_t open = depth_.load(std::memory_order_relaxed);
        if (depth >= open) return;
        const std::uint64_t time = now();
        while (open > depth) close(--open, time);
    }

    // Ends the innermost region if it is of this frame; says whether it was.
    bool endInnermost(FrameKey frame) {
        const std::uint32_t open = depth_.load(std::memory_order_relaxed);
        if (open == 0 || !(contexts[slot(open - 1).context.get()].frame == frame)) return false;
        end(open - 1);
        return true;
    }

    // Ends the innermost region that is of this frame, and those within it; nothing where none is.
    void endFrame(FrameKey frame) {
        for (std::uint32_t at = depth_.load(std::memory_order_relaxed); at > 0; --at)
            if (contexts[slot(at - 1).context.get()].frame == frame) return end(at - 1);
    }

    // The same by the name of a site.
    void endName(std::string_view name) {
        for (std::uint32_t at = depth_.load(std::memory_order_relaxed); at > 0; --at) {
            const FrameKey frame = contexts[slot(at - 1).context.get()].frame;
            if (!frame.isAddress() && name == frame.site().name) return end(at - 1);
        }
    }

    std::uint32_t depth() const noexcept { return depth_.load(std::memory_order_acquire); }

    // Where the thread itself is.
    std::uint32_t innermost() const {
        const std::uint32_t open = depth_.load(std::memory_order_relaxed);
        return open == 0 ? ContextTree::thread : slot(open - 1).context.get();
    }

    // A message of the innermost region, at this moment. Its peer is a rank of all, its tag the program's.
    void message(EventKind kind, Movement movement) { events.push({now(), 0, innermost(), kind, movement}); }

    // The regions that are open, outermost first, as they were at one moment; nothing where the thread would not stand still.
    bool openRegions(std::vector<OpenSeen>& seen) const {
        for (int attempt = 0; attempt < 100; ++attempt) {
            const std::uint64_t before = endings_.load(std::memory_order_acquire);
            seen.clear();
            const std::uint32_t depth = depth_.load(std::memory_order_acquire);
            for (std::uint32_t at = 0; at < depth; ++at) {
                const OpenRegion& region = slot(at);
                seen.push_back({region.context.get(), region.begin.get(), region.children.get()});
            }
            if (endings_.load(std::memory_order_relaxed) == before && before % 2 == 0) return true;
        }
        seen.clear();
        return false;
    }

private:
    static constexpr std::uint32_t pieceSize = 256;

    OpenRegion& slot(std::uint32_t at) const {
        std::atomic<OpenRegion*>& piece = open_[at / pieceSize];
        OpenRegion* regions = piece.load(std::memory_order_acquire);
        if (regions == nullptr) {
            regions = new OpenRegion[pieceSize];
            piece.store(regions, std::memory_order_release);
        }
        return regions[at % pieceSize];
    }

    void close(std::uint32_t at, std::uint64_t time) {
        const OpenRegion& ended = slot(at);
        const std::uint64_t begin = ended.begin.get();
        const std::uint64_t duration = time - begin;
        Context& context = contexts[ended.context.get()];
        // Odd while what ended moves from the open regions to the contexts.
        const std::uint64_t endings = endings_.load(std::memory_order_relaxed);
        endings_.store(endings + 1, std::memory_order_relaxed);
        context.calls.add(1);
        context.inclusive.add(duration);
        context.exclusive.add(duration - ended.children.get());
        if (at > 0) slot(at - 1).children.add(duration);
        // First, so that who sees the event sees that the region is no longer open.
        depth_.store(at, std::memory_order_release);
        endings_.store(endings + 2, std::memory_order_release);
        if (duration < shortestEvent_ && ended.movement.bytes < 0)
            tooShort.add(1);
        else
            events.push({begin, duration, ended.context.get(), EventKind::region, ended.movement}, duration >= alwaysKept);
    }

    const std::uint64_t shortestEvent_;
    std::unique_ptr<std::atomic<OpenRegion*>[]> open_;
    std::atomic<std::uint32_t> depth_{0};
    std::atomic<std::uint64_t> endings_{0};
};

}  // namespace heatflow::detail

// What one thread records.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <sys/syscall.h>
#include <unistd.h>

#include "clock.hpp"
#include "contexts.hpp"
#include "cost.hpp"
#include "events.hpp"
#include "pages.hpp"
#include "settings.hpp"

namespace heatflow::detail {

// A region that has begun and not ended.
struct OpenRegion {
    Published<std::uint32_t> context;
    Published<std::uint64_t> begin;
    // Nanoseconds of the regions within it that have ended.
    Published<std::uint64_t> children;
    Movement movement = noMovement;
    // Calls that it stands for.
    std::uint32_t calls = 1;
    // Functions within it that were entered while nothing was recorded, and not left.
    std::uint32_t skipped = 0;
    // Of the thread alone: nanoseconds that it had run, and those of the regions within it that have ended.
    std::uint64_t ranBefore = 0;
    std::uint64_t ranWithin = 0;
    // Bytes that the thread has allocated and not freed: when it began, and the most since.
    std::int64_t liveBefore = 0;
    std::int64_t liveMost = 0;
};

// Of one thread, which alone writes; any other may read what is Published. Lives as long as the process, since threads may outlive
// main and the writer reads what ended threads have left.
class ThreadRecorder {
public:
    static constexpr std::uint32_t deepest = 1u << 20;
    // Events that are longer always find room, whatever the shortest is: the writer may have announced them as begun.
    static constexpr std::uint64_t alwaysKept = 500'000'000;

    explicit ThreadRecorder(const Settings& settings)
        : id(long(syscall(SYS_gettid))), events(settings.bufferBytes), shortestEvent_(settings.shortestEventNs),
          measuresWaiting_(settings.waiting), measuresAllocations_(settings.allocations),
          open_(new std::atomic<OpenRegion*>[deepest / pieceSize]()) {}

    ~ThreadRecorder() {
        for (std::uint32_t at = 0; at < deepest / pieceSize; ++at) freePages(open_[at].load(std::memory_order_relaxed), pieceSize);
        delete[] open_;
    }
    ThreadRecorder(const ThreadRecorder&) = delete;
    ThreadRecorder& operator=(const ThreadRecorder&) = delete;

    // Of the operating system.
    const long id;
    ContextTree contexts;
    EventQueue events;
    CostSample costSample;

    // Regions deeper than `deepest`, and events shorter than the shortest that is kept: counted, never shown as if they were not.
    Published<std::uint64_t> tooDeep;
    Published<std::uint64_t> tooShort;

    // A function is entered, and nothing is recorded: it is left before the region that is open ends.
    void skip() noexcept { ++skippedCount(); }
    // A function is left; says whether it is one that was skipped.
    bool leaveSkipped() noexcept {
        std::uint32_t& skipped = skippedCount();
        if (skipped == 0) return false;
        --skipped;
        return true;
    }

    // Begins a region within the one that is open. Gives its depth, which ends it.
    std::uint32_t begin(FrameKey frame, Movement movement = noMovement, std::uint32_t calls = 1, CallPlace call = {}) {
        if (!costSample.isDue()) return enter(frame, movement, calls, call);
        const std::uint64_t before = ticks();
        const std::uint32_t depth = enter(frame, movement, calls, call);
        costSample.begun(ticks() - before);
        return depth;
    }

    // Ends the region of that depth, and before it those within it whose end was jumped over (longjmp).
    void end(std::uint32_t depth) {
        if (!costSample.isDue()) return leave(depth);
        const std::uint64_t before = ticks();
        leave(depth);
        costSample.ended(ticks() - before);
    }

    // Ends the innermost region if it is of this frame; says whether it was.
    bool endInnermost(FrameKey frame) {
        const std::uint32_t open = depth_.load(std::memory_order_relaxed);
        if (open == 0 || !(contexts[slot(open - 1).context.get()].frame.get() == frame)) return false;
        end(open - 1);
        return true;
    }

    // Ends the innermost region that is of this frame, and those within it; nothing where none is.
    void endFrame(FrameKey frame) {
        for (std::uint32_t at = depth_.load(std::memory_order_relaxed); at > 0; --at)
            if (contexts[slot(at - 1).context.get()].frame.get() == frame) return end(at - 1);
    }

    // The same by the name of a site.
    void endName(std::string_view name) {
        for (std::uint32_t at = depth_.load(std::memory_order_relaxed); at > 0; --at) {
            const FrameKey frame = contexts[slot(at - 1).context.get()].frame.get();
            if (frame.isSite() && name == frame.site().name) return end(at - 1);
        }
    }

    // The program's memory, of the innermost region: bytes that were asked for, and those that a block has.
    void allocated(std::size_t bytes, std::size_t block) noexcept {
        if (!measuresAllocations_) return;
        const std::uint32_t open = depth_.load(std::memory_order_relaxed);
        live_ += std::int64_t(block);
        if (open == 0) return;
        OpenRegion& innermost = slot(open - 1);
        Context& context = contexts[innermost.context.get()];
        context.allocations.add(1);
        context.allocated.add(bytes);
        if (live_ > innermost.liveMost) innermost.liveMost = live_;
    }
    void freed(std::size_t block) noexcept {
        if (measuresAllocations_) live_ -= std::int64_t(block);
    }

    std::uint32_t depth() const noexcept { return depth_.load(std::memory_order_acquire); }

    // Where the thread itself is.
    std::uint32_t innermost() const {
        const std::uint32_t open = depth_.load(std::memory_order_relaxed);
        return open == 0 ? ContextTree::thread : slot(open - 1).context.get();
    }

    // A message of the innermost region, at this moment. Its peer is a rank of all, its tag the program's.
    void message(EventKind kind, Movement movement) { events.push({now(), 0, innermost(), kind, movement}); }

protected:
    OpenRegion& slot(std::uint32_t at) const {
        std::atomic<OpenRegion*>& piece = open_[at / pieceSize];
        OpenRegion* regions = piece.load(std::memory_order_acquire);
        if (regions == nullptr) {
            regions = neededPages<OpenRegion>(pieceSize);
            piece.store(regions, std::memory_order_release);
        }
        return regions[at % pieceSize];
    }

    std::atomic<std::uint32_t> depth_{0};
    // Odd while a region begins or ends.
    std::atomic<std::uint64_t> changes_{0};

private:
    static constexpr std::uint32_t pieceSize = 256;

    // Before the clock is read: a thread that has to wait for a core after that has begun or ended its region at a time that is long gone
    // when others can see it.
    std::uint64_t beginChange() noexcept {
        const std::uint64_t changes = changes_.load(std::memory_order_relaxed);
        changes_.store(changes + 1, std::memory_order_relaxed);
        std::atomic_signal_fence(std::memory_order_seq_cst);
        return changes;
    }
    void endChange(std::uint64_t changes) noexcept { changes_.store(changes + 2, std::memory_order_release); }

    // The code of `begin` itself. Not inlined: what is sampled is what runs otherwise, and lies in the caches as it does.
    __attribute__((noinline)) std::uint32_t enter(FrameKey frame, Movement movement, std::uint32_t calls, CallPlace call) {
        const std::uint32_t depth = depth_.load(std::memory_order_relaxed);
        if (depth == deepest) {
            tooDeep.add(1);
            return deepest;
        }
        OpenRegion& opened = slot(depth);
        const std::uint32_t parent = depth == 0 ? ContextTree::thread : slot(depth - 1).context.get();
        opened.context.set(contexts.child(parent, frame, call));
        opened.children.set(0);
        opened.movement = movement;
        opened.calls = calls;
        opened.skipped = 0;
        opened.liveBefore = opened.liveMost = live_;
        const std::uint64_t changes = beginChange();
        opened.begin.set(now());
        if (measuresWaiting_) {
            opened.ranWithin = 0;
            opened.ranBefore = threadTime();
        }
        depth_.store(depth + 1, std::memory_order_release);
        endChange(changes);
        return depth;
    }

    // The code of `end` itself.
    __attribute__((noinline)) void leave(std::uint32_t depth) {
        std::uint32_t open = depth_.load(std::memory_order_relaxed);
        if (depth >= open) return;
        const std::uint64_t changes = beginChange();
        const std::uint64_t time = now();
        // Read in the same order as at the begin, so that what reading takes is in neither difference.
        const std::uint64_t ran = measuresWaiting_ ? threadTime() : 0;
        while (open > depth) close(--open, time, ran);
        endChange(changes);
    }

    std::uint32_t& skippedCount() noexcept {
        const std::uint32_t open = depth_.load(std::memory_order_relaxed);
        return open == 0 ? skippedOutside_ : slot(open - 1).skipped;
    }

    void close(std::uint32_t at, std::uint64_t time, std::uint64_t ran) {
        const OpenRegion& ended = slot(at);
        const std::uint64_t begin = ended.begin.get();
        const std::uint64_t duration = time - begin;
        Context& context = contexts[ended.context.get()];
        context.calls.add(ended.calls);
        context.inclusive.add(duration);
        const std::uint64_t exclusive = duration - ended.children.get();
        context.exclusive.add(exclusive);
        if (at > 0) slot(at - 1).children.add(duration);
        if (measuresWaiting_) closeWaiting(ended, context, at, exclusive, ran);
        if (measuresAllocations_) closeAllocations(ended, context, at);
        // First, so that who sees the event sees that the region is no longer open.
        depth_.store(at, std::memory_order_release);
        if (duration < shortestEvent_ && duration < alwaysKept && ended.movement.bytes < 0)
            tooShort.add(1);
        else
            events.push({begin, duration, ended.context.get(), EventKind::region, ended.movement}, duration >= alwaysKept);
    }

    void closeWaiting(const OpenRegion& ended, Context& context, std::uint32_t at, std::uint64_t exclusive, std::uint64_t ran) {
        const std::uint64_t ranAll = ran - ended.ranBefore;
        if (at > 0) slot(at - 1).ranWithin += ranAll;
        const std::uint64_t ranHere = ranAll > ended.ranWithin ? ranAll - ended.ranWithin : 0;
        if (exclusive > ranHere) context.waiting.add(exclusive - ranHere);
    }

    void closeAllocations(const OpenRegion& ended, Context& context, std::uint32_t at) {
        if (at > 0 && ended.liveMost > slot(at - 1).liveMost) slot(at - 1).liveMost = ended.liveMost;
        const std::uint64_t most = std::uint64_t(ended.liveMost - ended.liveBefore);
        if (most > context.peak.get()) context.peak.set(most);
    }

    const std::uint64_t shortestEvent_;
    const bool measuresWaiting_;
    const bool measuresAllocations_;
    // Bytes that this thread has allocated and not freed; negative where it frees what others have allocated.
    std::int64_t live_ = 0;
    std::atomic<OpenRegion*>* const open_;
    std::uint32_t skippedOutside_ = 0;
};

}  // namespace heatflow::detail

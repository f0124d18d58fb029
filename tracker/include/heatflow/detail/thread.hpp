// What one thread records.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include <sys/syscall.h>
#include <unistd.h>

#include "clock.hpp"
#include "contexts.hpp"
#include "cost.hpp"
#include "events.hpp"
#include "pages.hpp"
#include "settings.hpp"
#include "stack.hpp"

namespace heatflow::detail {

// A region that has begun and not ended.
struct OpenRegion {
    Published<std::uint32_t> context;
    // Calls that it stands for.
    std::uint32_t calls = 1;
    Published<std::uint64_t> begin;
    // Nanoseconds of the regions within it that have ended.
    Published<std::uint64_t> children;
    // That of a region that may outlive its function is the frame of the one around it.
    StackPlace place = {};
    Movement movement = noMovement;
    // Functions within it that were entered while nothing was recorded, and not left.
    std::uint32_t skipped = 0;
    // Of the thread alone: nanoseconds that it had run, and those of the regions within it that have ended.
    std::uint64_t ranBefore = 0;
    std::uint64_t ranWithin = 0;
    // Bytes that the thread has allocated and not freed: when it began, and the most since.
    std::int64_t liveBefore = 0;
    std::int64_t liveMost = 0;
};

// Of one thread, which alone writes; any other may read what is Published.
class ThreadRecorder {
public:
    static constexpr std::uint32_t deepest = 1u << 20;
    // Events that are longer always find room, whatever the shortest is: the writer may have announced them as begun.
    static constexpr std::uint64_t alwaysKept = 500'000'000;

    explicit ThreadRecorder(const Settings& settings, const OwnStack& stack = {})
        : id(long(syscall(SYS_gettid))), events(settings.bufferBytes), shortestEvent_(settings.shortestEventNs),
          measuresWaiting_(settings.waiting), measuresAllocations_(settings.allocations), stack_(stack),
          open_(new std::atomic<OpenRegion*>[deepest / pieceSize]()) {}

    ~ThreadRecorder() {
        for (std::uint32_t at = 0; at < deepest / pieceSize; ++at) freePages(open_[at].load(std::memory_order_relaxed), pieceSize);
        delete[] open_;
    }
    ThreadRecorder(const ThreadRecorder&) = delete;
    ThreadRecorder& operator=(const ThreadRecorder&) = delete;

    // Of the operating system.
    const long id;
    // Something beside the threads refers to its contexts: it stays until the recording ends.
    std::atomic<bool> isReferredTo{false};
    ContextTree contexts;
    EventQueue events;
    CostSample costSample;

    // Regions deeper than `deepest`, and events shorter than the shortest that is kept: counted, never shown as if they were not.
    Published<std::uint64_t> tooDeep;
    Published<std::uint64_t> tooShort;
    // Number of regions without an end of their own: a jump (longjmp) left their functions, or the end is missing. They end with the region
    // around them, or at the next begin or end that shows this.
    Published<std::uint64_t> withoutEnd;
    // Number of begins and ends that a signal handler jumped out of. Such a region may count twice, or lose some of its time.
    Published<std::uint64_t> brokenOff;

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
    std::uint32_t begin(FrameKey frame, Movement movement = noMovement, std::uint32_t calls = 1, CallPlace call = {},
                        StackPlace place = {}) {
        if (!costSample.isDue()) return enter(frame, movement, calls, call, place);
        const std::uint64_t before = ticks();
        const std::uint32_t depth = enter(frame, movement, calls, call, place);
        costSample.begun(ticks() - before);
        return depth;
    }
    // Begins a region of a block, the most frequent case: all arguments are in registers.
    std::uint32_t beginBlock(FrameKey frame, std::uintptr_t stackFrame, std::uintptr_t mark) {
        if (!costSample.isDue()) return enterBlock(frame, stackFrame, mark);
        const std::uint64_t before = ticks();
        const std::uint32_t depth = enterBlock(frame, stackFrame, mark);
        costSample.begun(ticks() - before);
        return depth;
    }

    // Ends the region of that depth, after those within it that are still open. Ignored if another region has its place by now.
    void end(std::uint32_t depth, std::uintptr_t mark = 0) {
        if (!costSample.isDue()) return leave(depth, mark);
        const std::uint64_t before = ticks();
        leave(depth, mark);
        costSample.ended(ticks() - before);
    }

    // Ends regions from a depth on, each of which has no end of its own.
    void endFrom(std::uint32_t depth) {
        if (depth >= this->depth()) return;
        withoutEnd.add(1);
        end(depth);
    }

    // Ends all open regions, for a thread that no longer exists.
    void endAll() {
        while (depth() > 0) end(depth() - 1);
    }

    // Ends regions of functions that were called by the ending function with this frame.
    void endBelow(std::uintptr_t frame) {
        const std::uint32_t open = depth_.load(std::memory_order_relaxed);
        if (open > 0 && __builtin_expect(slot(open - 1).place.frame < frame, 0) && areOnStack(slot(open - 1).place.frame, frame))
            endLeftFrom(open - 1, frame);
    }

    // Ends the region of a function whose own frame is gone, since its last call was a jump: all regions below that call's frame are its
    // own and those of functions that it called. The outermost one is meant, as inner calls of it were left by a jump. False if there is
    // none, and where frames have no order.
    __attribute__((noinline)) bool endGone(FrameKey function, std::uintptr_t frame) {
        const std::uint32_t open = depth_.load(std::memory_order_relaxed);
        std::uint32_t found = open;
        for (std::uint32_t at = open; at > 0; --at) {
            const std::uintptr_t known = slot(at - 1).place.frame;
            if (known >= frame || !areOnStack(known, frame)) break;
            if (frameAt(at - 1) == function) found = at - 1;
        }
        if (found == open) return false;
        end(found);
        endBelow(frame);
        return true;
    }

    // Ends the regions of functions that have been left, though nothing has ended them, by who begins or ends a function there. The
    // stack grows downwards. Gives the depth.
    __attribute__((noinline)) std::uint32_t endLeft(StackPlace place) {
        // Limit of regions in one frame: inlined functions may add a few.
        constexpr std::uint32_t longest = 8;
        const std::uint32_t open = depth_.load(std::memory_order_relaxed);
        std::uint32_t first = open;
        for (std::uint32_t at = open; at > 0 && open - at < longest; --at) {
            const StackPlace& known = slot(at - 1).place;
            // A region may be one of the function.
            if (known.frame > place.frame || (known.returnsTo != 0 && place.returnsTo == 0)) break;
            if (known.frame < place.frame ? areOnStack(known.frame, place.frame) : place.hasReplaced(known)) first = at - 1;
        }
        return first == open ? open : endLeftFrom(first, place.frame);
    }

    // Ends the innermost region if it is of this frame; says whether it was.
    bool endInnermost(FrameKey frame) {
        const std::uint32_t open = depth_.load(std::memory_order_relaxed);
        if (open == 0 || !(frameAt(open - 1) == frame)) return false;
        end(open - 1);
        return true;
    }

    // Ends the innermost region that is of this frame, and those within it; nothing where none is.
    void endFrame(FrameKey frame) {
        endWhere([frame](FrameKey one) { return one == frame; });
    }

    // Ends the innermost region that a predicate of frames is true of, and those within it; says whether there was one.
    template <typename IsOf>
    bool endWhere(IsOf&& isOf) {
        for (std::uint32_t at = depth_.load(std::memory_order_relaxed); at > 0; --at) {
            if (!isOf(frameAt(at - 1))) continue;
            end(at - 1);
            return true;
        }
        return false;
    }

    // Of regions that are open, by their depth.
    FrameKey frameAt(std::uint32_t depth) const { return contexts[slot(depth).context.get()].frame.get(); }
    std::uint64_t beginAt(std::uint32_t depth) const { return slot(depth).begin.get(); }

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

    // Whether addresses are of the thread's own stack, where callers are above what they call.
    bool isOnStack(std::uintptr_t address) const noexcept { return stack_.has(address); }
    bool areOnStack(std::uintptr_t one, std::uintptr_t other) const noexcept { return isOnStack(one) && isOnStack(other); }

    std::uint32_t depth() const noexcept { return depth_.load(std::memory_order_acquire); }

    // Where the thread itself is.
    std::uint32_t innermost() const {
        const std::uint32_t open = depth_.load(std::memory_order_relaxed);
        return open == 0 ? ContextTree::thread : slot(open - 1).context.get();
    }

    // A message of the innermost region, at this moment. Its peer is a rank of all, its tag the program's.
    void message(EventKind kind, Movement movement) { events.push({now(), 0, innermost(), kind, movement}); }

protected:
    __attribute__((always_inline)) OpenRegion& slot(std::uint32_t at) const {
        OpenRegion* regions = open_[at / pieceSize].load(std::memory_order_acquire);
        if (__builtin_expect(regions == nullptr, 0)) regions = addPiece(at);
        return regions[at % pieceSize];
    }

    std::atomic<std::uint32_t> depth_{0};
    // Odd while a region begins or ends.
    std::atomic<std::uint64_t> changes_{0};

private:
    static constexpr std::uint32_t pieceSize = 256;

    // Whether a place is within the innermost region, which is the first of the same frame: so it is in blocks of one function.
    bool isNext(std::uint32_t depth, const StackPlace& place) const {
        const StackPlace& known = slot(depth - 1).place;
        return known.frame == place.frame && !place.hasReplaced(known) &&
               (depth == 1 || slot(depth - 2).place.frame > place.frame);
    }

    __attribute__((noinline, cold)) OpenRegion* addPiece(std::uint32_t at) const {
        OpenRegion* const regions = neededPages<OpenRegion>(pieceSize);
        open_[at / pieceSize].store(regions, std::memory_order_release);
        return regions;
    }

    __attribute__((always_inline)) std::uint32_t open(FrameKey frame, Movement movement, std::uint32_t calls, CallPlace call,
                                                      StackPlace place) {
        std::uint32_t depth = depth_.load(std::memory_order_relaxed);
        const OpenRegion* around = depth == 0 ? nullptr : &slot(depth - 1);
        // Of what a function calls the frames are below its own.
        if (around != nullptr && around->place.frame <= place.frame && !isNext(depth, place)) {
            depth = endLeft(place);
            around = depth == 0 ? nullptr : &slot(depth - 1);
        }
        if (depth == deepest) {
            tooDeep.add(1);
            return deepest;
        }
        OpenRegion& opened = slot(depth);
        opened.context.set(contexts.child(around == nullptr ? ContextTree::thread : around->context.get(), frame, call));
        opened.place.frame = place.frame != 0 ? place.frame : around == nullptr ? ~std::uintptr_t(0) : around->place.frame;
        opened.place.mark = place.mark;
        opened.place.returnsTo = place.returnsTo;
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

    // Before the clock is read: a thread that has to wait for a core after that has begun or ended its region at a time that is long gone
    // when others can see it.
    std::uint64_t beginChange() noexcept {
        std::uint64_t changes = changes_.load(std::memory_order_relaxed);
        if (changes % 2 != 0) {
            brokenOff.add(1);
            ++changes;
        }
        changes_.store(changes + 1, std::memory_order_relaxed);
        std::atomic_signal_fence(std::memory_order_seq_cst);
        return changes;
    }
    void endChange(std::uint64_t changes) noexcept { changes_.store(changes + 2, std::memory_order_release); }

    // The code of `begin`, `beginBlock` and `end` itself. Not inlined: what is sampled is what runs otherwise, and lies in the caches as
    // it does.
    __attribute__((noinline)) std::uint32_t enter(FrameKey frame, Movement movement, std::uint32_t calls, CallPlace call,
                                                  StackPlace place) {
        return open(frame, movement, calls, call, place);
    }
    __attribute__((noinline)) std::uint32_t enterBlock(FrameKey frame, std::uintptr_t stackFrame, std::uintptr_t mark) {
        return open(frame, noMovement, 1, {}, {stackFrame, mark, 0});
    }
    __attribute__((noinline)) void leave(std::uint32_t depth, std::uintptr_t mark) {
        const std::uint32_t open = depth_.load(std::memory_order_relaxed);
        if (depth >= open) return;
        const OpenRegion& region = slot(depth);
        if (mark != 0 && region.place.mark != mark) return;
        const std::uint64_t changes = beginChange();
        const std::uint64_t time = now();
        // Read in the same order as at the begin, so that what reading takes is in neither difference.
        const std::uint64_t ran = measuresWaiting_ ? threadTime() : 0;
        if (__builtin_expect(open - depth > 1, 0)) closeWithin(depth, open, time, ran);
        close(region, depth, time, ran);
        endChange(changes);
    }

    // Ends what is left of a frame below another one, and all from a depth on.
    __attribute__((noinline, cold)) std::uint32_t endLeftFrom(std::uint32_t depth, std::uintptr_t frame) {
        while (depth > 0 && slot(depth - 1).place.frame < frame && areOnStack(slot(depth - 1).place.frame, frame)) --depth;
        endFrom(depth);
        return depth;
    }

    std::uint32_t& skippedCount() noexcept {
        const std::uint32_t open = depth_.load(std::memory_order_relaxed);
        return open == 0 ? skippedOutside_ : slot(open - 1).skipped;
    }

    __attribute__((noinline, cold)) void closeWithin(std::uint32_t depth, std::uint32_t open, std::uint64_t time, std::uint64_t ran) {
        withoutEnd.add(open - depth - 1);
        while (--open > depth) close(slot(open), open, time, ran);
    }

    __attribute__((always_inline)) void close(const OpenRegion& ended, std::uint32_t at, std::uint64_t time, std::uint64_t ran) {
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
    const OwnStack stack_;
    // Bytes that this thread has allocated and not freed; negative where it frees what others have allocated.
    std::int64_t live_ = 0;
    std::atomic<OpenRegion*>* const open_;
    std::uint32_t skippedOutside_ = 0;
};

}  // namespace heatflow::detail

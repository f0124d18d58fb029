// The calling context tree of one thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "frames.hpp"
#include "pages.hpp"
#include "undisturbed.hpp"

namespace heatflow::detail {

// A number that one thread writes and any thread reads. On x86 both are ordinary; elsewhere what was written before is seen, too,
// which `openRegions` needs.
template <typename T>
class Published {
public:
    T get() const noexcept { return value_.load(std::memory_order_acquire); }
    void set(T value) noexcept { value_.store(value, std::memory_order_release); }
    void add(T value) noexcept { set(value_.load(std::memory_order_relaxed) + value); }

private:
    std::atomic<T> value_{T()};
};

// A path of frames from the thread's first one. Times are nanoseconds of regions that have ended.
struct Context {
    // Written by the thread alone, but for one case: the function's library is unloaded, so that the thread is not in it.
    Published<FrameKey> frame;
    std::uint32_t parent = 0;
    // The child that was entered last: the next one in most loops.
    std::uint32_t lastChild = 0;
    CallPlace call;
    Published<std::uint64_t> calls;
    Published<std::uint64_t> inclusive;
    Published<std::uint64_t> exclusive;
    // Of exclusive, what the thread was not running.
    Published<std::uint64_t> waiting;
    // Of the context alone, and the bytes that were asked for.
    Published<std::uint64_t> allocations;
    Published<std::uint64_t> allocated;
    // The most bytes that one call, with all within it, had allocated and not freed.
    Published<std::uint64_t> peak;
};

inline FrameKey frameIn(const Context& context) noexcept { return context.frame.get(); }

// Contexts by number, in pieces that never move, so that the writer reads them while the thread adds more. Context 0 is the
// thread itself, which has no frame and no time.
class ContextTree {
public:
    static constexpr std::uint32_t thread = 0;
    static constexpr std::uint32_t most = 1u << 20;
    // Beyond so many contexts, calls from several places are one: places multiply along a path.
    static constexpr std::uint32_t mostByPlace = 1u << 16;

    ContextTree() : pieces_(new std::atomic<Context*>[most / pieceSize]()), places_(neededPages<std::uint32_t>(manyPlaces_)) {
        add(FrameKey(), thread);
    }

    ContextTree(const ContextTree&) = delete;
    ContextTree& operator=(const ContextTree&) = delete;

    ~ContextTree() {
        for (std::uint32_t at = 0; at < most / pieceSize; ++at) freePages(pieces_[at].load(std::memory_order_relaxed), pieceSize);
        delete[] pieces_;
        freePages(places_, manyPlaces_);
    }

    std::uint32_t size() const noexcept { return size_.load(std::memory_order_acquire); }
    __attribute__((always_inline)) Context& operator[](std::uint32_t at) const noexcept {
        return pieces_[at / pieceSize].load(std::memory_order_relaxed)[at % pieceSize];
    }

    // The context of a frame within a context, made where there is none. Only the thread itself asks. Beyond `most` contexts it is
    // one that says so.
    std::uint32_t child(std::uint32_t parent, FrameKey frame, CallPlace call = {}) {
        Context& above = (*this)[parent];
        if (above.lastChild != 0 && isOf((*this)[above.lastChild], frame, call)) return above.lastChild;
        return above.lastChild = find(parent, frame, call);
    }

private:
    static constexpr std::uint32_t pieceSize = 256;

    // Of any place, where places are not told apart.
    static bool isOf(const Context& context, FrameKey frame, CallPlace call) noexcept {
        return context.frame.get() == frame && (context.call.returnsTo == call.returnsTo || context.call.returnsTo == 0);
    }

    // A function that calls itself from two places would have as many contexts as there are ways to a depth. Others stand between in
    // cycles, which are rarely long; the contexts that one finds no end of are bounded.
    bool isRecursive(std::uint32_t parent, FrameKey frame) const noexcept {
        constexpr int longest = 64;
        for (int steps = 0; parent != thread && steps < longest; ++steps, parent = (*this)[parent].parent)
            if ((*this)[parent].frame.get() == frame) return true;
        return false;
    }

    __attribute__((noinline)) std::uint32_t find(std::uint32_t parent, FrameKey frame, CallPlace call) {
        static const KnownSite beyond{"(more contexts than are kept)", "", 0};
        for (std::size_t place = hash(parent, frame);; ++place) {
            std::uint32_t& at = places_[place & (manyPlaces_ - 1)];
            if (at == 0) {
                if (size() == most) return overflow_;
                const Undisturbed whole;
                if (size() == most - 1) return overflow_ = add(FrameKey::of(beyond), thread);
                const bool isByPlace = call.returnsTo != 0 && size() < mostByPlace && !isRecursive(parent, frame);
                const std::uint32_t added = at = add(frame, parent, isByPlace ? call : CallPlace());
                if (std::size_t(added) * 2 > manyPlaces_) grow();
                return added;
            }
            if ((*this)[at].parent == parent && isOf((*this)[at], frame, call)) return at;
        }
    }

    std::uint32_t add(FrameKey frame, std::uint32_t parent, CallPlace call = {}) {
        const std::uint32_t at = size_.load(std::memory_order_relaxed);
        if (at % pieceSize == 0) pieces_[at / pieceSize].store(neededPages<Context>(pieceSize), std::memory_order_relaxed);
        Context& added = (*this)[at];
        added.frame.set(frame);
        added.parent = parent;
        added.call = call;
        size_.store(at + 1, std::memory_order_release);
        return at;
    }

    void grow() {
        freePages(places_, manyPlaces_);
        manyPlaces_ *= 2;
        places_ = neededPages<std::uint32_t>(manyPlaces_);
        for (std::uint32_t at = 1; at < size(); ++at) {
            std::size_t place = hash((*this)[at].parent, (*this)[at].frame.get());
            while (places_[place & (manyPlaces_ - 1)] != 0) ++place;
            places_[place & (manyPlaces_ - 1)] = at;
        }
    }

    // Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4).
    static std::size_t hash(std::uint32_t parent, FrameKey frame) noexcept {
        const std::uint64_t mixed = (frame.value() ^ std::uint64_t(parent) << 32) * 0x9E3779B97F4A7C15u;
        return std::size_t(mixed >> 32);
    }

    std::atomic<Context*>* const pieces_;
    std::atomic<std::uint32_t> size_{0};
    // Open addressing: numbers of contexts by parent and frame, 0 where there is none. Of the thread alone.
    std::size_t manyPlaces_ = 1024;
    std::uint32_t* places_;
    std::uint32_t overflow_ = 0;
};

}  // namespace heatflow::detail

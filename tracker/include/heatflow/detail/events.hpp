// Events of one thread on their way to the file.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "pages.hpp"
#include "undisturbed.hpp"

namespace heatflow::detail {

// What moved, where an event is a transfer or a message; -1: none. A tag without a peer is the number by which a device knows what
// the event has started there.
struct Movement {
    std::int64_t bytes;
    std::int32_t peer;
    std::int32_t tag;
};

inline constexpr Movement noMovement{-1, -1, -1};

// A message counts once where it is sent and once where it has arrived, each within the context that did it.
enum class EventKind : std::uint32_t { region, sent, received };

// A region that has ended, or a message; nanoseconds of `now()`.
struct Event {
    std::uint64_t begin;
    std::uint64_t duration;
    std::uint32_t context;
    EventKind kind;
    Movement movement;
};

// A queue of one writer and one reader, without locks: pieces in a chain, of which the reader gives back what it has read. What is
// in it is bounded; what finds no room is counted.
class EventQueue {
public:
    explicit EventQueue(std::size_t mostBytes) noexcept : mostPieces_(mostBytes / sizeof(Piece) + 1) {}

    EventQueue(const EventQueue&) = delete;
    EventQueue& operator=(const EventQueue&) = delete;

    ~EventQueue() {
        for (Piece* piece = reading_ ? reading_ : first_.load(std::memory_order_relaxed); piece != nullptr;) {
            Piece* next = piece->next.load(std::memory_order_relaxed);
            freePages(piece, 1);
            piece = next;
        }
        freePages(spare_.load(std::memory_order_relaxed), 1);
    }

    // Only the thread itself. With `mustFit` the bound does not count: for the few events that others refer to.
    bool push(const Event& event, bool mustFit = false) noexcept {
        if (writing_ == nullptr || used_ == Piece::capacity) {
            if (!mustFit && pieces_.load(std::memory_order_relaxed) >= mostPieces_) return drop();
            if (!extend()) return drop();
        }
        const std::uint32_t at = used_;
        writing_->events[at] = event;
        // Whole before it counts, should a signal's handler jump away.
        std::atomic_signal_fence(std::memory_order_release);
        used_ = at + 1;
        writing_->filled.store(at + 1, std::memory_order_release);
        return true;
    }

    // Hands over the events that are there, and few that come meanwhile: a thread may be faster than who reads. Only one reader.
    template <typename Take>
    void drain(Take&& take) {
        if (reading_ == nullptr) reading_ = first_.load(std::memory_order_acquire);
        for (std::size_t left = pieces_.load(std::memory_order_relaxed) + 1; reading_ != nullptr && left > 0; --left) {
            const std::uint32_t filled = reading_->filled.load(std::memory_order_acquire);
            for (; read_ < filled; ++read_) take(reading_->events[read_]);
            if (read_ < Piece::capacity) return;
            Piece* next = reading_->next.load(std::memory_order_acquire);
            if (next == nullptr) return;
            freePages(spare_.exchange(reading_, std::memory_order_acq_rel), 1);
            pieces_.fetch_sub(1, std::memory_order_relaxed);
            reading_ = next;
            read_ = 0;
        }
    }

    std::size_t pieces() const noexcept { return pieces_.load(std::memory_order_relaxed); }
    std::uint64_t dropped() const noexcept { return dropped_.load(std::memory_order_relaxed); }

private:
    struct Piece {
        static constexpr std::uint32_t capacity = 1600;  // 64 KB
        Event events[capacity];
        std::atomic<std::uint32_t> filled{0};
        std::atomic<Piece*> next{nullptr};
    };

    bool drop() noexcept {
        dropped_.store(dropped_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
        return false;
    }

    __attribute__((noinline)) bool extend() noexcept {
        const Undisturbed whole;
        Piece* piece = spare_.exchange(nullptr, std::memory_order_acq_rel);
        if (piece != nullptr) {
            piece->filled.store(0, std::memory_order_relaxed);
            piece->next.store(nullptr, std::memory_order_relaxed);
        } else {
            piece = newPages<Piece>(1);
            if (piece == nullptr) return false;
        }
        pieces_.fetch_add(1, std::memory_order_relaxed);
        if (writing_ == nullptr)
            first_.store(piece, std::memory_order_release);
        else
            writing_->next.store(piece, std::memory_order_release);
        writing_ = piece;
        used_ = 0;
        return true;
    }

    const std::size_t mostPieces_;
    std::atomic<std::size_t> pieces_{0};
    std::atomic<std::uint64_t> dropped_{0};
    // One piece that waits to be used again, so that a thread whose events are taken in time never allocates.
    std::atomic<Piece*> spare_{nullptr};
    // Of the thread.
    Piece* writing_ = nullptr;
    std::uint32_t used_ = 0;
    // Of the reader.
    std::atomic<Piece*> first_{nullptr};
    Piece* reading_ = nullptr;
    std::uint32_t read_ = 0;
};

}  // namespace heatflow::detail

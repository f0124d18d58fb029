// Threads that have ended.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "attributes.hpp"
#include "events.hpp"
#include "frames.hpp"
#include "recorded.hpp"
#include "sums.hpp"

namespace heatflow::detail {

// Numbers of events and regions that a thread did not record.
struct NotKept {
    static constexpr std::size_t all = 5, always = 3;
    static constexpr const char* names[all] = {"eventsDropped", "eventsTooShort", "regionsTooDeep", "regionsWithoutEnd", "regionsBrokenOff"};
    std::uint64_t values[all] = {};

    static NotKept of(const ThreadRecorder& thread) noexcept {
        return {{thread.events.dropped(), thread.tooShort.get(), thread.tooDeep.get(), thread.withoutEnd.get(), thread.brokenOff.get()}};
    }
    void add(const NotKept& soFar, const NotKept& before) noexcept {
        for (std::size_t at = 0; at < all; ++at) values[at] += soFar.values[at] - before.values[at];
    }
};

// A calling context of a thread that has ended.
struct EndedContext {
    FrameKey frame;
    std::uint32_t parent;
    CallPlace call;
    Sums sums;
    std::uint64_t peak;
};

inline FrameKey frameIn(const EndedContext& context) noexcept { return context.frame; }

// Recorded data of a short thread that has ended before any of it was written. It takes less memory than the thread's recorder, which is
// freed with the thread.
struct EndedThread {
    long number;
    std::string name;
    // Contexts by number; the first one is the thread itself.
    std::vector<EndedContext> contexts;
    std::vector<Event> events;
    NotKept notKept;
    std::vector<Attribute> attributes;

    // Whether copying takes no longer than starting the thread did.
    static bool isShort(const RecordedThread& thread) noexcept {
        return thread.contexts.size() <= mostContexts && thread.events.pieces() <= 1;
    }

    // Called by the thread itself, before the writer knows it.
    explicit EndedThread(RecordedThread& thread)
        : number(thread.number), name(thread.name()), notKept(NotKept::of(thread)), attributes(thread.attributes()) {
        contexts.reserve(thread.contexts.size());
        for (std::uint32_t at = 0; at < thread.contexts.size(); ++at) {
            const Context& one = thread.contexts[at];
            contexts.push_back({one.frame.get(), one.parent, one.call, Sums::of(one), one.peak.get()});
        }
        thread.events.drain([this](const Event& event) { events.push_back(event); });
        events.shrink_to_fit();
    }

    // Replaces the keys of functions.
    template <typename KeyOf>
    void rename(KeyOf&& keyOf) {
        for (EndedContext& one : contexts) one.frame = keyOf(one.frame);
        for (Attribute& one : attributes) one.frame = keyOf(one.frame);
    }

private:
    static constexpr std::uint32_t mostContexts = 256;
};

// A calling context in the table at the end of the file.
struct ContextRow {
    static constexpr std::uint32_t none = ~std::uint32_t(0);
    long thread;
    std::uint32_t number, parent, frame, call;
    Sums sums;
    std::uint64_t peak;
};

// Rows of ended threads, kept until the end of the recording. Each takes less than ten bytes: a difference to the previous row, with seven
// bits of a number per byte (LEB128, DWARF 5, 7.6).
class PackedRows {
public:
    // `sums` is the number of values of `row.sums` to keep.
    void add(const ContextRow& row, std::size_t sums, bool hasPeak) {
        const bool isNewThread = row.thread != last_.thread, isNext = row.number == last_.number + 1, hasCall = row.call != ContextRow::none;
        // A context has a higher number than its parent.
        const std::uint64_t above = row.parent == ContextRow::none ? 0 : row.number - row.parent;
        put(above << 3 | (isNewThread ? 1u : 0u) | (isNext ? 2u : 0u) | (hasCall ? 4u : 0u));
        if (isNewThread) put(std::uint64_t(row.thread));
        if (!isNext) put(row.number);
        put(row.frame);
        if (hasCall) put(row.call);
        for (std::size_t at = 0; at < sums; ++at)
            put(at == inclusive ? row.sums.inclusive() - row.sums.exclusive() : row.sums.values[at]);
        if (hasPeak) put(row.peak);
        last_ = row;
    }

    template <typename Take>
    void each(std::size_t sums, bool hasPeak, Take&& take) const {
        ContextRow row = first;
        for (std::size_t at = 0; at < bytes_.size();) {
            const std::uint64_t head = next(at);
            if (head & 1u) row.thread = long(next(at));
            row.number = head & 2u ? row.number + 1 : std::uint32_t(next(at));
            row.parent = head >> 3 == 0 ? ContextRow::none : row.number - std::uint32_t(head >> 3);
            row.frame = std::uint32_t(next(at));
            row.call = head & 4u ? std::uint32_t(next(at)) : ContextRow::none;
            for (std::size_t kind = 0; kind < sums; ++kind) row.sums.values[kind] = next(at);
            row.sums.values[inclusive] += row.sums.exclusive();
            row.peak = hasPeak ? next(at) : 0;
            take(row);
        }
    }

private:
    static constexpr std::size_t inclusive = 1;
    static constexpr ContextRow first{-1, ContextRow::none, 0, 0, 0, {}, 0};

    void put(std::uint64_t number) {
        for (; number >= 0x80; number >>= 7) bytes_.push_back(char(number | 0x80));
        bytes_.push_back(char(number));
    }

    std::uint64_t next(std::size_t& at) const noexcept {
        std::uint64_t number = 0;
        for (unsigned shift = 0; at < bytes_.size(); shift += 7) {
            const auto byte = static_cast<unsigned char>(bytes_[at++]);
            number |= std::uint64_t(byte & 0x7Fu) << shift;
            if (byte < 0x80) break;
        }
        return number;
    }

    ContextRow last_ = first;
    std::string bytes_;
};

}  // namespace heatflow::detail

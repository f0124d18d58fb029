// Regions that have begun while nothing was recorded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "thread.hpp"

namespace heatflow::detail {

// Regions of one thread that began while nothing was recorded. Their ends must not end recorded regions of the same name around them. Each
// is stored as the hash of its name, since the text may be freed, and the recorded region around it.
class SkippedRegions {
public:
    bool isEmpty() const noexcept { return many_ == 0; }

    void add(std::string_view name, const ThreadRecorder* thread) noexcept {
        leaveOut(thread);
        const std::uint32_t depth = depthOf(thread);
        const std::uint64_t around = thread == nullptr || depth == 0 ? 0 : thread->beginAt(depth - 1);
        if (many_ < most) known_[many_] = {hash(name), around, depth};
        ++many_;
    }

    // In a forked child: adds the regions that are open in the parent, since they do not belong to the child.
    void addOpen(const ThreadRecorder& thread) noexcept {
        for (std::uint32_t at = 0; at < thread.depth(); ++at) {
            const FrameKey frame = thread.frameAt(at);
            if (frame.isSite()) add(frame.site().name, nullptr);
        }
    }

    // Ends the innermost region of a name, recorded or not, and all regions within it. Returns false if no such region is open.
    template <typename IsOf>
    bool end(std::string_view name, ThreadRecorder* thread, IsOf&& isOf) {
        leaveOut(thread);
        // Beyond `most` regions only their number is known: the last one ends.
        if (many_ > most) return --many_, true;
        const std::uint64_t wanted = hash(name);
        std::uint32_t at = many_;
        for (std::uint32_t depth = depthOf(thread);; --depth) {
            for (; at > 0 && known_[at - 1].depth >= depth; --at) {
                if (known_[at - 1].name != wanted) continue;
                many_ = at - 1;
                if (thread != nullptr) thread->endFrom(depth);
                return true;
            }
            if (thread == nullptr || depth == 0) return false;
            if (!isOf(thread->frameAt(depth - 1))) continue;
            many_ = at;
            thread->end(depth - 1);
            return true;
        }
    }

    void clear() noexcept { many_ = 0; }

private:
    static constexpr std::uint32_t most = 32;

    struct One {
        std::uint64_t name;
        // Begin of the recorded region around it, and number of recorded regions around it.
        std::uint64_t around;
        std::uint32_t depth;
    };

    static std::uint32_t depthOf(const ThreadRecorder* thread) noexcept { return thread == nullptr ? 0 : thread->depth(); }

    // Removes skipped regions within recorded regions that have ended.
    void leaveOut(const ThreadRecorder* thread) noexcept {
        while (many_ > 0 && many_ <= most) {
            const One& last = known_[many_ - 1];
            if (last.depth == 0) return;
            if (thread != nullptr && last.depth <= thread->depth() && thread->beginAt(last.depth - 1) == last.around) return;
            --many_;
        }
    }

    // FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv).
    static std::uint64_t hash(std::string_view text) noexcept {
        std::uint64_t value = 14695981039346656037u;
        for (const char letter : text) value = (value ^ static_cast<unsigned char>(letter)) * 1099511628211u;
        return value;
    }

    std::uint32_t many_ = 0;
    One known_[most];
};

}  // namespace heatflow::detail

// What of a thread others ask for, and what it says rarely.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <sys/prctl.h>

#include "attributes.hpp"
#include "own.hpp"
#include "thread.hpp"
#include "undisturbed.hpp"

namespace heatflow::detail {

// A region that was open when it was looked at.
struct OpenSeen {
    std::uint32_t context;
    std::uint64_t begin;
    std::uint64_t children;
};

inline std::string textOf(double number) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.15g", number);
    return digits;
}

// A thread with its name and attributes. Lives until the thread has ended and the writer has read what it has left.
class RecordedThread : public ThreadRecorder {
public:
    using ThreadRecorder::ThreadRecorder;

    // Number in the file: the operating system's, or another one if an earlier thread had that number.
    long number = id;
    // Of the process's lock of its threads: whether the writer knows it, and whether it has ended.
    bool isTaken = false;
    bool hasEnded = false;

    // An attribute of the innermost region. Kept per region and key, not per call.
    void attribute(const char* key, const std::string& text, double value, bool isNumber) {
        const std::uint32_t open = depth_.load(std::memory_order_relaxed);
        if (open == 0) return;
        const FrameKey frame = contexts[slot(open - 1).context.get()].frame.get();
        const OwnMemory own;
        const Undisturbed whole;
        const std::lock_guard<std::mutex> lock(facts_);
        attributes_.add(frame, key, value, isNumber, text);
        haveChanged_ = true;
    }

    // Attributes that are new or changed since the last call.
    std::vector<Attribute> changedAttributes() {
        std::vector<Attribute> changed;
        const std::lock_guard<std::mutex> lock(facts_);
        if (!std::exchange(haveChanged_, false)) return changed;
        for (Attribute& one : attributes_.rows())
            if (std::exchange(one.isChanged, false)) changed.push_back(one);
        return changed;
    }

    // All of them. The thread itself may go on.
    std::vector<Attribute> attributes() const {
        const std::lock_guard<std::mutex> lock(facts_);
        return {attributes_.rows().begin(), attributes_.rows().end()};
    }

    // Functions that have another key from now on. The thread is in none of them.
    template <typename KeyOf>
    void rename(KeyOf&& keyOf) {
        for (std::uint32_t at = 1; at < contexts.size(); ++at) {
            const FrameKey key = contexts[at].frame.get(), renamed = keyOf(key);
            if (!(renamed == key)) contexts[at].frame.set(renamed);
        }
        const std::lock_guard<std::mutex> lock(facts_);
        attributes_.rename(keyOf);
    }

    // Whether the attributes can be locked. In a forked child they cannot, if the thread was setting one at the fork.
    bool isSettled() const {
        const std::unique_lock<std::mutex> lock(facts_, std::try_to_lock);
        return lock.owns_lock();
    }

    // A recording begins, which has nothing of the one before: neither attributes nor the most that a context had allocated.
    void forgetFacts() {
        for (std::uint32_t at = 1; at < contexts.size(); ++at) contexts[at].peak.set(0);
        const std::lock_guard<std::mutex> lock(facts_);
        attributes_.clear();
        haveChanged_ = false;
    }

    // As the operating system has it; of a thread that has ended, as it was then.
    std::string name() const {
        const std::lock_guard<std::mutex> lock(facts_);
        if (!lastName_.empty()) return lastName_;
        char path[64];
        std::snprintf(path, sizeof path, "/proc/self/task/%ld/comm", id);
        std::FILE* const file = std::fopen(path, "re");
        if (file == nullptr) return {};
        char text[32] = "";
        const bool isRead = std::fgets(text, sizeof text, file) != nullptr;
        std::fclose(file);
        return isRead ? std::string(text, std::strcspn(text, "\n")) : std::string();
    }

    // Called by the thread itself when it ends.
    void keepName() {
        const OwnMemory own;
        char last[16] = "";
        prctl(PR_GET_NAME, last);
        const std::lock_guard<std::mutex> lock(facts_);
        lastName_.assign(last, strnlen(last, sizeof last));
    }

    // The regions that are open, outermost first, as they were at one moment. Of a thread that would not stand still, the outer ones
    // that have been there from one look to the next.
    void openRegions(std::vector<OpenSeen>& seen) const {
        std::vector<OpenSeen> before;
        std::size_t same = 0;
        const auto look = [&] {
            before.swap(seen);
            seen.clear();
            const std::uint32_t depth = depth_.load(std::memory_order_acquire);
            for (std::uint32_t at = 0; at < depth; ++at) {
                const OpenRegion& region = slot(at);
                seen.push_back({region.context.get(), region.begin.get(), region.children.get()});
            }
            for (same = 0; same < std::min(seen.size(), before.size()); ++same)
                if (seen[same].begin != before[same].begin || seen[same].context != before[same].context) break;
        };
        for (int attempt = 0; attempt < 100; ++attempt)
            if (atOneMoment(look)) return;
        seen.resize(same);
    }

    // Whether an object ends a region that is open, should it live as long as the thread.
    bool isHeld() const {
        for (std::uint32_t at = 0; at < depth(); ++at)
            if (slot(at).place.mark != 0) return true;
        return false;
    }

    // Another number after each region that has begun or ended.
    std::uint64_t changes() const noexcept { return changes_.load(std::memory_order_acquire); }

    // Looks at regions and contexts; says whether none has begun or ended meanwhile.
    template <typename Look>
    bool atOneMoment(Look&& look) const {
        const std::uint64_t before = changes_.load(std::memory_order_acquire);
        look();
        return changes_.load(std::memory_order_relaxed) == before && before % 2 == 0;
    }

private:
    // Of what is rarely written and may be read at any time.
    mutable std::mutex facts_;
    std::string lastName_;
    Attributes attributes_;
    bool haveChanged_ = false;
};

}  // namespace heatflow::detail

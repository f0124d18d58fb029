// What a calling context consists of: regions that stand in the source, and addresses of functions.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <unordered_map>

#include "own.hpp"

namespace heatflow {

// Groups of work, in the words of the trace's categories.
enum class Category : std::uint8_t { computing, dataMovement, communication, runtime, io, idle };

// A region as it stands in the source. One per place, never freed: contexts point to it.
struct Site {
    const char* name;
    const char* file;
    int line;
    Category category = Category::computing;
    // Calls of which one is recorded.
    std::uint32_t every = 1;
};

namespace detail {

// A site, or the address of an instrumented function; no user address has its highest bit set, so that it fits beside the mark.
class FrameKey {
public:
    FrameKey() noexcept = default;
    static FrameKey of(const Site& site) noexcept { return FrameKey(reinterpret_cast<std::uintptr_t>(&site)); }
    static FrameKey at(const void* address) noexcept {
        return FrameKey(reinterpret_cast<std::uintptr_t>(address) << 1 | 1u);
    }

    bool isAddress() const noexcept { return value_ & 1u; }
    const Site& site() const noexcept { return *reinterpret_cast<const Site*>(value_); }
    std::uintptr_t address() const noexcept { return value_ >> 1; }
    std::uintptr_t value() const noexcept { return value_; }
    bool operator==(FrameKey other) const noexcept { return value_ == other.value_; }

private:
    explicit FrameKey(std::uintptr_t value) noexcept : value_(value) {}
    std::uintptr_t value_ = 0;
};

static_assert(alignof(Site) > 1, "the lowest bit of a site's address is the mark");

// Sites whose names are made while the program runs, such as `start_event(name)`: one per name and place.
class NamedSites {
public:
    // Waits for other threads that ask at the same time.
    const Site& find(const std::string& name, const char* file, int line, Category category) {
        const OwnMemory own;
        const std::string key = name + '\n' + file + ':' + std::to_string(line) + '\n' + char('0' + int(category));
        const std::lock_guard<std::mutex> lock(mutex_);
        const auto found = byKey_.find(key);
        if (found != byKey_.end()) return *found->second;
        texts_.push_back(name);
        const char* kept = texts_.back().c_str();
        texts_.push_back(file);
        sites_.push_back(Site{kept, texts_.back().c_str(), line, category, 1});
        byKey_.emplace(key, &sites_.back());
        return sites_.back();
    }

    std::mutex& mutex() noexcept { return mutex_; }

private:
    std::mutex mutex_;
    std::deque<std::string> texts_;
    std::deque<Site> sites_;
    std::unordered_map<std::string, const Site*> byKey_;
};

}  // namespace detail
}  // namespace heatflow

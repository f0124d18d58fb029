// Regions whose names are made while the program runs.
#pragma once

#include <deque>
#include <mutex>
#include <string>
#include <unordered_map>

#include "frames.hpp"
#include "own.hpp"

namespace heatflow::detail {

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

}  // namespace heatflow::detail

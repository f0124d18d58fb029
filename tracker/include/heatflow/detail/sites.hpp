// What the recorder knows of regions.
#pragma once

#include <deque>
#include <mutex>
#include <string>
#include <unordered_map>

#include "frames.hpp"
#include "own.hpp"
#include "undisturbed.hpp"

namespace heatflow::detail {

// Sites with texts of their own, one per content, never freed: those of the source, whose library may be unloaded, and those whose names are
// made while the program runs, such as `start_event(name)`.
class KnownSites {
public:
    // Waits for other threads that ask at the same time. The texts may go afterwards.
    const KnownSite& find(const KnownSite& site) {
        const OwnMemory own;
        const Undisturbed whole;
        const std::string key = std::string(site.name) + '\n' + site.file + ':' + std::to_string(site.line) + '\n' +
                                std::to_string(int(site.category)) + '/' + std::to_string(site.every);
        const std::lock_guard<std::mutex> lock(mutex_);
        const auto found = byKey_.find(key);
        if (found != byKey_.end()) return *found->second;
        texts_.emplace_back(site.name);
        const char* const name = texts_.back().c_str();
        texts_.emplace_back(site.file);
        sites_.push_back(KnownSite{name, texts_.back().c_str(), site.line, site.category, site.every});
        byKey_.emplace(key, &sites_.back());
        return sites_.back();
    }

    std::mutex& mutex() noexcept { return mutex_; }

private:
    std::mutex mutex_;
    std::deque<std::string> texts_;
    std::deque<KnownSite> sites_;
    std::unordered_map<std::string, const KnownSite*> byKey_;
};

}  // namespace heatflow::detail

// Counters that were asked for, their values, and those that can't be had.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fnmatch.h>

namespace heatflow::detail {

// Whether a value holds from its time on, has grown up to its time, or is of the time since the sample before.
enum class CounterKind { level, growing, ofPeriod };

struct Metric {
    // N stands for the core, the disk, the interface or the part of the machine that it is of.
    const char* name;
    // Empty where it is a count.
    const char* unit;
    CounterKind kind;
    // One of the 25.
    bool isBasic = false;
};

class CounterList {
public:
    static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

    struct Counter {
        // With its unit.
        std::string name;
        CounterKind kind;
        double value;
    };
    struct Missing {
        std::string metric;
        std::string why;
    };

    // `wanted`: names that may have * and ?, and the sets 25 and 100, separated by commas; 0 is nothing.
    explicit CounterList(const std::string& wanted) {
        for (std::size_t at = 0; at <= wanted.size();) {
            const std::size_t end = std::min(wanted.find(',', at), wanted.size());
            std::size_t first = at, last = end;
            while (first < last && wanted[first] == ' ') ++first;
            while (last > first && wanted[last - 1] == ' ') --last;
            const std::string word = wanted.substr(first, last - first);
            if (word == "25") hasBasic_ = true;
            else if (word == "100") hasAll_ = true;
            else if (!word.empty() && word != "0") patterns_.push_back({word, false});
            at = end + 1;
        }
    }

    // `of` is what N stands for.
    bool wants(const Metric& metric, std::string_view of = {}) {
        const bool isNamed = matches(metric.name) || (!of.empty() && matches(nameOf(metric, of)));
        return isNamed || hasAll_ || (hasBasic_ && metric.isBasic);
    }

    // The number of a counter; `none` where it is not wanted.
    std::size_t add(const Metric& metric, std::string_view of = {}) {
        if (!wants(metric, of)) return none;
        std::string name = nameOf(metric, of);
        if (*metric.unit != '\0') name += std::string(" (") + metric.unit + ")";
        counters_.push_back({std::move(name), metric.kind, std::numeric_limits<double>::quiet_NaN()});
        return counters_.size() - 1;
    }

    void lacks(const Metric& metric, const std::string& why) { missing_.push_back({metric.name, why}); }

    // Once all have been added: says of what was asked for and is nothing's name.
    void close() {
        for (const auto& [pattern, isFound] : patterns_)
            if (!isFound) missing_.push_back({pattern, "there is no metric of this name"});
    }

    void put(std::size_t counter, double value) {
        if (counter != none) counters_[counter].value = value;
    }
    void forget() {
        for (Counter& counter : counters_) counter.value = std::numeric_limits<double>::quiet_NaN();
    }

    const std::vector<Counter>& counters() const noexcept { return counters_; }
    const std::vector<Missing>& missing() const noexcept { return missing_; }

private:
    static std::string nameOf(const Metric& metric, std::string_view of) {
        std::string name = metric.name;
        if (!of.empty()) name.replace(name.find(" N") + 1, 1, of);
        return name;
    }

    bool matches(const std::string& name) {
        bool isMatched = false;
        for (auto& [pattern, isFound] : patterns_) {
            const bool isIt = fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
            isFound = isFound || isIt;
            isMatched = isMatched || isIt;
        }
        return isMatched;
    }

    std::vector<std::pair<std::string, bool>> patterns_;
    bool hasBasic_ = false;
    bool hasAll_ = false;
    std::vector<Counter> counters_;
    std::vector<Missing> missing_;
};

}  // namespace heatflow::detail

// Attributes of regions, such as the iteration.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "frames.hpp"

namespace heatflow::detail {

// Values of one attribute of a region: the range of numbers, or the last text.
struct Attribute {
    FrameKey frame;
    std::string key;
    std::uint64_t count;
    double least;
    double most;
    bool isNumber;
    std::string last;
    // Whether it has changed since it was last written.
    bool isChanged = true;
};

// Attributes by region and key, found in constant time.
class Attributes {
public:
    Attributes() = default;
    // A move keeps the keys valid: they are views into rows, which move along.
    Attributes(Attributes&&) = default;
    Attributes& operator=(Attributes&&) = default;
    Attributes(const Attributes&) = delete;
    Attributes& operator=(const Attributes&) = delete;

    // Adds one value, or the sums of several.
    void add(const Attribute& more) {
        const auto found = rowOf_.find({more.frame, more.key});
        if (found == rowOf_.end()) return append(more);
        Attribute& known = *found->second;
        known.count += more.count;
        known.least = std::min(known.least, more.least);
        known.most = std::max(known.most, more.most);
        known.isNumber = known.isNumber && more.isNumber;
        known.last = more.last;
        known.isChanged = true;
    }

    // Adds one value. Does not copy a key that is known.
    void add(FrameKey frame, std::string_view key, double number, bool isNumber, const std::string& text) {
        const auto found = rowOf_.find({frame, key});
        if (found == rowOf_.end()) return append({frame, std::string(key), 1, number, number, isNumber, text});
        Attribute& known = *found->second;
        ++known.count;
        known.least = std::min(known.least, number);
        known.most = std::max(known.most, number);
        known.isNumber = known.isNumber && isNumber;
        known.last = text;
        known.isChanged = true;
    }

    std::deque<Attribute>& rows() noexcept { return rows_; }
    const std::deque<Attribute>& rows() const noexcept { return rows_; }

    // Replaces the keys of frames.
    template <typename KeyOf>
    void rename(KeyOf&& keyOf) {
        rowOf_.clear();
        for (Attribute& row : rows_) {
            row.frame = keyOf(row.frame);
            rowOf_.emplace(Key{row.frame, row.key}, &row);
        }
    }

    void clear() {
        rowOf_.clear();
        rows_.clear();
    }

private:
    struct Key {
        FrameKey frame;
        std::string_view text;
        bool operator==(const Key& other) const noexcept { return frame == other.frame && text == other.text; }
    };
    struct Hash {
        std::size_t operator()(const Key& key) const noexcept {
            return std::hash<std::string_view>()(key.text) ^ std::size_t(key.frame.value() * 0x9E3779B97F4A7C15u);
        }
    };

    void append(const Attribute& one) {
        rows_.push_back(one);
        rowOf_.emplace(Key{one.frame, rows_.back().key}, &rows_.back());
    }

    // Elements never move, since `rowOf_` refers to them.
    std::deque<Attribute> rows_;
    std::unordered_map<Key, Attribute*, Hash> rowOf_;
};

}  // namespace heatflow::detail

// A table of what cost most, for who has only a terminal.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "contexts.hpp"
#include "facts.hpp"
#include "printable.hpp"
#include "sums.hpp"

namespace heatflow::detail {

// Per frame over all threads and contexts. Inclusive is that of outermost calls: recursion counts once.
class Report {
public:
    // Contexts of one thread with their sums, and the number of each frame.
    template <typename Contexts, typename NumberOf>
    void add(const Contexts& contexts, const std::vector<Sums>& sums, NumberOf&& numberOf) {
        for (std::uint32_t at = 1; at < sums.size(); ++at) {
            if (sums[at].calls() == 0) continue;
            const auto& context = contexts[at];
            Row& row = rowOf(numberOf(frameIn(context)));
            row.calls += sums[at].calls();
            row.exclusive += sums[at].exclusive();
            std::uint32_t above = context.parent;
            while (above != ContextTree::thread && !(frameIn(contexts[above]) == frameIn(context))) above = contexts[above].parent;
            if (above == ContextTree::thread) row.inclusive += sums[at].inclusive();
            all_ += sums[at].exclusive();
        }
        ++threads_;
    }

    void print(std::FILE* to, const std::vector<std::pair<FrameKey, FrameFacts>>& frames, const std::string& program,
               const std::string& path) const {
        std::vector<std::uint32_t> order;
        for (std::uint32_t at = 0; at < rows_.size(); ++at)
            if (rows_[at].calls > 0) order.push_back(at);
        std::sort(order.begin(), order.end(), [this](std::uint32_t a, std::uint32_t b) {
            return rows_[a].exclusive != rows_[b].exclusive ? rows_[a].exclusive > rows_[b].exclusive : a < b;
        });
        std::fprintf(to, "heatflow: %s, %.6f s in regions of %u thread%s; all of it is in %s\n", printable(program).c_str(),
                     double(all_) * 1e-9, threads_, threads_ == 1 ? "" : "s", printable(path).c_str());
        std::fprintf(to, "%14s %7s %14s %12s  %s\n", "exclusive (s)", "", "inclusive (s)", "calls", "region");
        for (std::size_t at = 0; at < order.size() && at < mostRows; ++at) {
            const Row& row = rows_[order[at]];
            const FrameFacts& facts = frames[order[at]].second;
            std::fprintf(to, "%14.6f %5.1f %% %14.6f %12llu  %s", double(row.exclusive) * 1e-9,
                         all_ > 0 ? 100 * double(row.exclusive) / double(all_) : 0, double(row.inclusive) * 1e-9,
                         static_cast<unsigned long long>(row.calls), printable(facts.name).c_str());
            if (facts.line > 0) std::fprintf(to, "  %s:%d", printable(facts.file).c_str(), facts.line);
            std::fprintf(to, "\n");
        }
        if (order.size() > mostRows) std::fprintf(to, "%zu more regions\n", order.size() - mostRows);
    }

private:
    static constexpr std::size_t mostRows = 30;

    struct Row {
        std::uint64_t calls = 0, inclusive = 0, exclusive = 0;
    };

    Row& rowOf(std::uint32_t frame) {
        if (frame >= rows_.size()) rows_.resize(frame + 1);
        return rows_[frame];
    }

    std::vector<Row> rows_;
    std::uint64_t all_ = 0;
    unsigned threads_ = 0;
};

}  // namespace heatflow::detail

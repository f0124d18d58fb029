// What the cores do: /proc/stat (proc(5)), and their frequencies.
#pragma once

#include <array>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "files.hpp"

namespace heatflow::detail {

class CoreCounters {
public:
    explicit CoreCounters(CounterList& list) : lines_("/proc/stat", ofLines, list), file_("/proc/stat") {
        // The first line is of all cores, the others are of one each.
        for (const char* line = next(file_.read()); line != nullptr; line = next(line)) cores_.emplace_back(line, list);
        for (const Kind& kind : kinds)
            for (const Metric* metric : {&kind.machine, &kind.core})
                if (cores_.empty() && metric->name != nullptr && list.wants(*metric)) list.lacks(*metric, file_.why());
    }

    void sample(CounterList& list) {
        lines_.sample(list);
        std::size_t at = 0;
        for (const char* line = next(file_.read()); line != nullptr && at < cores_.size(); line = next(line)) {
            // A core may be switched off, and on again.
            while (at < cores_.size() && !cores_[at].isOf(line)) ++at;
            if (at < cores_.size()) cores_[at++].sample(line, list);
        }
    }

private:
    struct Kind {
        // Which of a line's times: user, nice, system, idle, waiting for I/O, interrupts, soft interrupts, stolen.
        unsigned times;
        Metric machine;
        Metric core;
    };
    static constexpr CounterKind level = CounterKind::level, growing = CounterKind::growing, share = CounterKind::ofPeriod;

    static constexpr Kind kinds[] = {
        {0b11100111, {"machine CPU busy", "%", share, true}, {"core N busy", "%", share, true}},
        {0b00000011, {"machine CPU user", "%", share}, {"core N user", "%", share}},
        {0b00000100, {"machine CPU system", "%", share}, {"core N system", "%", share}},
        {0b00010000, {"machine CPU waiting for I/O", "%", share}, {"core N waiting for I/O", "%", share}},
        {0b10000000, {"machine CPU stolen", "%", share}, {"core N stolen", "%", share}},
        {0b00100000, {"machine CPU in interrupts", "%", share}, {nullptr, "", share}},
        {0b01000000, {"machine CPU in soft interrupts", "%", share}, {nullptr, "", share}},
    };

    static constexpr KeyedMetric ofLines[] = {
        {"intr ", 1, {"machine interrupts", "", growing}},
        {"ctxt ", 1, {"machine context switches", "", growing}},
        {"processes ", 1, {"machine processes started", "", growing}},
        {"procs_running ", 1, {"machine threads that run", "", level}},
        {"procs_blocked ", 1, {"machine threads that wait for I/O", "", level}},
    };

    static const char* next(const char* text) {
        const char* line = text == nullptr ? nullptr : std::strstr(text, "\ncpu");
        return line == nullptr ? nullptr : line + 1;
    }

    class Core {
    public:
        Core(const char* line, CounterList& list) : name_(line, std::strcspn(line, " ")) {
            for (std::size_t at = 0; at < counters_.size(); ++at) {
                const Metric& metric = name_ == "cpu" ? kinds[at].machine : kinds[at].core;
                counters_[at] = metric.name == nullptr ? CounterList::none : list.add(metric, name_.substr(3));
            }
        }

        bool isOf(const char* line) const { return name_.compare(0, name_.size(), line, std::strcspn(line, " ")) == 0; }

        void sample(const char* line, CounterList& list) {
            std::array<unsigned long long, 8> ticks{};
            line += name_.size();
            char* end = nullptr;
            for (unsigned long long& tick : ticks) {
                tick = std::strtoull(line, &end, 10);
                line = end;
            }
            // Idle times may go back by a tick.
            const auto grown = [&](std::size_t at) { return ticks[at] > before_[at] ? double(ticks[at] - before_[at]) : 0; };
            double all = 0;
            for (std::size_t at = 0; at < ticks.size(); ++at) all += grown(at);
            for (std::size_t kind = 0; hasBefore_ && all > 0 && kind < counters_.size(); ++kind) {
                double of = 0;
                for (std::size_t at = 0; at < ticks.size(); ++at)
                    if (kinds[kind].times >> at & 1u) of += grown(at);
                list.put(counters_[kind], 100 * of / all);
            }
            before_ = ticks;
            hasBefore_ = true;
        }

    private:
        std::string name_;
        std::array<std::size_t, std::size(kinds)> counters_{};
        std::array<unsigned long long, 8> before_{};
        bool hasBefore_ = false;
    };

    KeyedFile lines_;
    SystemFile file_;
    std::vector<Core> cores_;
};

// As the kernel last set or saw them.
class FrequencyCounters {
public:
    explicit FrequencyCounters(CounterList& list) {
        static constexpr Metric metric{"core N frequency", "Hz", CounterKind::level};
        const long cores = sysconf(_SC_NPROCESSORS_CONF);
        bool isMissing = false;
        for (long core = 0; core < cores; ++core) {
            const std::string number = std::to_string(core);
            if (!list.wants(metric, number)) continue;
            SystemFile file("/sys/devices/system/cpu/cpu" + number + "/cpufreq/scaling_cur_freq");
            if (file.read() != nullptr) files_.emplace_back(std::move(file), list.add(metric, number));
            else if (!std::exchange(isMissing, true)) list.lacks(metric, file.why());
        }
    }

    void sample(CounterList& list) {
        for (auto& [file, counter] : files_)
            if (const char* text = file.read()) list.put(counter, numberAt(text) * 1000);
    }

private:
    std::vector<std::pair<SystemFile, std::size_t>> files_;
};

}  // namespace heatflow::detail

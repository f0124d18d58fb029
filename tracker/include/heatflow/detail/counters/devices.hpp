// What network interfaces and disks of the machine have moved.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

#include "files.hpp"

namespace heatflow::detail {

// A column of a table that has a line per device.
struct DeviceMetric {
    std::size_t column;
    double scale;
    Metric metric;
};

// A table with a line per device, of which some columns are counters: of one device where the metric's name has an N, else the sum.
class DeviceTable {
public:
    // `isCounted` says of a name whether it is a device, and none that stands for others.
    template <std::size_t size, typename IsCounted>
    DeviceTable(const char* path, const DeviceMetric (&metrics)[size], IsCounted isCounted, CounterList& list) : file_(path) {
        std::vector<std::string> names;
        const char* text = file_.read();
        for (Line line(text); line.isThere(); line = line.next())
            if (isCounted(line.name())) names.emplace_back(line.name());
        for (const DeviceMetric& one : metrics) {
            const bool isOfEach = std::strstr(one.metric.name, " N ") != nullptr;
            if (names.empty() && list.wants(one.metric)) list.lacks(one.metric, text == nullptr ? file_.why() : "there is none");
            if (!names.empty() && !isOfEach) keep(list.add(one.metric), one, {});
            for (const std::string& name : names)
                if (isOfEach) keep(list.add(one.metric, name), one, name);
        }
        if (!kept_.empty()) names_ = std::move(names);
    }

    void sample(CounterList& list) {
        if (kept_.empty()) return;
        for (Kept& one : kept_) one.sum = 0;
        for (Line line(file_.read()); line.isThere(); line = line.next()) {
            const std::string_view name = line.name();
            if (std::find(names_.begin(), names_.end(), name) == names_.end()) continue;
            const auto numbers = line.numbers();
            for (Kept& one : kept_)
                if (one.device.empty() || one.device == name) one.sum += numbers[one.column] * one.scale;
        }
        for (const Kept& one : kept_) list.put(one.counter, one.sum);
    }

private:
    // Of /proc/net/dev (`  eth0: 1 2 …`) or /proc/diskstats (`254 0 vda 1 2 …`).
    class Line {
    public:
        explicit Line(const char* text) : text_(text == nullptr ? nullptr : text + 1) { split(); }
        bool isThere() const noexcept { return text_ != nullptr && *text_ != '\0'; }
        std::string_view name() const noexcept { return name_; }
        Line next() const { return Line(std::strchr(text_, '\n')); }

        std::array<double, 16> numbers() const {
            std::array<double, 16> numbers{};
            const char* at = after_;
            for (double& number : numbers) {
                at += std::strspn(at, " ");
                if (*at < '0' || *at > '9') break;
                char* end = nullptr;
                number = double(std::strtoull(at, &end, 10));
                at = end;
            }
            return numbers;
        }

    private:
        // The name is the first word that begins with no digit; a header's words have no numbers behind them.
        void split() {
            if (!isThere()) return;
            const char* at = text_;
            for (at += std::strspn(at, " "); *at >= '0' && *at <= '9'; at += std::strspn(at, " ")) at += std::strcspn(at, " \n");
            const std::size_t length = std::strcspn(at, ": \n");
            name_ = {at, length};
            after_ = at + length + (at[length] == ':');
        }

        const char* text_;
        const char* after_ = "";
        std::string_view name_;
    };

    struct Kept {
        std::size_t counter;
        std::size_t column;
        double scale;
        std::string device;
        double sum;
    };

    void keep(std::size_t counter, const DeviceMetric& of, const std::string& device) {
        if (counter != CounterList::none) kept_.push_back({counter, of.column, of.scale, device, 0});
    }

    SystemFile file_;
    std::vector<std::string> names_;
    std::vector<Kept> kept_;
};

class DeviceCounters {
public:
    explicit DeviceCounters(CounterList& list)
        : network_("/proc/net/dev", ofNetwork, isInterface, list), disks_("/proc/diskstats", ofDisks, isDisk, list) {}

    void sample(CounterList& list) {
        network_.sample(list);
        disks_.sample(list);
    }

private:
    // Bridges, tunnels and mapped disks move what the devices below them move, too.
    static bool isInterface(std::string_view name) { return isThere("/sys/class/net/", name, "/device"); }
    static bool isDisk(std::string_view name) { return isThere("/sys/block/", name, "/device"); }
    static bool isThere(const char* folder, std::string_view name, const char* file) {
        return access((folder + std::string(name) + file).c_str(), F_OK) == 0;
    }

    static constexpr CounterKind growing = CounterKind::growing;

    static constexpr DeviceMetric ofNetwork[] = {
        {0, 1, {"network received", "bytes", growing, true}}, {8, 1, {"network sent", "bytes", growing, true}},
        {1, 1, {"network packets received", "", growing}},    {9, 1, {"network packets sent", "", growing}},
        {3, 1, {"network packets dropped", "", growing}},     {0, 1, {"network N received", "bytes", growing}},
        {8, 1, {"network N sent", "bytes", growing}},
    };

    // Of 512 bytes each, whatever the disk's own sectors are (kernel documentation, iostats).
    static constexpr DeviceMetric ofDisks[] = {
        {2, 512, {"disk read", "bytes", growing, true}}, {6, 512, {"disk written", "bytes", growing, true}},
        {0, 1, {"disk reads", "", growing}},             {4, 1, {"disk writes", "", growing}},
        {2, 512, {"disk N read", "bytes", growing}},     {6, 512, {"disk N written", "bytes", growing}},
        {9, 0.001, {"disk N busy", "s", growing}},
    };

    DeviceTable network_;
    DeviceTable disks_;
};

}  // namespace heatflow::detail

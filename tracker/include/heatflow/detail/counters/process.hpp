// What the system says of this process.
#pragma once

#include <array>
#include <cstddef>

#include <sys/resource.h>

#include "files.hpp"

namespace heatflow::detail {

class ProcessCounters {
public:
    explicit ProcessCounters(CounterList& list)
        : status_("/proc/self/status", ofStatus, list), inputOutput_("/proc/self/io", ofInputOutput, list),
          // Nanoseconds running, then nanoseconds that it would have run.
          waiting_("/proc/self/schedstat", " ", 1,
                   {"main thread waiting for a core", "%", CounterKind::ofPeriod}, list) {
        for (std::size_t at = 0; at < usage_.size(); ++at) usage_[at] = list.add(ofUsage[at]);
    }

    void sample(CounterList& list, double periodNanoseconds) {
        sampleUsage(list, periodNanoseconds);
        status_.sample(list);
        inputOutput_.sample(list);
        waiting_.sample(list, periodNanoseconds);
    }

private:
    static constexpr CounterKind level = CounterKind::level, growing = CounterKind::growing;

    static constexpr Metric ofUsage[] = {
        {"process CPU user", "%", CounterKind::ofPeriod, true},
        {"process CPU system", "%", CounterKind::ofPeriod, true},
        {"minor page faults", "", growing, true},
        {"major page faults", "", growing, true},
        {"voluntary context switches", "", growing, true},
        {"involuntary context switches", "", growing, true},
    };

    static constexpr KeyedMetric ofStatus[] = {
        {"Threads:", 1, {"threads", "", level, true}},
        {"VmRSS:", 1024, {"resident memory", "bytes", level, true}},
        {"VmHWM:", 1024, {"peak resident memory", "bytes", level, true}},
        {"VmSize:", 1024, {"virtual memory", "bytes", level, true}},
        {"VmPeak:", 1024, {"peak virtual memory", "bytes", level}},
        {"RssAnon:", 1024, {"anonymous memory", "bytes", level}},
        {"RssFile:", 1024, {"memory of files", "bytes", level}},
        {"RssShmem:", 1024, {"shared memory", "bytes", level}},
        {"VmData:", 1024, {"data memory", "bytes", level}},
        {"VmStk:", 1024, {"stack memory", "bytes", level}},
        {"VmExe:", 1024, {"code memory", "bytes", level}},
        {"VmLib:", 1024, {"library memory", "bytes", level}},
        {"VmPTE:", 1024, {"page table memory", "bytes", level}},
        {"VmSwap:", 1024, {"swapped memory", "bytes", level}},
        {"HugetlbPages:", 1024, {"memory of huge pages", "bytes", level}},
    };

    static constexpr KeyedMetric ofInputOutput[] = {
        {"rchar:", 1, {"read", "bytes", growing, true}},
        {"wchar:", 1, {"written", "bytes", growing, true}},
        {"read_bytes:", 1, {"read from disks", "bytes", growing, true}},
        {"write_bytes:", 1, {"written to disks", "bytes", growing, true}},
        {"syscr:", 1, {"calls of read", "", growing}},
        {"syscw:", 1, {"calls of write", "", growing}},
    };

    void sampleUsage(CounterList& list, double periodNanoseconds) {
        rusage usage{};
        if (getrusage(RUSAGE_SELF, &usage) != 0) return;
        const auto nanoseconds = [](const timeval& time) { return double(time.tv_sec) * 1e9 + double(time.tv_usec) * 1e3; };
        list.put(usage_[0], user_.of(nanoseconds(usage.ru_utime), periodNanoseconds));
        list.put(usage_[1], system_.of(nanoseconds(usage.ru_stime), periodNanoseconds));
        list.put(usage_[2], double(usage.ru_minflt));
        list.put(usage_[3], double(usage.ru_majflt));
        list.put(usage_[4], double(usage.ru_nvcsw));
        list.put(usage_[5], double(usage.ru_nivcsw));
    }

    std::array<std::size_t, std::size(ofUsage)> usage_{};
    Share user_, system_;
    KeyedFile status_;
    KeyedFile inputOutput_;
    ShareFile waiting_;
};

}  // namespace heatflow::detail

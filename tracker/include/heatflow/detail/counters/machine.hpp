// Memory of the machine, and how long its work stood still for want of something.
#pragma once

#include "files.hpp"

namespace heatflow::detail {

class MachineCounters {
public:
    explicit MachineCounters(CounterList& list)
        : memory_("/proc/meminfo", ofMemory, list), pages_("/proc/vmstat", ofPages, list),
          // Microseconds in which some thread waited.
          cores_("/proc/pressure/cpu", "total=", 1000, {"machine waiting for a core", "%", share}, list),
          forMemory_("/proc/pressure/memory", "total=", 1000, {"machine waiting for memory", "%", share}, list),
          inputOutput_("/proc/pressure/io", "total=", 1000, {"machine waiting for I/O", "%", share}, list) {}

    void sample(CounterList& list, double periodNanoseconds) {
        memory_.sample(list);
        pages_.sample(list);
        for (ShareFile* pressure : {&cores_, &forMemory_, &inputOutput_}) pressure->sample(list, periodNanoseconds);
    }

private:
    static constexpr CounterKind level = CounterKind::level, growing = CounterKind::growing, share = CounterKind::ofPeriod;

    static constexpr KeyedMetric ofMemory[] = {
        {"MemAvailable:", 1024, {"machine memory available", "bytes", level, true}},
        {"SwapFree:", 1024, {"machine swap free", "bytes", level, true}},
        {"MemFree:", 1024, {"machine memory free", "bytes", level}},
        {"Buffers:", 1024, {"machine memory of buffers", "bytes", level}},
        {"Cached:", 1024, {"machine memory of cached files", "bytes", level}},
        {"Active:", 1024, {"machine memory active", "bytes", level}},
        {"Inactive:", 1024, {"machine memory inactive", "bytes", level}},
        {"Dirty:", 1024, {"machine memory to be written", "bytes", level}},
        {"Writeback:", 1024, {"machine memory being written", "bytes", level}},
        {"AnonPages:", 1024, {"machine memory anonymous", "bytes", level}},
        {"Mapped:", 1024, {"machine memory mapped", "bytes", level}},
        {"Shmem:", 1024, {"machine memory shared", "bytes", level}},
        {"Slab:", 1024, {"machine memory of the kernel", "bytes", level}},
        {"KernelStack:", 1024, {"machine memory of kernel stacks", "bytes", level}},
        {"PageTables:", 1024, {"machine memory of page tables", "bytes", level}},
        {"Committed_AS:", 1024, {"machine memory promised", "bytes", level}},
        {"AnonHugePages:", 1024, {"machine memory of huge pages", "bytes", level}},
    };

    static constexpr KeyedMetric ofPages[] = {
        {"pgfault ", 1, {"machine page faults", "", growing}},
        {"pgmajfault ", 1, {"machine major page faults", "", growing}},
        {"pswpin ", 1, {"machine pages swapped in", "", growing}},
        {"pswpout ", 1, {"machine pages swapped out", "", growing}},
        {"numa_hit ", 1, {"machine pages on the wanted node", "", growing}},
        {"numa_miss ", 1, {"machine pages on another node", "", growing}},
    };

    KeyedFile memory_;
    KeyedFile pages_;
    ShareFile cores_, forMemory_, inputOutput_;
};

}  // namespace heatflow::detail

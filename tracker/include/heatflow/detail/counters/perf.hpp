// What the processor counts of this process while the program's own code runs, not the kernel's (perf_event_open(2)).
#pragma once

#include <dirent.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "files.hpp"

#if __has_include(<linux/perf_event.h>)
#include <linux/perf_event.h>
#include <linux/version.h>

namespace heatflow::detail {

class PerfCounters {
public:
    // Of all threads that there are, and those that they start.
    explicit PerfCounters(CounterList& list) {
        for (const Kind& kind : kinds) {
            if (!list.wants(kind.metric)) continue;
            Event event{0, kind.scale, {}, 0};
            int error = 0;
            for (const pid_t thread : threads()) {
                const int file = open(kind, thread);
                if (file >= 0) event.threads.push_back(Thread(file));
                // A thread may have ended meanwhile.
                else if (errno != ESRCH) error = errno;
            }
            if (event.threads.empty()) {
                list.lacks(kind.metric, whyNot(error));
                continue;
            }
            event.counter = list.add(kind.metric);
            events_.push_back(std::move(event));
        }
    }
    PerfCounters(const PerfCounters&) = delete;
    PerfCounters& operator=(const PerfCounters&) = delete;
    ~PerfCounters() {
        for (const Event& event : events_)
            for (const Thread& thread : event.threads)
                if (thread.isOpen()) ::close(thread.file);
    }

    void sample(CounterList& list) {
        for (Event& event : events_) {
            const auto isOpen = [](const Thread& thread) { return thread.isOpen(); };
            // A sum that lacks a thread would seem to stand still.
            if (!std::all_of(event.threads.begin(), event.threads.end(), isOpen)) continue;
            for (Thread& thread : event.threads) event.sum += grown(thread);
            list.put(event.counter, event.sum * event.scale);
        }
    }

private:
    struct Kind {
        std::uint32_t type;
        std::uint64_t config;
        double scale;
        Metric metric;
    };
    // An event of one thread and those it has started, as it was last read; times in nanoseconds.
    struct Thread {
        explicit Thread(int opened) noexcept : file(opened), number(numberOf(opened)) {}
        // The program may have closed it, and opened something else under its number: reading that would take from the program.
        bool isOpen() const noexcept { return number != none && numberOf(file) == number; }

        int file;
        // The kernel's own of the event, which no other file has.
        std::uint64_t number;
        std::uint64_t count = 0, wanted = 0, counted = 0;
    };
    struct Event {
        std::size_t counter;
        double scale;
        std::vector<Thread> threads;
        double sum;
    };

    static constexpr std::uint64_t none = ~std::uint64_t(0);
    static std::uint64_t numberOf(int file) noexcept {
        std::uint64_t number = 0;
        return ioctl(file, PERF_EVENT_IOC_ID, &number) == 0 ? number : none;
    }

    static constexpr CounterKind growing = CounterKind::growing;
    static constexpr Kind kinds[] = {
        {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 1, {"cycles", "", growing}},
        {PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, 1, {"instructions", "", growing}},
        {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES, 1, {"cache references", "", growing}},
        {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES, 1, {"cache misses", "", growing}},
        {PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 1, {"branches", "", growing}},
        {PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, 1, {"branch misses", "", growing}},
        {PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, 1, {"cycles stalled for instructions", "", growing}},
        {PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND, 1, {"cycles stalled for data", "", growing}},
        {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, 1e-9, {"task clock", "s", growing}},
        {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS, 1, {"moves to another core", "", growing}},
    };

    // What has been counted since the last time. Where the processor has fewer counters than were asked for, they take turns, and
    // what was counted stands for the whole time.
    static double grown(Thread& thread) {
        std::uint64_t values[3];
        if (::read(thread.file, values, sizeof values) != sizeof values) return 0;
        const double counted = double(values[2] - thread.counted);
        const double grown = double(values[0] - thread.count) * (counted > 0 ? double(values[1] - thread.wanted) / counted : 0);
        if (counted > 0) {
            thread.count = values[0];
            thread.wanted = values[1];
            thread.counted = values[2];
        }
        return grown;
    }

    static int open(const Kind& kind, pid_t thread) {
        perf_event_attr wanted;
        std::memset(&wanted, 0, sizeof wanted);
        wanted.size = sizeof wanted;
        wanted.type = kind.type;
        wanted.config = kind.config;
        wanted.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
        // Moves between cores are the kernel's own doing, and there is no other side of them.
        wanted.exclude_kernel = kind.config != PERF_COUNT_SW_CPU_MIGRATIONS || kind.type != PERF_TYPE_SOFTWARE;
        wanted.exclude_hv = 1;
        wanted.inherit = 1;
#if LINUX_VERSION_CODE >= 0x050D00
        // Not of processes that are forked: they have recordings of their own. Older kernels know no such thing.
        wanted.inherit_thread = 1;
        const long file = syscall(SYS_perf_event_open, &wanted, thread, -1, -1, PERF_FLAG_FD_CLOEXEC);
        if (file >= 0 || (errno != EINVAL && errno != E2BIG)) return int(file);
        wanted.inherit_thread = 0;
#endif
        return int(syscall(SYS_perf_event_open, &wanted, thread, -1, -1, PERF_FLAG_FD_CLOEXEC));
    }

    static std::vector<pid_t> threads() {
        std::vector<pid_t> found;
        const std::unique_ptr<DIR, int (*)(DIR*)> open(opendir("/proc/self/task"), [](DIR* one) { return closedir(one); });
        while (const dirent* entry = open ? readdir(open.get()) : nullptr)
            if (*entry->d_name != '.') found.push_back(pid_t(std::atol(entry->d_name)));
        return found;
    }

    static std::string whyNot(int error) {
        if (error == EACCES || error == EPERM) {
            SystemFile setting("/proc/sys/kernel/perf_event_paranoid");
            const char* text = setting.read();
            if (text == nullptr) return "not readable by this user";
            return "not readable by this user (kernel.perf_event_paranoid is " + std::to_string(std::atoi(text + 1)) +
                   ", and may be 2 at most)";
        }
        return error == ENOENT || error == ENODEV || error == EOPNOTSUPP ? "this processor, or its virtual machine, does not tell"
                                                                         : "this system does not tell";
    }

    std::vector<Event> events_;
};

}  // namespace heatflow::detail

#else

namespace heatflow::detail {

class PerfCounters {
public:
    explicit PerfCounters(CounterList& list) {
        static constexpr Metric metric{"cycles", "", CounterKind::growing};
        if (list.wants(metric)) list.lacks(metric, "compiled without the kernel's headers");
    }
    void sample(CounterList&) {}
};

}  // namespace heatflow::detail

#endif

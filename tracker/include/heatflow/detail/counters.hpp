// Counters of the process and the machine, read from /proc at each sample.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "clock.hpp"

namespace heatflow::detail {

// A file of /proc that is read again and again from its beginning.
class ProcFile {
public:
    explicit ProcFile(const char* path) : file_(::open(path, O_RDONLY | O_CLOEXEC)) {}
    ProcFile(const ProcFile&) = delete;
    ProcFile& operator=(const ProcFile&) = delete;
    ~ProcFile() {
        if (file_ >= 0) ::close(file_);
    }

    // What it says now; empty where the system does not tell.
    const char* read() {
        text_.resize(1u << 16);
        const ssize_t length = file_ < 0 ? -1 : pread(file_, &text_[0], text_.size() - 1, 0);
        text_[length > 0 ? std::size_t(length) : 0] = '\0';
        return text_.c_str();
    }

private:
    int file_;
    std::string text_;
};

// Named values that `sample` takes. A value that can't be read is left out, and named in `missing`.
class Counters {
public:
    struct Value {
        std::string name;
        double value;
    };

    // Values since the last sample, or as they are now; in the units that their names bear.
    const std::vector<Value>& sample() {
        values_.clear();
        const std::uint64_t time = now();
        takeUsage(double(time - last_) * 1e-9);
        takeMemory();
        takeCores();
        takeInputOutput();
        last_ = time;
        return values_;
    }

private:
    void put(std::string name, double value) { values_.push_back({std::move(name), value}); }

    void takeUsage(double seconds) {
        rusage usage{};
        if (getrusage(RUSAGE_SELF, &usage) != 0) return;
        const auto secondsOf = [](const timeval& time) { return double(time.tv_sec) + double(time.tv_usec) * 1e-6; };
        const double user = secondsOf(usage.ru_utime), system = secondsOf(usage.ru_stime);
        if (last_ != 0 && seconds > 0) {
            put("process CPU, user (%)", 100 * (user - user_) / seconds);
            put("process CPU, system (%)", 100 * (system - system_) / seconds);
        }
        user_ = user;
        system_ = system;
        put("page faults, minor", double(usage.ru_minflt));
        put("page faults, major", double(usage.ru_majflt));
        put("context switches, voluntary", double(usage.ru_nvcsw));
        put("context switches, involuntary", double(usage.ru_nivcsw));
        put("resident memory, peak (bytes)", double(usage.ru_maxrss) * 1024);
    }

    void takeMemory() {
        unsigned long long size = 0, resident = 0;
        if (std::sscanf(memory_.read(), "%llu %llu", &size, &resident) != 2) return;
        const double page = double(sysconf(_SC_PAGESIZE));
        put("virtual memory (bytes)", double(size) * page);
        put("resident memory (bytes)", double(resident) * page);
    }

    // Per core: what was not idle of the time since the last sample (proc(5), /proc/stat).
    void takeCores() {
        const char* line = cores_.read();
        for (std::size_t core = 0; line != nullptr; line = std::strchr(line, '\n')) {
            line += *line == '\n';
            unsigned number = 0;
            unsigned long long ticks[8] = {};
            if (std::sscanf(line, "cpu%u %llu %llu %llu %llu %llu %llu %llu %llu", &number, &ticks[0], &ticks[1], &ticks[2],
                            &ticks[3], &ticks[4], &ticks[5], &ticks[6], &ticks[7]) != 9)
                continue;
            const unsigned long long idle = ticks[3] + ticks[4];
            unsigned long long all = 0;
            for (const unsigned long long tick : ticks) all += tick;
            if (core == ticks_.size()) ticks_.push_back({0, 0});
            auto& [allBefore, idleBefore] = ticks_[core++];
            if (allBefore != 0 && all > allBefore && idle >= idleBefore)
                put("core " + std::to_string(number) + " busy (%)",
                    100 * (1 - double(idle - idleBefore) / double(all - allBefore)));
            allBefore = all;
            idleBefore = idle;
        }
    }

    void takeInputOutput() {
        const char* text = inputOutput_.read();
        for (const auto& [key, name] : {std::pair{"rchar: ", "read (bytes)"}, std::pair{"wchar: ", "written (bytes)"}}) {
            const char* found = std::strstr(text, key);
            unsigned long long bytes = 0;
            if (found != nullptr && std::sscanf(found + std::strlen(key), "%llu", &bytes) == 1) put(name, double(bytes));
        }
    }

    struct Ticks {
        unsigned long long all;
        unsigned long long idle;
    };

    ProcFile memory_{"/proc/self/statm"};
    ProcFile cores_{"/proc/stat"};
    ProcFile inputOutput_{"/proc/self/io"};
    std::vector<Value> values_;
    std::vector<Ticks> ticks_;
    std::uint64_t last_ = 0;
    double user_ = 0;
    double system_ = 0;
};

}  // namespace heatflow::detail

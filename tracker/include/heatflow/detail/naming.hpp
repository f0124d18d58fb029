// Existing files with the intended name of a recording.
#pragma once

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <string_view>

#include "clock.hpp"
#include "json.hpp"

namespace heatflow::detail {

// Facts of a running process from /proc.
struct ProcessFacts {
    long parent = 0;
    // Clock ticks from the machine's boot to the start of the process; 0 if there is no such process. Together with its number, it
    // identifies the process. exec keeps both.
    std::uint64_t started = 0;

    static ProcessFacts of(long process) {
        char path[64], text[1024];
        std::snprintf(path, sizeof path, "/proc/%ld/stat", process);
        const int file = ::open(path, O_RDONLY | O_CLOEXEC);
        if (file < 0) return {};
        const ssize_t length = ::read(file, text, sizeof text - 1);
        ::close(file);
        text[length < 0 ? 0 : length] = '\0';
        ProcessFacts facts;
        // The program's name before it may contain parentheses.
        const char* const rest = std::strrchr(text, ')');
        unsigned long long started = 0;
        if (rest == nullptr ||
            std::sscanf(rest + 1, " %*c %ld %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu", &facts.parent,
                        &started) != 2)
            return {};
        facts.started = started;
        return facts;
    }
};

// An existing file with the intended name of a recording, and its relation to this process.
struct Existing {
    // Kind of the file, such as "a pipe"; nullptr if it is a regular file.
    const char* kind = nullptr;
    bool isDevice = false;
    bool isThere = false;
    // Whether it is a recording, or empty.
    bool isRecording = false;
    // Whether a process writes to it now.
    bool isInUse = false;
    // Whether this process wrote it: in an earlier session, or as another program before exec.
    bool isOwn = false;
    // Whether a running ancestor of this process wrote it.
    bool isOfAncestor = false;
    // Start of that ancestor, or of this process, in clock ticks from the machine's boot; 0 if another process wrote it.
    std::uint64_t holderStarted = 0;
    // Whether the launcher's name of its run is that of this run.
    bool isOfRun = false;
    // Time of the last write, in nanoseconds since 1970.
    std::int64_t modified = 0;

    static Existing at(const std::string& path, const std::string& host, const std::string& run) {
        Existing found;
        struct stat facts {};
        if (lstat(path.c_str(), &facts) != 0) return found;
        found.isThere = true;
        found.isDevice = S_ISCHR(facts.st_mode);
        found.kind = kindOf(facts.st_mode);
        if (found.kind != nullptr) return found;
        found.modified = std::int64_t(facts.st_mtim.tv_sec) * 1'000'000'000 + facts.st_mtim.tv_nsec;
        const int file = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (file < 0) return found;
        found.isInUse = flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
        char text[4096];
        const ssize_t length = ::read(file, text, sizeof text);
        ::close(file);
        found.readHead({text, std::size_t(length < 0 ? 0 : length)}, host, run);
        return found;
    }

private:
    static const char* kindOf(mode_t mode) {
        if (S_ISREG(mode)) return nullptr;
        if (S_ISLNK(mode)) return "a symbolic link";
        if (S_ISFIFO(mode)) return "a pipe";
        if (S_ISDIR(mode)) return "a folder";
        return S_ISSOCK(mode) ? "a socket" : "a device";
    }

    void readHead(std::string_view head, const std::string& host, const std::string& run) {
        const auto has = [&](const char* key, const std::string& text) {
            JsonFile json;
            json.raw(key).text(text);
            return head.find(json.take()) != std::string_view::npos;
        };
        const auto number = [&](std::string_view key) {
            const std::size_t found = head.find(key);
            return found == std::string_view::npos ? 0 : std::strtoull(std::string(head.substr(found + key.size(), 20)).c_str(), nullptr, 10);
        };
        isRecording = head.empty() || (head.substr(0, 16) == "{\"schemaVersion\"" && head.find("\"heatflow\":{\"version\":") != head.npos);
        isOfRun = !run.empty() && has(",\"run\":", run);
        const std::uint64_t process = number(",\"process\":"), started = number(",\"started\":");
        if (started == 0 || !has(",\"host\":", host)) return;
        constexpr int deepest = 64;
        long at = getpid();
        for (int steps = 0; at > 0 && steps < deepest; ++steps) {
            const ProcessFacts facts = ProcessFacts::of(at);
            const bool isIt = std::uint64_t(at) == process && facts.started == started;
            isOwn = isOwn || (isIt && steps == 0);
            isOfAncestor = isOfAncestor || (isIt && steps > 0);
            if (isIt) holderStarted = started;
            at = facts.parent;
        }
    }
};

// Converts clock ticks from the machine's boot to nanoseconds since 1970.
inline std::int64_t timeOfTicks(std::uint64_t ticks) {
    timespec sinceBoot{};
    clock_gettime(CLOCK_BOOTTIME, &sinceBoot);
    const std::int64_t perSecond = sysconf(_SC_CLK_TCK) > 0 ? sysconf(_SC_CLK_TCK) : 100;
    const std::int64_t time = std::int64_t(ticks) * (1'000'000'000 / perSecond);
    return std::int64_t(timeOfDay()) - (std::int64_t(sinceBoot.tv_sec) * 1'000'000'000 + sinceBoot.tv_nsec - time);
}

}  // namespace heatflow::detail

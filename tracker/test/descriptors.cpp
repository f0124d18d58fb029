// A program that closes descriptors which are not its own, and opens files under their numbers: by `loop`, `range` (close_range), `dup` (over
// each of them), `recording` (that of the recording alone), `daemon` (in a forked child), or `range` with `gone` (the recording's file, the
// second argument, is removed before). Its files must be 20 bytes long, and events that it waits for stay its own. Says how many
// descriptors the tracker has left.
#include <heatflow/tracker.hpp>

#include <cstdio>
#include <cstdint>
#include <string>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

std::vector<int> descriptors() {
    std::vector<int> found;
    DIR* const folder = opendir("/proc/self/fd");
    while (const dirent* entry = readdir(folder))
        if (const int number = std::atoi(entry->d_name); number > 2 && number != dirfd(folder)) found.push_back(number);
    closedir(folder);
    return found;
}

// Whether a descriptor is that of the recording.
bool isRecording(int number) {
    char name[4096];
    const ssize_t length = readlink(("/proc/self/fd/" + std::to_string(number)).c_str(), name, sizeof name);
    const std::string file(name, length < 0 ? 0 : std::size_t(length));
    return file.size() > 5 && file.substr(file.size() - 5) == ".json";
}

int work(const std::string& how) {
    const std::vector<int> before = descriptors();
    std::vector<int> files;
    // What the tracker reads must not be what the program waits for.
    const int event = eventfd(7, EFD_NONBLOCK);
    const auto open_ = [&files] {
        files.push_back(open(("results" + std::to_string(files.size()) + ".dat").c_str(), O_RDWR | O_CREAT | O_TRUNC, 0644));
        return write(files.back(), "RESULT 42\n", 10) == 10;
    };
    if (how == "dup") {
        for (std::size_t at = 0; at < before.size(); ++at) {
            if (!open_()) return 1;
            const int taken = at % 2 == 0 ? files.back() : event;
            if (dup2(taken, before[at]) < 0) return 1;
        }
    } else if (how == "recording") {
        if (!open_()) return 1;
        for (const int number : before)
            if (isRecording(number)) close(number);
    } else {
        if (how == "loop")
            for (int number = 3; number < 2048; ++number) close(number);
        else if (syscall(SYS_close_range, 3u, ~0u, 0u) != 0)
            return 1;
        while (files.empty() || files.back() < 1000)
            if (!open_()) return 1;
    }
    for (int turn = 0; turn < 12; ++turn) {
        HEATFLOW_REGION("work");
        usleep(100'000);
    }
    for (const int file : files)
        if (write(file, "RESULT 43\n", 10) != 10) return 1;
    std::uint64_t count = 0;
    if (how == "dup" && (read(event, &count, sizeof count) != sizeof count || count != 7)) return 1;
    std::printf("%zu\n", before.size());
    return 0;
}

}  // namespace

int main(int count, char** arguments) {
    const std::string how = arguments[1];
    {
        HEATFLOW_REGION("setup");
        usleep(1000);
    }
    if (count > 2) unlink(arguments[2]);
    if (how != "daemon") return work(how);
    if (fork() == 0) {
        {
            HEATFLOW_REGION("child");
        }
        return work("range");
    }
    int status = 0;
    wait(&status);
    return status;
}

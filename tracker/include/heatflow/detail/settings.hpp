// How a run is recorded: what the program says, over what its environment says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include <unistd.h>

namespace heatflow {

struct Settings {
    // Where the recording goes; %p is the process, %r the rank (the process where there is none), %h the host.
    std::string output;
    // Of counters, and of what is written while the program runs.
    std::uint32_t samplePeriodMs = 500;
    // Which counters: 25, 100, or names with * and ?, separated by commas; 0 is none.
    std::string metrics = "25";

    // Events of a thread that wait to be written.
    std::size_t bufferBytes = std::size_t(64) << 20;
    // Shorter regions are in every sum, and no events of the timeline.
    std::uint64_t shortestEventNs = 0;
    // From the start of the recording; regions that begin before are left out.
    std::uint32_t warmUpMs = 0;

    // How long regions did not run on a core: two more readings of a clock per region, which are slow ones.
    bool waiting = false;
    // What regions allocate, where src/allocations.cpp is linked or preloaded.
    bool allocations = false;
    // Of instrumented functions: parts of the paths of files whose functions the compiler was told to leave out. For the file only.
    std::string excluded;
    // A table on standard error when the recording ends.
    bool report = false;
};

namespace detail {

// The value of an environment variable, or a default where it is not set or no number.
inline std::uint64_t numberOf(const char* variable, std::uint64_t otherwise) {
    const char* text = std::getenv(variable);
    if (text == nullptr || *text < '0' || *text > '9') return otherwise;
    char* end = nullptr;
    const unsigned long long value = std::strtoull(text, &end, 10);
    return *end == '\0' ? value : otherwise;
}

inline bool isWanted() { return numberOf("HEATFLOW_ENABLE", 1) != 0; }

// What the environment says, for whoever starts a program that was built with the tracker.
inline Settings settingsOfEnvironment() {
    Settings settings;
    if (const char* output = std::getenv("HEATFLOW_OUTPUT")) settings.output = output;
    settings.samplePeriodMs = std::uint32_t(numberOf("HEATFLOW_SAMPLE_PERIOD_MS", settings.samplePeriodMs));
    if (const char* metrics = std::getenv("HEATFLOW_METRICS")) settings.metrics = metrics;
    settings.bufferBytes = std::size_t(numberOf("HEATFLOW_BUFFER_MB", settings.bufferBytes >> 20)) << 20;
    settings.shortestEventNs = numberOf("HEATFLOW_SHORTEST_EVENT_NS", settings.shortestEventNs);
    settings.warmUpMs = std::uint32_t(numberOf("HEATFLOW_WARM_UP_MS", settings.warmUpMs));
    settings.waiting = numberOf("HEATFLOW_WAITING", 0) != 0;
    settings.allocations = numberOf("HEATFLOW_ALLOCATIONS", 0) != 0;
    if (const char* excluded = std::getenv("HEATFLOW_EXCLUDED")) settings.excluded = excluded;
    settings.report = numberOf("HEATFLOW_REPORT", 0) != 0;
    return settings;
}

// Rank and number of ranks as launchers tell them before MPI does; -1 where none has.
struct Place {
    int rank = -1;
    int size = -1;
};

inline Place placeOfEnvironment() {
    static constexpr const char* variables[][2] = {
        {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
        {"PMI_RANK", "PMI_SIZE"},
        {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"},
        {"SLURM_PROCID", "SLURM_NTASKS"},
    };
    for (const auto& [rank, size] : variables) {
        const std::uint64_t none = ~std::uint64_t(0);
        const std::uint64_t number = numberOf(rank, none), of = numberOf(size, none);
        if (number < of && of != none && of <= 1u << 30) return {int(number), int(of)};
    }
    return {};
}

// What processes of one run have in common: HEATFLOW_RUN, else the launcher's own name of it; empty where there is none.
inline std::string runOfEnvironment() {
    for (const char* variable : {"HEATFLOW_RUN", "PMIX_NAMESPACE"})
        if (const char* run = std::getenv(variable)) return run;
    const char* job = std::getenv("SLURM_JOB_ID");
    const char* step = std::getenv("SLURM_STEP_ID");
    return job == nullptr ? "" : std::string(job) + "." + (step == nullptr ? "" : step);
}

// What the batch system says of the job that the process is part of; empty outside of one.
struct Job {
    std::string scheduler;
    std::string id;
    std::string name;
    std::string queue;
    std::string nodes;
};

inline Job jobOfEnvironment() {
    struct Variables {
        const char *scheduler, *id, *name, *queue, *nodes;
    };
    const auto valueOf = [](const char* variable) -> std::string {
        const char* value = variable == nullptr ? nullptr : std::getenv(variable);
        return value == nullptr ? "" : value;
    };
    for (const Variables& of : {
             Variables{"Slurm", "SLURM_JOB_ID", "SLURM_JOB_NAME", "SLURM_JOB_PARTITION", "SLURM_JOB_NODELIST"},
             Variables{"PBS", "PBS_JOBID", "PBS_JOBNAME", "PBS_QUEUE", nullptr},
             Variables{"LSF", "LSB_JOBID", "LSB_JOBNAME", "LSB_QUEUE", nullptr},
             Variables{"Flux", "FLUX_JOB_ID", nullptr, nullptr, nullptr},
         })
        if (const std::string id = valueOf(of.id); !id.empty())
            return {of.scheduler, id, valueOf(of.name), valueOf(of.queue), valueOf(of.nodes)};
    return {};
}

// A path with its places filled in; %% is a percent sign. No other letter stands for anything.
inline std::string pathOf(const std::string& pattern, int rank) {
    std::string path;
    for (std::size_t at = 0; at < pattern.size(); ++at) {
        const char next = pattern[at] == '%' && at + 1 < pattern.size() ? pattern[at + 1] : '\0';
        char host[256] = "";
        if (next == 'p') path += std::to_string(getpid());
        else if (next == 'r') path += std::to_string(rank >= 0 ? long(rank) : long(getpid()));
        else if (next == 'h') path += gethostname(host, sizeof host - 1) == 0 ? host : "host";
        else if (next == '%') path += '%';
        else {
            path += pattern[at];
            continue;
        }
        ++at;
    }
    return path;
}

// The same path with a text before its ending.
inline std::string pathWith(const std::string& path, const std::string& text) {
    const std::size_t dot = path.rfind('.'), slash = path.rfind('/');
    const bool hasEnding = dot != std::string::npos && (slash == std::string::npos || dot > slash + 1);
    return std::string(path).insert(hasEnding ? dot : path.size(), text);
}

// Whether a path differs from process to process, or from rank to rank.
inline bool hasPlaces(const std::string& pattern) {
    for (std::size_t at = 0; at + 1 < pattern.size(); ++at) {
        if (pattern[at] != '%') continue;
        const char next = pattern[++at];
        if (next == 'p' || next == 'r') return true;
    }
    return false;
}

inline std::string outputPattern(const Settings& settings, const Place& place) {
    if (!settings.output.empty()) return settings.output;
    return place.rank >= 0 ? "heatflow-rank%r.json" : "heatflow-%p.json";
}

}  // namespace detail
}  // namespace heatflow

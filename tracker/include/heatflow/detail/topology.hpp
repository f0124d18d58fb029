// Which cores, caches and memory the process runs on: from hwloc where it is compiled in, else from /sys.
#pragma once

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "json.hpp"

#ifdef HEATFLOW_WITH_HWLOC
#include <hwloc.h>
#endif

namespace heatflow::detail {

// A hardware thread as the operating system numbers it. Cores are numbered within their package; -1 is not known.
struct Cpu {
    int number;
    int core;
    int package;
    int node;
    bool isAllowed;
};

// A cache that so many hardware threads share, the first of which is this one. Kind: Data, Instruction or Unified.
struct Cache {
    int level;
    std::string kind;
    std::int64_t bytes;
    int firstCpu;
    int cpus;
};

struct Topology {
    const char* source = "/sys";
    std::vector<Cpu> cpus;
    std::vector<Cache> caches;

    static Topology ofThisMachine() {
        Topology topology;
#ifdef HEATFLOW_WITH_HWLOC
        if (topology.askHwloc()) return topology;
#endif
        topology.askSys();
        return topology;
    }

    void write(JsonFile& file) const {
        const auto allowed = std::count_if(cpus.begin(), cpus.end(), [](const Cpu& one) { return one.isAllowed; });
        file.raw("{\"source\":").text(source).raw(",\"packages\":").number(distinct(&Cpu::package));
        file.raw(",\"memoryNodes\":").number(distinct(&Cpu::node)).raw(",\"hardwareThreads\":").number(std::int64_t(cpus.size()));
        file.raw(",\"allowedHardwareThreads\":").number(allowed).raw(",\n\"cpus\":[");
        for (std::size_t at = 0; at < cpus.size(); ++at) {
            const Cpu& one = cpus[at];
            file.raw(at == 0 ? "" : ",").raw("{\"cpu\":").number(one.number).raw(",\"core\":").number(one.core);
            file.raw(",\"package\":").number(one.package).raw(",\"node\":").number(one.node);
            file.raw(one.isAllowed ? ",\"allowed\":true}" : ",\"allowed\":false}");
        }
        file.raw("],\n\"caches\":[");
        for (std::size_t at = 0; at < caches.size(); ++at) {
            const Cache& one = caches[at];
            file.raw(at == 0 ? "" : ",").raw("{\"level\":").number(one.level).raw(",\"kind\":").text(one.kind);
            file.raw(",\"bytes\":").number(one.bytes).raw(",\"firstCpu\":").number(one.firstCpu);
            file.raw(",\"cpus\":").number(one.cpus).raw("}");
        }
        file.raw("]}");
    }

private:
    int distinct(int Cpu::*part) const {
        std::vector<int> known;
        for (const Cpu& one : cpus)
            if (one.*part >= 0) known.push_back(one.*part);
        std::sort(known.begin(), known.end());
        return int(std::unique(known.begin(), known.end()) - known.begin());
    }

    // Numbers of a list such as 0-3,8.
    static std::vector<int> numbersOf(const std::string& list) {
        std::vector<int> numbers;
        int first = 0, last = 0, length = 0;
        for (const char* at = list.c_str(); std::sscanf(at, "%d%n", &first, &length) == 1; at += *at == ',') {
            at += length;
            last = first;
            if (std::sscanf(at, "-%d%n", &last, &length) == 1) at += length;
            for (int number = first; number <= last; ++number) numbers.push_back(number);
        }
        return numbers;
    }

    static std::string lineOf(const std::string& path) {
        std::FILE* const file = std::fopen(path.c_str(), "re");
        if (file == nullptr) return {};
        char text[4096] = "";
        if (std::fgets(text, sizeof text, file) == nullptr) text[0] = '\0';
        std::fclose(file);
        std::string line(text);
        while (!line.empty() && line.back() == '\n') line.pop_back();
        return line;
    }

    static int numberAt(const std::string& path) {
        const std::string line = lineOf(path);
        return line.empty() ? -1 : std::atoi(line.c_str());
    }

    void askSys() {
        const std::string system = "/sys/devices/system/";
        const std::vector<bool> allowed = allowedCpus();
        for (const int number : numbersOf(lineOf(system + "cpu/online"))) {
            const std::string of = system + "cpu/cpu" + std::to_string(number) + "/";
            const bool isAllowed = std::size_t(number) < allowed.size() && allowed[std::size_t(number)];
            cpus.push_back({number, numberAt(of + "topology/core_id"), numberAt(of + "topology/physical_package_id"), -1, isAllowed});
            for (int index = 0;; ++index) {
                const std::string cache = of + "cache/index" + std::to_string(index) + "/";
                const std::vector<int> shared = numbersOf(lineOf(cache + "shared_cpu_list"));
                if (shared.empty()) break;
                if (shared.front() != number) continue;
                caches.push_back({numberAt(cache + "level"), lineOf(cache + "type"), bytesOf(lineOf(cache + "size")), number,
                                  int(shared.size())});
            }
        }
        for (const int node : numbersOf(lineOf(system + "node/online")))
            for (const int number : numbersOf(lineOf(system + "node/node" + std::to_string(node) + "/cpulist")))
                for (Cpu& one : cpus)
                    if (one.number == number) one.node = node;
    }

    // A size such as 32768K.
    static std::int64_t bytesOf(const std::string& size) {
        const std::int64_t number = std::atoll(size.c_str());
        const char unit = size.empty() ? ' ' : size.back();
        return unit == 'K' ? number << 10 : unit == 'M' ? number << 20 : number;
    }

    static std::vector<bool> allowedCpus() {
        std::vector<bool> allowed;
        // Machines of more threads than a cpu_set_t has are asked for with larger ones.
        for (std::size_t most = CPU_SETSIZE; most <= (1u << 16); most *= 4) {
            cpu_set_t* const set = CPU_ALLOC(most);
            if (set == nullptr) break;
            const bool isTold = sched_getaffinity(0, CPU_ALLOC_SIZE(most), set) == 0;
            for (std::size_t at = 0; isTold && at < most; ++at) allowed.push_back(CPU_ISSET_S(at, CPU_ALLOC_SIZE(most), set));
            CPU_FREE(set);
            if (isTold) break;
        }
        return allowed;
    }

#ifdef HEATFLOW_WITH_HWLOC
    bool askHwloc() {
        hwloc_topology_t topology;
        if (hwloc_topology_init(&topology) != 0) return false;
        hwloc_topology_set_icache_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_ALL);
        if (hwloc_topology_load(topology) != 0) {
            hwloc_topology_destroy(topology);
            return false;
        }
        source = "hwloc";
        const std::vector<bool> allowed = allowedCpus();
        const auto above = [&](hwloc_obj_t object, hwloc_obj_type_t type) {
            const hwloc_obj_t found = hwloc_get_ancestor_obj_by_type(topology, type, object);
            return found == nullptr ? -1 : int(found->os_index);
        };
        for (hwloc_obj_t pu = nullptr; (pu = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PU, pu)) != nullptr;) {
            int node = -1;
            for (hwloc_obj_t numa = nullptr; (numa = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, numa)) != nullptr;)
                if (hwloc_bitmap_isset(numa->cpuset, pu->os_index)) node = int(numa->os_index);
            const bool isAllowed = pu->os_index < allowed.size() && allowed[pu->os_index];
            cpus.push_back({int(pu->os_index), above(pu, HWLOC_OBJ_CORE), above(pu, HWLOC_OBJ_PACKAGE), node, isAllowed});
        }
        for (int depth = 0; depth < hwloc_topology_get_depth(topology); ++depth)
            for (hwloc_obj_t at = nullptr; (at = hwloc_get_next_obj_by_depth(topology, depth, at)) != nullptr;) {
                if (!hwloc_obj_type_is_cache(at->type)) continue;
                const auto& cache = at->attr->cache;
                const char* const kind = cache.type == HWLOC_OBJ_CACHE_DATA          ? "Data"
                                         : cache.type == HWLOC_OBJ_CACHE_INSTRUCTION ? "Instruction"
                                                                                     : "Unified";
                caches.push_back({int(cache.depth), kind, std::int64_t(cache.size), hwloc_bitmap_first(at->cpuset),
                                  hwloc_bitmap_weight(at->cpuset)});
            }
        hwloc_topology_destroy(topology);
        return true;
    }
#endif
};

}  // namespace heatflow::detail

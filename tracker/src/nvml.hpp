// What NVIDIA's management library says of GPUs. Loaded while the program runs, since only machines with a driver have it; its few
// types are those of nvml.h, whose entry points never change (a new one has a new name).
#pragma once

#include <dlfcn.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "../include/heatflow/detail/output.hpp"

namespace heatflow::detail {

// Counters of the GPUs that the program sees. What can't be read is left out, and stands in `missing` with the reason.
class Nvml {
public:
    // A GPU by CUDA's number, and by NVML's name of it (`GPU-…`), which no choice of visible devices changes.
    void add(std::uint32_t number, const std::string& uuid) {
        if (!isTried_) load();
        Handle handle = nullptr;
        if (!isThere_) return;
        if (lacks("counters of GPU " + std::to_string(number), handleOf_(uuid.c_str(), &handle))) return;
        devices_.push_back({number, handle});
    }

    const std::map<std::string, std::string>& missing() const noexcept { return missing_; }

    // In DMTracker's words, of which the reader knows what they are.
    void sample(Output& output, std::uint64_t time) {
        if (devices_.empty()) return;
        // What goes over PCIe is measured for 20 ms at each call: twice per second is enough.
        const bool hasTraffic = time - lastTraffic_ >= 450'000'000u;
        if (hasTraffic) lastTraffic_ = time;
        for (const Device& device : devices_) {
            const auto put = [&](const char* name, double value) {
                output.counter("GPU " + std::to_string(device.number) + ": " + name, value, time);
            };
            Utilization used{};
            if (!lacks("utilization_gpu", utilization_(device.handle, &used))) {
                put("utilization_gpu (%)", used.gpu);
                put("utilization_memory (%)", used.memory);
            }
            Memory memory{};
            if (!lacks("memory_used", memory_(device.handle, &memory))) {
                put("memory_used (bytes)", double(memory.used));
                put("memory_free (bytes)", double(memory.free));
            }
            unsigned value = 0;
            if (!lacks("power_draw", power_(device.handle, &value))) put("power_draw (W)", value * 1e-3);
            if (!lacks("temperature_gpu", temperature_(device.handle, 0, &value))) put("temperature_gpu (°C)", value);
            if (hasTraffic && !lacks("PCIe throughput of GPUs", traffic_(device.handle, 0, &value))) put("pcie_tx (B/s)", value * 1024.0);
            if (hasTraffic && !lacks("PCIe throughput of GPUs", traffic_(device.handle, 1, &value))) put("pcie_rx (B/s)", value * 1024.0);
        }
    }

private:
    using Handle = void*;
    struct Device {
        std::uint32_t number;
        Handle handle;
    };
    struct Utilization {
        unsigned gpu, memory;
    };
    struct Memory {
        unsigned long long total, free, used;
    };

    void load() {
        isTried_ = true;
        library_ = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
        if (library_ == nullptr) {
            const char* why = dlerror();
            missing_.emplace("GPU counters", why != nullptr ? why : "there is no NVML");
            return;
        }
        int (*initialize)() = nullptr;
        isThere_ = find(initialize, "nvmlInit_v2") && find(textOf_, "nvmlErrorString") && find(handleOf_, "nvmlDeviceGetHandleByUUID") &&
                   find(utilization_, "nvmlDeviceGetUtilizationRates") && find(memory_, "nvmlDeviceGetMemoryInfo") &&
                   find(power_, "nvmlDeviceGetPowerUsage") && find(temperature_, "nvmlDeviceGetTemperature") &&
                   find(traffic_, "nvmlDeviceGetPcieThroughput") && !lacks("GPU counters", initialize());
    }

    template <typename Function>
    bool find(Function& function, const char* name) {
        function = reinterpret_cast<Function>(dlsym(library_, name));
        if (function == nullptr) missing_.emplace("GPU counters", std::string("NVML has no ") + name);
        return function != nullptr;
    }

    bool lacks(const std::string& what, int result) {
        if (result != 0) missing_.emplace(what, textOf_(result));
        return result != 0;
    }

    bool isTried_ = false;
    bool isThere_ = false;
    void* library_ = nullptr;
    std::uint64_t lastTraffic_ = 0;
    std::vector<Device> devices_;
    std::map<std::string, std::string> missing_;
    const char* (*textOf_)(int) = nullptr;
    int (*handleOf_)(const char*, Handle*) = nullptr;
    int (*utilization_)(Handle, Utilization*) = nullptr;
    int (*memory_)(Handle, Memory*) = nullptr;
    int (*power_)(Handle, unsigned*) = nullptr;
    int (*temperature_)(Handle, int, unsigned*) = nullptr;
    int (*traffic_)(Handle, int, unsigned*) = nullptr;
};

}  // namespace heatflow::detail

// A stand-in for libcupti and libnvidia-ml, for tests on machines without a GPU: it is not CUPTI. Programs ask it to pretend calls of
// CUDA and what they start (standin.h); it calls back and fills buffers as CUPTI does. Linked as libcupti.so, and as
// libnvidia-ml.so.1 by a second name.
#include "standin.h"

#include <cupti.h>
#include <time.h>

#include <cstdlib>
#include <cstring>
#include <mutex>

namespace {

CUpti_CallbackFunc callback = nullptr;
CUpti_BuffersCallbackRequestFunc request = nullptr;
CUpti_BuffersCallbackCompleteFunc complete = nullptr;
std::mutex mutex;
std::uint8_t* buffer = nullptr;
std::size_t room = 0, used = 0, dropped = 0;
std::uint32_t nextCorrelation = 100;
bool isUnifiedMemoryEnabled = false;

std::uint64_t clockTime() {
    timespec time{};
    clock_gettime(CLOCK_REALTIME, &time);
    return std::uint64_t(time.tv_sec) * 1'000'000'000u + std::uint64_t(time.tv_nsec);
}

void handOver() {
    std::uint8_t* const full = buffer;
    const std::size_t bytes = used;
    buffer = nullptr;
    if (full != nullptr) complete(nullptr, 0, full, room, bytes);
}

template <typename Record>
void put(const Record& record) {
    if (request == nullptr) return;
    const std::lock_guard<std::mutex> lock(mutex);
    static_assert(sizeof(Record) % 8 == 0, "records are aligned");
    if (buffer != nullptr && used + sizeof record > room) handOver();
    if (buffer == nullptr) {
        std::size_t most = 0;
        request(&buffer, &room, &most);
        used = 0;
    }
    if (buffer == nullptr) {
        ++dropped;
        return;
    }
    std::memcpy(buffer + used, &record, sizeof record);
    used += sizeof record;
}

void tell(CUpti_CallbackData& of, CUpti_ApiCallbackSite site, CUpti_CallbackDomain domain, CUpti_CallbackId number) {
    of.callbackSite = site;
    if (callback != nullptr) callback(nullptr, domain, number, &of);
}

// What the runtime asks the driver for before it says that a launch begins.
void askForName() {
    CUpti_CallbackData data{};
    data.functionName = "cuKernelGetName";
    mutex.lock();
    data.correlationId = nextCorrelation++;
    mutex.unlock();
    tell(data, CUPTI_API_ENTER, CUPTI_CB_DOMAIN_DRIVER_API, 721);
    tell(data, CUPTI_API_EXIT, CUPTI_CB_DOMAIN_DRIVER_API, 721);
}

// A call of the runtime, within which the driver is called: the work gets the numbers of both.
template <typename Work>
void call(const char* name, CUpti_CallbackId id, Work&& work) {
    mutex.lock();
    const std::uint32_t own = nextCorrelation++, within = nextCorrelation++;
    mutex.unlock();
    std::uint64_t shared = 0;
    CUpti_CallbackData data{};
    data.functionName = name;
    data.correlationId = own;
    data.correlationData = &shared;
    CUpti_CallbackData driver = data;
    driver.functionName = "cuStandIn";
    driver.correlationId = within;
    tell(data, CUPTI_API_ENTER, CUPTI_CB_DOMAIN_RUNTIME_API, id);
    tell(driver, CUPTI_API_ENTER, CUPTI_CB_DOMAIN_DRIVER_API, 307);
    work(own, within);
    tell(driver, CUPTI_API_EXIT, CUPTI_CB_DOMAIN_DRIVER_API, 307);
    tell(data, CUPTI_API_EXIT, CUPTI_CB_DOMAIN_RUNTIME_API, id);
}

template <typename Record>
Record started(CUpti_ActivityKind kind, const StandInPlace& at, std::uint32_t correlation) {
    Record record{};
    record.kind = kind;
    record.start = clockTime();
    record.end = record.start + at.nanoseconds;
    record.deviceId = at.device;
    record.contextId = at.context;
    record.streamId = at.stream;
    record.correlationId = correlation;
    return record;
}

}  // namespace

void standInStart(std::uint32_t devices) {
    for (std::uint32_t id = 0; id < devices; ++id) {
        CUpti_ActivityDevice5 device{};
        device.kind = CUPTI_ACTIVITY_KIND_DEVICE;
        device.id = id;
        device.name = "Stand-in \"GPU\"";
        device.globalMemorySize = 80'000'000'000u;
        device.computeCapabilityMajor = 9;
        device.numMultiprocessors = 132;
        device.numThreadsPerWarp = 32;
        device.maxWarpsPerMultiprocessor = 64;
        device.maxThreadsPerBlock = 1024;
        device.isCudaVisible = 1;
        for (int at = 0; at < 16; ++at) device.uuid.bytes[at] = char(0xf0 + at);
        device.uuid.bytes[15] = char(id);
        put(device);
    }
    if (callback != nullptr) callback(nullptr, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_CU_INIT_FINISHED, nullptr);
}

void standInKernel(const char* name, const StandInPlace& at) {
    askForName();
    call("cudaLaunchKernel_ptsz_v7000", 211, [&](std::uint32_t correlation, std::uint32_t) {
        auto kernel = started<CUpti_ActivityKernel10>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, at, correlation);
        kernel.name = name;
        kernel.registersPerThread = 32;
        kernel.gridX = 120;
        kernel.gridY = kernel.gridZ = kernel.blockY = kernel.blockZ = 1;
        kernel.blockX = 256;
        kernel.staticSharedMemory = 1024;
        kernel.dynamicSharedMemory = 24;
        put(kernel);
    });
}

void standInCopy(bool isToDevice, std::uint64_t bytes, const StandInPlace& at) {
    call("cudaMemcpyAsync_v3020", 41, [&](std::uint32_t correlation, std::uint32_t) {
        auto copy = started<CUpti_ActivityMemcpy6>(CUPTI_ACTIVITY_KIND_MEMCPY, at, correlation);
        copy.copyKind = isToDevice ? CUPTI_ACTIVITY_MEMCPY_KIND_HTOD : CUPTI_ACTIVITY_MEMCPY_KIND_DTOH;
        copy.srcKind = isToDevice ? CUPTI_ACTIVITY_MEMORY_KIND_PINNED : CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
        copy.dstKind = isToDevice ? CUPTI_ACTIVITY_MEMORY_KIND_DEVICE : CUPTI_ACTIVITY_MEMORY_KIND_PINNED;
        copy.bytes = bytes;
        put(copy);
    });
}

void standInPeerCopy(std::uint32_t from, std::uint32_t to, std::uint64_t bytes, const StandInPlace& at) {
    call("cudaMemcpyPeer_v4000", 121, [&](std::uint32_t correlation, std::uint32_t) {
        auto copy = started<CUpti_ActivityMemcpyPtoP4>(CUPTI_ACTIVITY_KIND_MEMCPY2, at, correlation);
        copy.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_PTOP;
        copy.srcKind = copy.dstKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
        copy.bytes = bytes;
        copy.srcDeviceId = from;
        copy.dstDeviceId = to;
        put(copy);
    });
}

void standInSet(std::uint64_t bytes, const StandInPlace& at) {
    // Known to the device by the driver's number.
    call("cudaMemset_v3020", 51, [&](std::uint32_t, std::uint32_t within) {
        auto set = started<CUpti_ActivityMemset4>(CUPTI_ACTIVITY_KIND_MEMSET, at, within);
        set.memoryKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
        set.bytes = bytes;
        put(set);
    });
}

void standInMigration(int kind, std::uint64_t bytes, std::uint32_t device, std::uint64_t nanoseconds) {
    if (!isUnifiedMemoryEnabled) return;
    CUpti_ActivityUnifiedMemoryCounter3 counter{};
    counter.kind = CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER;
    counter.counterKind = CUpti_ActivityUnifiedMemoryCounterKind(kind);
    counter.value = bytes;
    counter.start = clockTime();
    counter.end = kind == CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_CPU_PAGE_FAULT_COUNT ? 0 : counter.start + nanoseconds;
    counter.srcId = kind == CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD ? ~0u : device;
    counter.dstId = kind == CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD ? device : ~0u;
    put(counter);
}

void standInSynchronize() {
    call("cudaDeviceSynchronize_v3020", 165, [](std::uint32_t, std::uint32_t) {});
}

extern "C" {

CUptiResult cuptiSubscribe(CUpti_SubscriberHandle*, CUpti_CallbackFunc function, void*) {
    if (std::getenv("STANDIN_FAILS") != nullptr) return CUPTI_ERROR_NOT_INITIALIZED;
    callback = function;
    return CUPTI_SUCCESS;
}
CUptiResult cuptiGetResultString(CUptiResult result, const char** text) {
    *text = result == CUPTI_ERROR_NOT_INITIALIZED ? "CUPTI_ERROR_NOT_INITIALIZED" : "CUPTI_ERROR_STANDIN";
    return CUPTI_SUCCESS;
}
CUptiResult cuptiEnableDomain(std::uint32_t, CUpti_SubscriberHandle, CUpti_CallbackDomain) { return CUPTI_SUCCESS; }
CUptiResult cuptiEnableCallback(std::uint32_t, CUpti_SubscriberHandle, CUpti_CallbackDomain, CUpti_CallbackId) { return CUPTI_SUCCESS; }
CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc asks, CUpti_BuffersCallbackCompleteFunc gives) {
    request = asks;
    complete = gives;
    return CUPTI_SUCCESS;
}
CUptiResult cuptiActivityEnable(CUpti_ActivityKind kind) {
    if (kind == CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER) isUnifiedMemoryEnabled = true;
    return CUPTI_SUCCESS;
}
CUptiResult cuptiActivityConfigureUnifiedMemoryCounter(CUpti_ActivityUnifiedMemoryCounterConfig*, std::uint32_t) {
    return std::getenv("STANDIN_NO_UNIFIED_MEMORY") != nullptr ? CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED : CUPTI_SUCCESS;
}
CUptiResult cuptiGetTimestamp(std::uint64_t* time) {
    *time = clockTime();
    return CUPTI_SUCCESS;
}
CUptiResult cuptiActivityFlushAll(std::uint32_t) {
    const std::lock_guard<std::mutex> lock(mutex);
    handOver();
    return CUPTI_SUCCESS;
}
CUptiResult cuptiActivityGetNumDroppedRecords(CUcontext, std::uint32_t, std::size_t* count) {
    *count = dropped;
    dropped = 0;
    return CUPTI_SUCCESS;
}
CUptiResult cuptiActivityGetNextRecord(std::uint8_t* records, std::size_t bytes, CUpti_Activity** record) {
    std::uint8_t* next = records;
    if (*record != nullptr) {
        const auto sizeOf = [](CUpti_ActivityKind kind) {
            switch (kind) {
                case CUPTI_ACTIVITY_KIND_DEVICE: return sizeof(CUpti_ActivityDevice5);
                case CUPTI_ACTIVITY_KIND_MEMCPY: return sizeof(CUpti_ActivityMemcpy6);
                case CUPTI_ACTIVITY_KIND_MEMCPY2: return sizeof(CUpti_ActivityMemcpyPtoP4);
                case CUPTI_ACTIVITY_KIND_MEMSET: return sizeof(CUpti_ActivityMemset4);
                case CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER: return sizeof(CUpti_ActivityUnifiedMemoryCounter3);
                default: return sizeof(CUpti_ActivityKernel10);
            }
        };
        next = reinterpret_cast<std::uint8_t*>(*record) + sizeOf((*record)->kind);
    }
    *record = reinterpret_cast<CUpti_Activity*>(next);
    return next < records + bytes ? CUPTI_SUCCESS : CUPTI_ERROR_MAX_LIMIT_REACHED;
}

// NVML, of which only GPU 0 can tell its PCIe throughput.
int nvmlInit_v2() { return 0; }
const char* nvmlErrorString(int) { return "Not Supported"; }
int nvmlDeviceGetHandleByUUID(const char* uuid, void** device) {
    if (std::strncmp(uuid, "GPU-f0f1f2f3-f4f5-f6f7-f8f9-fafbfcfdfe0", 39) != 0) return 6;
    *device = reinterpret_cast<void*>(std::uintptr_t(uuid[39] - '0' + 1));
    return 0;
}
int nvmlDeviceGetUtilizationRates(void*, unsigned* both) {
    both[0] = 57;
    both[1] = 13;
    return 0;
}
int nvmlDeviceGetMemoryInfo(void*, unsigned long long* totalFreeUsed) {
    totalFreeUsed[0] = 80'000'000'000u;
    totalFreeUsed[1] = 79'000'000'000u;
    totalFreeUsed[2] = 1'000'000'000u;
    return 0;
}
int nvmlDeviceGetPowerUsage(void*, unsigned* milliwatts) {
    *milliwatts = 312'500;
    return 0;
}
int nvmlDeviceGetTemperature(void*, int, unsigned* degrees) {
    *degrees = 41;
    return 0;
}
int nvmlDeviceGetPcieThroughput(void* device, int direction, unsigned* kilobytes) {
    *kilobytes = direction == 0 ? 2000 : 3000;
    return device == reinterpret_cast<void*>(std::uintptr_t(1)) ? 0 : 3;
}

}  // extern "C"

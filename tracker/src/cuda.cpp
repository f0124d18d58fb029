// GPUs of NVIDIA, by CUPTI: calls of CUDA as regions of the thread that makes them; kernels, copies, memsets and unified memory as
// events of devices, each with the context that launched it; NVML's counters at each sample. Compile it beside heatflow.cpp where a
// CUDA toolkit is, by g++ or nvcc, and link both or load them by LD_PRELOAD:
//   -DHEATFLOW_WITH_CUDA -I$CUDA/include -I$CUDA/extras/CUPTI/include … -L$CUDA/lib64 -lcupti -Wl,-rpath,$CUDA/lib64
// Without HEATFLOW_WITH_CUDA it is empty, so that a build that takes all files of this folder needs no toolkit.
#ifdef HEATFLOW_WITH_CUDA

#include <cupti.h>
#include <cxxabi.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#ifndef HEATFLOW_RUNTIME
#define HEATFLOW_RUNTIME
#endif
#include "../include/heatflow/detail/output.hpp"
#include "../include/heatflow/detail/own.hpp"
#include "../include/heatflow/tracker.hpp"
#include "nvml.hpp"

namespace {

using namespace heatflow::detail;
using heatflow::Category;
using heatflow::detail::KnownSite;

// Records grow at their ends from version to version, so that these are what every CUPTI since CUDA 9 begins with.
using KernelRecord = CUpti_ActivityKernel4;
using CopyRecord = CUpti_ActivityMemcpy;
using PeerCopyRecord = CUpti_ActivityMemcpyPtoP;
using SetRecord = CUpti_ActivityMemset;
using MemoryRecord = CUpti_ActivityUnifiedMemoryCounter2;
#if CUPTI_API_VERSION >= 130000
using DeviceRecord = CUpti_ActivityDevice5;
bool isVisible(const DeviceRecord& device) { return device.isCudaVisible; }
#else
using DeviceRecord = CUpti_ActivityDevice2;
bool isVisible(const DeviceRecord&) { return true; }
#endif

std::string textOf(CUptiResult result) {
    const char* text = nullptr;
    return cuptiGetResultString(result, &text) == CUPTI_SUCCESS && text != nullptr ? text : "error " + std::to_string(result);
}

// `cudaMemcpyAsync` of `cudaMemcpyAsync_ptsz_v7000`: versions and variants are not what stands in the source.
std::string nameOfCall(std::string name) {
    const std::size_t version = name.rfind("_v");
    if (version != std::string::npos && name.find_first_not_of("0123456789", version + 2) == std::string::npos) name.resize(version);
    for (const char* variant : {"_ptsz", "_ptds"})
        if (name.size() > 5 && name.compare(name.size() - 5, 5, variant) == 0) name.resize(name.size() - 5);
    return name;
}

const char* nameOfDirection(unsigned kind) {
    static constexpr const char* names[] = {"Unknown", "HtoD", "DtoH", "HtoA", "AtoH", "AtoA", "AtoD", "DtoA", "DtoD", "HtoH", "PtoP"};
    return names[kind < sizeof names / sizeof *names ? kind : 0];
}

const char* nameOfMemory(unsigned kind) {
    static constexpr const char* names[] = {"Unknown", "Pageable", "Pinned", "Device", "Array", "Managed", "Device Static", "Managed Static"};
    return names[kind < sizeof names / sizeof *names ? kind : 0];
}

// Which thread and context made a call, by CUPTI's number of it: the one that a device knows may be that of a call of the driver
// within a call of the runtime. The newest calls are known; without locks, since calls are made on any thread.
class Launchers {
public:
    static constexpr std::uint32_t mostThreads = 1u << 12;
    struct Launcher {
        bool isKnown;
        // The call was not to be recorded, nor is what it started.
        bool isSkipped;
        std::uint32_t thread;
        std::uint32_t context;
        // The outermost call's number, which its region has.
        std::uint32_t outermost;
    };

    void add(std::uint32_t correlation, std::uint32_t outermost, std::uint32_t thread, std::uint32_t context) noexcept {
        const std::uint32_t place = thread < mostThreads - 1 ? thread << 20 | context : skipped;
        outermost_[correlation % size].store(outermost, std::memory_order_release);
        calls_[correlation % size].store(std::uint64_t(correlation) << 32 | place, std::memory_order_release);
    }
    void skip(std::uint32_t correlation) noexcept {
        calls_[correlation % size].store(std::uint64_t(correlation) << 32 | skipped, std::memory_order_release);
    }
    Launcher of(std::uint32_t correlation) const noexcept {
        const std::uint64_t call = calls_[correlation % size].load(std::memory_order_acquire);
        const auto place = std::uint32_t(call);
        return {correlation != 0 && call >> 32 == correlation && place != skipped, call >> 32 == correlation && place == skipped,
                place >> 20, place & (ContextTree::most - 1), outermost_[correlation % size].load(std::memory_order_acquire)};
    }

private:
    static constexpr std::size_t size = 1u << 18;
    static constexpr std::uint32_t skipped = ~0u;
    static_assert(ContextTree::most == 1u << 20, "a thread and its context fit in 32 bits");
    const std::unique_ptr<std::atomic<std::uint64_t>[]> calls_{new std::atomic<std::uint64_t>[size]()};
    const std::unique_ptr<std::atomic<std::uint32_t>[]> outermost_{new std::atomic<std::uint32_t>[size]()};
};

class Cuda final : public EventSource {
public:
    Cuda() {
        only_ = this;
        const CUptiResult subscribed = cuptiSubscribe(&subscriber_, called, nullptr);
        if (subscribed != CUPTI_SUCCESS) {
            need("GPU activities", subscribed);
            std::fprintf(stderr, "heatflow: nothing of GPUs is recorded: CUPTI can't start (%s).\n", textOf(subscribed).c_str());
            return;
        }
        need("CUDA's runtime calls", cuptiEnableDomain(1, subscriber_, CUPTI_CB_DOMAIN_RUNTIME_API));
        need("CUDA's driver calls", cuptiEnableDomain(1, subscriber_, CUPTI_CB_DOMAIN_DRIVER_API));
        need("unified memory", cuptiEnableCallback(1, subscriber_, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_CU_INIT_FINISHED));
        need("activities", cuptiActivityRegisterCallbacks(lend, takeBack));
        need("devices", cuptiActivityEnable(CUPTI_ACTIVITY_KIND_DEVICE));
        need("kernels", cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
        need("copies", cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMCPY));
        need("copies between GPUs", cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMCPY2));
        need("memsets", cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMSET));
        isActive_ = true;
    }

    void begin(std::size_t mostBytes) override {
        mostBytes_ = mostBytes;
        dropped_ = 0;
        named_.clear();
        if (process_ == getpid()) return;
        // CUPTI does not follow a fork.
        isActive_ = false;
        missing_ = {{"GPU activities", "CUPTI does not follow a program's fork"}};
    }

    void gather(bool isLast) override {
        if (!isActive_) return;
        cuptiActivityFlushAll(isLast ? CUPTI_ACTIVITY_FLAG_FLUSH_FORCED : 0);
        std::size_t lost = 0;
        if (cuptiActivityGetNumDroppedRecords(nullptr, 0, &lost) == CUPTI_SUCCESS) dropped_ += lost;
    }

    void write(Output& output, std::vector<ThreadOutput>& threads) override {
        if (!isActive_) return;
        std::vector<Records> filled;
        output_ = &output;
        outputs_.clear();
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            filled.swap(filled_);
            for (const ThreadRecorder* thread : threads_) {
                outputs_.push_back(nullptr);
                for (ThreadOutput& of : threads)
                    if (&of.thread() == thread) outputs_.back() = &of;
            }
        }
        measureClock();
        for (const Records& records : filled) {
            eachOf(records, [this](const CUpti_Activity& record) { take(record); });
            std::free(records.first);
            lent_ -= 1;
        }
        for (const auto& [number, properties] : devices_)
            if (named_.insert(number).second) output.deviceName(number, "GPU " + std::to_string(number));
    }

    void sample(Output& output, std::uint64_t time) override {
        if (isStarted_ && devices_.empty()) findDevices();
        nvml_.sample(output, time);
    }

    void sections(JsonFile& file) override {
        file.raw(",\n\"deviceProperties\":[");
        for (const auto& [number, properties] : devices_) file.raw(number == devices_.begin()->first ? "\n" : ",\n").raw(properties);
        file.raw("],\n\"gpu\":{\"missing\":[");
        const std::lock_guard<std::mutex> lock(mutex_);
        const char* comma = "";
        for (const auto& all : {missing_, nvml_.missing()})
            for (const auto& [what, why] : all) {
                file.raw(comma).raw("{\"metric\":").text(what).raw(",\"why\":").text(why).raw("}");
                comma = ",";
            }
        file.raw("]}");
    }

    std::uint64_t dropped() const override { return dropped_; }

private:
    static constexpr std::size_t bufferBytes = 1u << 20;
    // A buffer of activities and how much of it is filled.
    using Records = std::pair<std::uint8_t*, std::size_t>;

    template <typename Take>
    static void eachOf(const Records& records, Take&& take) {
        CUpti_Activity* record = nullptr;
        while (cuptiActivityGetNextRecord(records.first, records.second, &record) == CUPTI_SUCCESS) take(*record);
    }

    // Which GPUs there are, before their records are written: a program may end before the first piece is, and its counters are to be
    // read from the first sample on.
    void findDevices() {
        cuptiActivityFlushAll(0);
        const std::lock_guard<std::mutex> lock(mutex_);
        for (const Records& records : filled_)
            eachOf(records, [this](const CUpti_Activity& record) {
                if (record.kind == CUPTI_ACTIVITY_KIND_DEVICE) device(reinterpret_cast<const DeviceRecord&>(record));
            });
    }

    void need(const char* what, CUptiResult result) {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (result != CUPTI_SUCCESS) missing_.emplace(what, textOf(result));
    }

    // A call of CUDA begins or ends, on the thread that makes it.
    static void CUPTIAPI called(void*, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data) {
        if (domain == CUPTI_CB_DOMAIN_RESOURCE) return only_->configureUnifiedMemory();
        // Calls of the driver that the runtime makes are part of the runtime's.
        static thread_local unsigned within = 0;
        static thread_local std::uint32_t region = ThreadRecorder::deepest, outermost = 0;
        const auto& call = *static_cast<const CUpti_CallbackData*>(data);
        if (call.callbackSite == CUPTI_API_ENTER) {
            auto* const thread = Recorder::current();
            if (within++ == 0) {
                region = thread == nullptr ? ThreadRecorder::deepest : only_->enter(*thread, domain, id, call);
                outermost = call.correlationId;
            }
            if (thread == nullptr) return only_->launchers_.skip(call.correlationId);
            only_->launchers_.add(call.correlationId, outermost, only_->numberOf(thread), thread->innermost());
        } else if (within > 0 && --within == 0) {
            if (auto* const thread = Recorder::open()) thread->end(region);
        }
    }

    std::uint32_t enter(ThreadRecorder& thread, CUpti_CallbackDomain domain, CUpti_CallbackId id, const CUpti_CallbackData& call) {
        // The number joins call and activity in the timeline; one that is too large for that is left out.
        const bool fits = call.correlationId <= std::uint32_t(std::numeric_limits<std::int32_t>::max());
        const Movement number{-1, -1, fits ? std::int32_t(call.correlationId) : -1};
        const KnownSite& site = siteOf(domain, id, call.functionName);
        return &site == &ofRuntime ? ThreadRecorder::deepest : thread.begin(FrameKey::of(site), number);
    }

    // Calls of the driver are the program's own where they are within none of the runtime's, but for one: since CUDA 13 the runtime
    // asks for a kernel's name, for this callback, before it says that a launch begins.
    const KnownSite& siteOf(CUpti_CallbackDomain domain, CUpti_CallbackId id, const char* name) {
        std::atomic<const KnownSite*>& known = sites_[domain == CUPTI_CB_DOMAIN_RUNTIME_API][id < sitesSize ? id : 0];
        const KnownSite* site = known.load(std::memory_order_acquire);
        if (site == nullptr || id >= sitesSize) {
            const bool isOfRuntime = std::strcmp(name, "cuKernelGetName") == 0;
            site = isOfRuntime ? &ofRuntime : &Recorder::runtime()->site({nameOfCall(name).c_str(), "", 0, Category::runtime});
            known.store(site, std::memory_order_release);
        }
        return *site;
    }

    std::uint32_t numberOf(ThreadRecorder* thread) {
        static thread_local std::pair<ThreadRecorder*, std::uint32_t> known{nullptr, 0};
        if (known.first == thread) return known.second;
        const OwnMemory own;
        const std::lock_guard<std::mutex> lock(mutex_);
        threads_.push_back(thread);
        thread->isReferredTo = true;
        known = {thread, std::uint32_t(threads_.size() - 1)};
        return known.second;
    }

    // To be done once the driver has started, on any thread.
    void configureUnifiedMemory() {
        std::vector<CUpti_ActivityUnifiedMemoryCounterConfig> kinds;
        for (const auto kind : {CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD,
                                CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH,
                                CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOD,
                                CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_CPU_PAGE_FAULT_COUNT,
                                CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_GPU_PAGE_FAULT})
            kinds.push_back({CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_SCOPE_PROCESS_ALL_DEVICES, kind, 0, 1});
        CUptiResult result = cuptiActivityConfigureUnifiedMemoryCounter(kinds.data(), std::uint32_t(kinds.size()));
        if (result == CUPTI_SUCCESS) result = cuptiActivityEnable(CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER);
        need("unified memory", result);
        isStarted_ = true;
    }

    // Room for records: what finds none is counted by CUPTI.
    static void CUPTIAPI lend(std::uint8_t** buffer, std::size_t* size, std::size_t* mostRecords) {
        const OwnMemory own;
        *mostRecords = 0;
        const bool hasRoom = (only_->lent_ += 1) * bufferBytes <= only_->mostBytes_;
        *buffer = hasRoom ? static_cast<std::uint8_t*>(std::malloc(bufferBytes)) : nullptr;
        *size = *buffer != nullptr ? bufferBytes : 0;
        if (*buffer == nullptr) only_->lent_ -= 1;
    }

    static void CUPTIAPI takeBack(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t bytes) {
        const OwnMemory own;
        const std::lock_guard<std::mutex> lock(only_->mutex_);
        only_->filled_.emplace_back(buffer, bytes);
    }

    // CUPTI's clock is its own (the time of day on Linux): how far it is from `now()` is measured anew each time that records are
    // written, between two readings of `now()`, the closest of some.
    void measureClock() {
        std::uint64_t closest = ~std::uint64_t(0);
        for (int round = 0; round < 5; ++round) {
            std::uint64_t time = 0;
            const std::uint64_t before = now();
            const CUptiResult read = cuptiGetTimestamp(&time);
            if (read != CUPTI_SUCCESS) return need("CUPTI's clock", read);
            const std::uint64_t took = now() - before;
            if (took >= closest) continue;
            closest = took;
            toOwnClock_ = before + took / 2 - time;
        }
    }

    void take(const CUpti_Activity& record) {
        switch (record.kind) {
            case CUPTI_ACTIVITY_KIND_DEVICE: return device(reinterpret_cast<const DeviceRecord&>(record));
            case CUPTI_ACTIVITY_KIND_KERNEL:
            case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL: return kernel(reinterpret_cast<const KernelRecord&>(record));
            case CUPTI_ACTIVITY_KIND_MEMCPY: {
                const auto& copy = reinterpret_cast<const CopyRecord&>(record);
                if (auto* const file = copied(copy)) file->raw("}}");
                return;
            }
            case CUPTI_ACTIVITY_KIND_MEMCPY2: {
                const auto& copy = reinterpret_cast<const PeerCopyRecord&>(record);
                if (auto* const file = copied(copy))
                    file->raw(",\"fromDevice\":").number(copy.srcDeviceId).raw(",\"inDevice\":").number(copy.deviceId)
                        .raw(",\"toDevice\":").number(copy.dstDeviceId).raw("}}");
                return;
            }
            case CUPTI_ACTIVITY_KIND_MEMSET: {
                const auto& set = reinterpret_cast<const SetRecord&>(record);
                if (auto* const file = moved("gpu_memset", std::string("Memset (") + nameOfMemory(set.memoryKind) + ")", set)) file->raw("}}");
                return;
            }
            case CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER: return unifiedMemory(reinterpret_cast<const MemoryRecord&>(record));
            default: return;
        }
    }

    // The part that all events of a stream have; nothing where it is not to be written.
    template <typename Record>
    JsonFile* begun(const char* category, const std::string& name, const Record& of) {
        const Launchers::Launcher by = launchers_.of(of.correlationId);
        if (by.isSkipped) return nullptr;
        if (of.start == 0 || of.end < of.start) {
            // It had not ended when the recording did, or CUPTI could not tell when.
            dropped_ += 1;
            return nullptr;
        }
        std::uint32_t caller = 0;
        ThreadOutput* const thread = by.isKnown && by.thread < outputs_.size() ? outputs_[by.thread] : nullptr;
        if (thread != nullptr) caller = output_->numberOf(*thread, by.context);
        JsonFile& file = output_->activity(category, name, of.deviceId, of.streamId, of.start + toOwnClock_, of.end + toOwnClock_);
        file.raw(",\"context\":").number(of.contextId).raw(",\"stream\":").number(of.streamId);
        file.raw(",\"correlation\":").number(by.isKnown ? by.outermost : of.correlationId);
        if (thread != nullptr) file.raw(",\"caller\":").number(caller);
        return &file;
    }

    template <typename Record>
    JsonFile* moved(const char* category, const std::string& name, const Record& of) {
        JsonFile* const file = begun(category, name, of);
        if (file == nullptr) return nullptr;
        file->raw(",\"bytes\":").number(std::int64_t(of.bytes)).raw(",\"memory bandwidth (GB/s)\":");
        return of.end > of.start ? &file->real(double(of.bytes) / double(of.end - of.start)) : &file->raw("\"N/A\"");
    }

    template <typename Record>
    JsonFile* copied(const Record& of) {
        return moved("gpu_memcpy", std::string("Memcpy ") + nameOfDirection(of.copyKind) + " (" + nameOfMemory(of.srcKind) + " -> " +
                                       nameOfMemory(of.dstKind) + ")", of);
    }

    void kernel(const KernelRecord& of) {
        JsonFile* const file = begun("kernel", demangled(of.name), of);
        if (file == nullptr) return;
        file->raw(",\"registers per thread\":").number(of.registersPerThread);
        file->raw(",\"shared memory\":").number(std::int64_t(of.staticSharedMemory) + of.dynamicSharedMemory);
        file->raw(",\"grid\":[").number(of.gridX).raw(",").number(of.gridY).raw(",").number(of.gridZ);
        file->raw("],\"block\":[").number(of.blockX).raw(",").number(of.blockY).raw(",").number(of.blockZ).raw("]}}");
    }

    const std::string& demangled(const char* name) {
        const auto known = names_.find(name != nullptr ? name : "");
        if (known != names_.end()) return known->second;
        int status = -1;
        char* const plain = name != nullptr ? abi::__cxa_demangle(name, nullptr, nullptr, &status) : nullptr;
        const std::string text = status == 0 ? plain : name != nullptr ? name : "(unnamed kernel)";
        std::free(plain);
        return names_[name != nullptr ? name : ""] = text;
    }

    // Migrations and page faults: no call is known that they are of. Faults of the CPU are of no GPU: they stand with the first.
    void unifiedMemory(const MemoryRecord& of) {
        const auto is = [&](CUpti_ActivityUnifiedMemoryCounterKind kind) { return of.counterKind == kind; };
        const bool isToHost = is(CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH);
        const bool isToDevice = is(CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD);
        const bool isBetween = is(CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOD);
        const bool isOfHost = is(CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_CPU_PAGE_FAULT_COUNT);
        const char* const kind = isToHost ? "DtoH" : isToDevice ? "HtoD" : isBetween ? "DtoD" : isOfHost ? "pagefaults.cpu" : "pagefaults.gpu";
        const std::uint32_t device = isOfHost ? 0 : isToDevice ? of.dstId : of.srcId;
        const std::uint64_t end = isOfHost || of.end < of.start ? of.start : of.end;
        JsonFile& file = output_->activity("uvm", std::string("unified memory: ") + kind, device, 0, of.start + toOwnClock_, end + toOwnClock_);
        if (isToHost || isToDevice || isBetween) file.raw(",\"bytes\":").number(std::int64_t(of.value));
        if (isBetween) file.raw(",\"fromDevice\":").number(of.srcId).raw(",\"toDevice\":").number(of.dstId);
        file.raw("}}");
    }

    void device(const DeviceRecord& of) {
        if (!isVisible(of) || devices_.count(of.id) > 0) return;
        JsonFile text;
        text.raw("{\"id\":").number(of.id).raw(",\"name\":").text(of.name != nullptr ? of.name : "");
        const std::pair<const char*, std::uint64_t> numbers[] = {
            {"totalGlobalMem", of.globalMemorySize},
            {"computeMajor", of.computeCapabilityMajor},
            {"computeMinor", of.computeCapabilityMinor},
            {"maxThreadsPerBlock", of.maxThreadsPerBlock},
            {"maxThreadsPerMultiprocessor", std::uint64_t(of.maxWarpsPerMultiprocessor) * of.numThreadsPerWarp},
            {"regsPerBlock", of.maxRegistersPerBlock},
            {"regsPerMultiprocessor", of.maxRegistersPerMultiprocessor},
            {"warpSize", of.numThreadsPerWarp},
            {"sharedMemPerBlock", of.maxSharedMemoryPerBlock},
            {"sharedMemPerMultiprocessor", of.maxSharedMemoryPerMultiprocessor},
            {"numSms", of.numMultiprocessors}};
        for (const auto& [key, value] : numbers) text.raw(",\"").raw(key).raw("\":").number(std::int64_t(value));
        devices_[of.id] = text.raw("}").take();
        std::string uuid = "GPU";
        for (int at = 0; at < 16; ++at) {
            char digits[4];
            std::snprintf(digits, sizeof digits, "%02x", unsigned(static_cast<unsigned char>(of.uuid.bytes[at])));
            uuid += at == 0 || at == 4 || at == 6 || at == 8 || at == 10 ? "-" : "";
            uuid += digits;
        }
        nvml_.add(of.id, uuid);
    }

    // For CUPTI's callbacks: there is one subscriber per process.
    static inline Cuda* only_ = nullptr;
    static constexpr std::uint32_t sitesSize = 2048;
    static inline const KnownSite ofRuntime{"", "", 0};

    const pid_t process_ = getpid();
    bool isActive_ = false;
    // The driver has.
    std::atomic<bool> isStarted_{false};
    CUpti_SubscriberHandle subscriber_{};
    Launchers launchers_;
    std::atomic<const KnownSite*> sites_[2][sitesSize]{};
    std::atomic<std::size_t> lent_{0};
    std::atomic<std::size_t> mostBytes_{std::size_t(64) << 20};
    std::atomic<std::uint64_t> dropped_{0};
    // Of the three below.
    std::mutex mutex_;
    std::vector<Records> filled_;
    std::vector<const ThreadRecorder*> threads_;
    // What can't be had, and why.
    std::map<std::string, std::string> missing_;
    // Of who writes.
    Output* output_ = nullptr;
    std::vector<ThreadOutput*> outputs_;
    std::uint64_t toOwnClock_ = 0;
    std::unordered_map<std::string, std::string> names_;
    std::map<std::uint32_t, std::string> devices_;
    // Those whose names the session's file has.
    std::set<std::uint32_t> named_;
    Nvml nvml_;
};

[[maybe_unused]] const bool hasCuda = [] {
    // Never destroyed: CUPTI calls back until the process ends.
    if (auto* const runtime = isWanted() ? Recorder::runtime() : nullptr) runtime->addSource(new Cuda);
    return true;
}();

}  // namespace

#endif

// What regions need of the process: whether anything is recorded, and the recorder of this thread.
#pragma once

#include <atomic>
#include <cstdio>
#include <string_view>

#include "frames.hpp"
#include "settings.hpp"
#include "skipped.hpp"
#include "thread.hpp"

namespace heatflow::detail {

class EventSource;
class Symbols;
struct Library;

// All else that a process records by: `Process`, which every file that includes the tracker brings along, or, with HEATFLOW_RUNTIME,
// only src/heatflow.cpp. One per process. Texts as C has them: the two may be compiled with different standard libraries.
class Runtime {
public:
    // A recorder for this thread, which has none; nothing where nothing is to be recorded.
    virtual ThreadRecorder* enter() = 0;
    // Begins a session, unless one has begun. False where it is not wanted or its file can't be made, which is said once.
    virtual bool start(const Settings& settings) = 0;
    // Ends the session: all that was recorded is in the file, which is moved to `path` unless that is empty. False where a part
    // could not be written, which is said.
    virtual bool dump(const char* path) = 0;
    // From MPI, which knows it only when it has begun.
    virtual void setPlace(int rank, int size) = 0;
    // The recorder's own of a site of the source, or of one whose name is made while the program runs: one per content. Waits for other
    // threads that ask at the same time.
    virtual const KnownSite& site(const KnownSite& site) = 0;
    // An attribute of the innermost region of the calling thread, whose recorder this is.
    virtual void attribute(ThreadRecorder& thread, const char* key, const char* text) = 0;
    virtual void attribute(ThreadRecorder& thread, const char* key, double number) = 0;
    // Reports the end of a region of the calling thread whose begin is not recorded.
    virtual void endWithoutBegin(const char* name) = 0;
    // Reports a region that begins after the recording was written.
    virtual void beginTooLate() = 0;
    // Before the first region: what says which functions stand at addresses.
    virtual void setSymbols(Symbols* symbols) = 0;
    // Sets the function that calls empty instrumented functions. Called before the first region.
    virtual void setEmptyFunctions(void (*functions)(int calls)) = 0;
    // Before the first region: what happens beside the threads.
    virtual void addSource(EventSource* source) = 0;
    // The program is about to unload libraries.
    virtual void unloading() = 0;
    // The program has unloaded a library. Another one may get its addresses.
    virtual void unloaded(const Library& library) = 0;

protected:
    ~Runtime() = default;
};

// The same in every file and library of a process, however they are compiled: a library that is loaded before the program finds it.
class __attribute__((visibility("default"))) Recorder {
public:
    // Whether the tracker is compiled to nothing.
#ifdef HEATFLOW_OFF
    static constexpr bool isOff = true;
#else
    static constexpr bool isOff = false;
#endif

    // The recorder of this thread; nothing while nothing is to be recorded.
    static ThreadRecorder* current() {
        if (isOff) return nullptr;
        if (off_.load(std::memory_order_relaxed) != 0) return nullptr;
        ThreadRecorder* const known = current_;
        return known != nullptr ? known : enter();
    }

    // The same for a region that begins: one that comes too late is counted.
    static ThreadRecorder* forBegin() {
        if (isOff) return nullptr;
        ThreadRecorder* const thread = current();
        if (thread == nullptr && (off_.load(std::memory_order_relaxed) & over) != 0) runtime()->beginTooLate();
        return thread;
    }

    // Begins a region that is not a block. If nothing is recorded, remembers the region for its end.
    static void begin(const Site& site) {
        if (isOff) return;
        if (ThreadRecorder* const thread = forBegin()) thread->begin(keyOf(site));
        else skip(site.name);
    }

    // Remembers a region that is not a block and begins while nothing is recorded. Its end must not end another region.
    static void skip(std::string_view name) noexcept {
        if (isOff) return;
        if ((off_.load(std::memory_order_relaxed) & (forbidden | over)) == 0) skipped_.add(name, current_);
    }

    // Ends the innermost region of a name, with all that has begun within it.
    static void end(const char* name) {
        const std::string_view wanted = name;
        endWhere(name, [wanted](FrameKey frame) { return frame.isSite() && wanted == frame.site().name; });
    }

    // The same of the regions that a predicate of frames is true of.
    template <typename IsOf>
    static void endWhere(const char* name, IsOf&& isOf) {
        if (isOff) return;
        ThreadRecorder* const thread = current_;
        if (skipped_.isEmpty() ? thread != nullptr && thread->endWhere(isOf) : skipped_.end(name, thread, isOf)) return;
        if (off_.load(std::memory_order_relaxed) == 0 && provider_ != nullptr) provider_().endWithoutBegin(name);
    }

    // The recorder of this thread, to end what has begun: recorded to its end even where nothing new is.
    static ThreadRecorder* open() noexcept { return isOff ? nullptr : current_; }

    // A region of the source among frames. While this thread has a recorder.
    static FrameKey keyOf(const Site& site) {
        if (isOff) return {};
        const KnownSite* const known = site.known.load(std::memory_order_acquire);
        return FrameKey::of(known != nullptr ? *known : know(site));
    }

    // Regions that begin from now on are recorded, or not.
    static void record(bool enabled) noexcept {
        if (enabled) off_.fetch_and(~stopped, std::memory_order_relaxed);
        else off_.fetch_or(stopped, std::memory_order_relaxed);
    }

    // Nothing where no file of the program has brought one along, which is said once.
    static Runtime* runtime() {
        if (isOff) return nullptr;
        if (provider_ != nullptr) return &provider_();
        if ((off_.fetch_or(forbidden, std::memory_order_relaxed) & forbidden) == 0 && isWanted())
            std::fputs("heatflow: nothing is recorded: the program was compiled with HEATFLOW_RUNTIME, and tracker/src/heatflow.cpp is "
                       "neither linked nor loaded.\n",
                       stderr);
        return nullptr;
    }

private:
    friend class Process;

    __attribute__((noinline, cold)) static ThreadRecorder* enter() {
        Runtime* const known = runtime();
        return known != nullptr ? known->enter() : nullptr;
    }

    __attribute__((noinline, cold)) static const KnownSite& know(const Site& site) {
        const KnownSite& known = runtime()->site({site.name, site.file, site.line, site.category, site.every});
        site.known.store(&known, std::memory_order_release);
        return known;
    }

    // Why nothing is recorded: any of these; 0 where regions are.
    static constexpr unsigned stopped = 1, warmingUp = 2, forbidden = 4, ending = 8, over = 16;
    static inline std::atomic<unsigned> off_{0};
    static inline thread_local ThreadRecorder* current_ = nullptr;
    static inline thread_local SkippedRegions skipped_;
    // Set before any initializer of the program's own runs.
    static inline Runtime& (*provider_)() = nullptr;
};

}  // namespace heatflow::detail

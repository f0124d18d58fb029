// What a process records: its threads, and the thread that samples and writes.
#pragma once

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "calibration.hpp"
#include "counters.hpp"
#include "frames.hpp"
#include "output.hpp"
#include "recorded.hpp"
#include "recorder.hpp"
#include "resident.hpp"
#include "settings.hpp"
#include "sites.hpp"

namespace heatflow::detail {

// Never destroyed, since threads may outlive main. A session goes from `start` to `dump`; without a Tracker one begins with the first
// region and ends with the process.
class __attribute__((visibility("default"))) Process final : public Runtime {
public:
    // Before any initializer of the program's own runs. HEATFLOW_SIGNAL stops and starts recording while the program runs; with
    // HEATFLOW_START=0 it begins stopped.
    static void provide() noexcept {
        if (Recorder::provider_ != nullptr) return;
        if (isWanted()) stayLoaded();
        Recorder::provider_ = []() -> Runtime& { return instance(); };
        listen();
    }

    ThreadRecorder* enter() override {
        if (hasEnded_) return nullptr;
        const OwnMemory own;
        const std::lock_guard<std::mutex> lock(session_);
        if (isForbidden_ || (!isStarted_ && !startLocked(settingsOfEnvironment()))) return nullptr;
        // It may begin with a warm-up.
        if (off().load(std::memory_order_relaxed) != 0) return nullptr;
        static thread_local ThreadEnd end;
        end.touch();
        const std::lock_guard<std::mutex> threads(threads_);
        recorders_.push_back(new RecordedThread(settings_));
        return Recorder::current_ = recorders_.back();
    }

    bool start(const Settings& settings) override {
        const std::lock_guard<std::mutex> lock(session_);
        return startLocked(settings);
    }

    bool dump(const char* path) override {
        const std::lock_guard<std::mutex> lock(session_);
        return finishLocked(path);
    }

    void setPlace(int rank, int size) override {
        const std::lock_guard<std::mutex> lock(session_);
        place_ = {rank, size};
    }

    const KnownSite& site(const KnownSite& site) override { return sites_.find(site); }

    void attribute(ThreadRecorder& thread, const char* key, const char* text) override {
        static_cast<RecordedThread&>(thread).attribute(key, text, 0, false);
    }
    void attribute(ThreadRecorder& thread, const char* key, double number) override {
        static_cast<RecordedThread&>(thread).attribute(key, textOf(number), number, true);
    }

    void setSymbols(Symbols* symbols) override { symbols_ = symbols; }
    void setEmptyFunctions(void (*functions)(int calls)) override { emptyFunctions_ = functions; }
    void addSource(EventSource* source) override { sources_.push_back(source); }

private:
    Process() {
        pthread_atfork(beforeFork, afterForkInParent, afterForkInChild);
        if (!isWanted()) {
            isForbidden_ = true;
            off().fetch_or(Recorder::forbidden, std::memory_order_relaxed);
        }
    }

    ~Process() = default;

    static Process& instance() {
        static Process* const process = new Process;
        return *process;
    }

    static std::atomic<unsigned>& off() noexcept { return Recorder::off_; }

    static void listen() noexcept {
        if (numberOf("HEATFLOW_START", 1) == 0) off().fetch_or(Recorder::stopped, std::memory_order_relaxed);
        const int number = signalOf(std::getenv("HEATFLOW_SIGNAL"));
        if (number == 0 || !isWanted()) return;
        struct sigaction action {};
        action.sa_handler = [](int) { off().fetch_xor(Recorder::stopped, std::memory_order_relaxed); };
        action.sa_flags = SA_RESTART;
        sigaction(number, &action, nullptr);
    }

    // USR1, USR2 or a signal's number; 0 for what is none.
    static int signalOf(const char* text) noexcept {
        if (text == nullptr) return 0;
        if (std::strcmp(text, "USR1") == 0 || std::strcmp(text, "SIGUSR1") == 0) return SIGUSR1;
        if (std::strcmp(text, "USR2") == 0 || std::strcmp(text, "SIGUSR2") == 0) return SIGUSR2;
        const int number = std::atoi(text);
        return number > 0 && number < NSIG ? number : 0;
    }

    // Marks the end of a thread.
    struct ThreadEnd {
        ~ThreadEnd() {
            if (Recorder::current_ != nullptr) static_cast<RecordedThread*>(Recorder::current_)->keepName();
            Recorder::current_ = nullptr;
            hasEnded_ = true;
        }
        void touch() noexcept {}
    };

    bool startLocked(const Settings& settings) {
        if (isForbidden_) return false;
        if (isStarted_) return true;
        settings_ = settings;
        if (place_.rank < 0 && !isForked_) place_ = placeOfEnvironment();
        Output::Head head;
        head.program = programName();
        char host[256] = "";
        if (gethostname(host, sizeof host - 1) == 0) head.host = host;
        head.run = runOfEnvironment();
        head.job = jobOfEnvironment();
        head.excluded = settings.excluded;
        atStart_ = calibrated(settings);
        head.emptyRegion = atStart_.region;
        head.shortestEventNs = settings.shortestEventNs;
        counters_ = new Counters(settings.metrics);
        head.missing = counters_->missing();
        head.hasMore = settings.waiting || settings.allocations;
        head.hasReport = settings.report;
        output_ = new Output(symbols_);
        takeThreads();
        output_->start(outputs_);
        if (!begin(head)) {
            std::fprintf(stderr, "heatflow: %s can't be written: %s. Nothing is recorded.\n", printable(head.path).c_str(),
                         refused_.empty() ? output_->error().c_str() : refused_.c_str());
            delete output_;
            output_ = nullptr;
            delete counters_;
            counters_ = nullptr;
            outputs_.clear();
            isForbidden_ = true;
            off().fetch_or(Recorder::forbidden, std::memory_order_relaxed);
            return false;
        }
        for (EventSource* source : sources_) source->begin(settings.bufferBytes);
        isStarted_ = true;
        ranAtStart_ = processTime();
        writerRan_ = 0;
        if (settings.warmUpMs > 0) off().fetch_or(Recorder::warmingUp, std::memory_order_relaxed);
        if (!isAtExit_) isAtExit_ = std::atexit([] { instance().dump(""); }) == 0;
        startWriter();
        return true;
    }

    // Opens a file for the session, and writes its head.
    bool begin(Output::Head& head) { return openFile(head) && output_->begin(head); }

    // A name that exists is left alone, and the recording has the next one that is free: it may be that of another job in the same folder,
    // of another process with the same number, or of the program that this process was before exec. Only a fixed name that the user has
    // given is that of the last run: the file of a run before makes room. A process that a rank has started finds the rank's file: it is
    // no rank.
    bool openFile(Output::Head& head) {
        constexpr int mostNumbers = 10'000;
        const std::string pattern = outputPattern(settings_, place_);
        const std::string wanted = pathOf(pattern, place_.rank);
        const bool isFixed = !settings_.output.empty() && !hasPlaces(pattern);
        head.rank = place_.rank;
        head.ranks = place_.size;
        bool isUnexpected = false;
        // Clock ticks at which the first process of this run began, as far as it is known.
        std::uint64_t began = ProcessFacts::of(getpid()).started;
        int number = 1;
        for (int attempt = 0; attempt < mostNumbers; ++attempt) {
            head.path = number == 1 ? wanted : pathWith(wanted, "-" + std::to_string(number));
            const JsonFile::Opened opened = output_->open(head.path);
            if (opened == JsonFile::Opened::failed) return false;
            if (opened == JsonFile::Opened::isNew) {
                // One rank of all says it.
                if (isUnexpected && place_.rank <= 0)
                    std::fprintf(stderr, "heatflow: %s is there already: this recording is in %s.\n", printable(wanted).c_str(),
                                 printable(head.path).c_str());
                return true;
            }
            const Existing existing = Existing::at(head.path, head.host, head.run);
            if (existing.kind != nullptr && isFixed && number == 1) {
                if (existing.isDevice && output_->openDevice(head.path)) return true;
                refused_ = std::string("it is ") + existing.kind;
                return false;
            }
            const bool isOfParent = existing.isOfAncestor || (existing.isInUse && existing.isOfRun);
            if (place_.rank >= 0 && isOfParent) {
                place_ = {};
                return openFile(head);
            }
            // Another process may have removed it meanwhile.
            const bool isFree = !existing.isThere ||
                                (isFixed && mayReplace(existing, began, number == 1) && unlink(head.path.c_str()) == 0);
            if (isFree) continue;
            if (number == 1) {
                isUnexpected = !isOfParent && !existing.isOwn;
                if (existing.holderStarted != 0) began = existing.holderStarted;
            }
            ++number;
        }
        refused_ = "there are too many files of that name";
        return false;
    }

    // A recording of a run before, under a fixed name. Under a name with a number only one that is surely not of this run's processes.
    static bool mayReplace(const Existing& existing, std::uint64_t began, bool isWanted) {
        constexpr std::int64_t inexact = 20'000'000;
        if (!existing.isRecording || existing.isInUse || existing.isOwn || existing.isOfAncestor) return false;
        return existing.modified < timeOfTicks(began) + (isWanted ? inexact : 0);
    }

    bool finishLocked(const std::string& path) {
        if (!isStarted_) return false;
        stopWriter();
        ranAtEnd_ = processTime();
        for (EventSource* source : sources_) source->gather(true);
        takeThreads();
        // No region begins for a moment, so that threads come to stand still.
        off().fetch_or(Recorder::ending, std::memory_order_relaxed);
        output_->end(outputs_);
        off().fetch_and(~Recorder::ending, std::memory_order_relaxed);
        output_->finish(outputs_, sources_, costs());
        bool isGood = output_->error().empty();
        const std::string at = printable(output_->head().path);
        if (!isGood) std::fprintf(stderr, "heatflow: %s is not whole: %s\n", at.c_str(), output_->error().c_str());
        if (!path.empty() && std::rename(output_->path().c_str(), path.c_str()) != 0) {
            std::fprintf(stderr, "heatflow: the recording stays at %s: %s\n", at.c_str(), std::strerror(errno));
            isGood = false;
        }
        delete output_;
        output_ = nullptr;
        delete counters_;
        counters_ = nullptr;
        outputs_.clear();
        isStarted_ = false;
        return isGood;
    }

    // Threads that have come since the last time.
    void takeThreads() {
        const std::lock_guard<std::mutex> lock(threads_);
        for (std::size_t at = outputs_.size(); at < recorders_.size(); ++at) outputs_.emplace_back(*recorders_[at]);
    }

    // The program's signals are for its own threads.
    void startWriter() {
        mustStop_ = false;
        sigset_t all, before;
        sigfillset(&all);
        const bool isMasked = pthread_sigmask(SIG_BLOCK, &all, &before) == 0;
        writer_ = new std::thread([this] {
            write();
            writerRan_ = threadTime();
        });
        if (isMasked) pthread_sigmask(SIG_SETMASK, &before, nullptr);
    }

    void stopWriter() {
        if (writer_ == nullptr) return;
        {
            const std::lock_guard<std::mutex> lock(wake_);
            mustStop_ = true;
        }
        woken_.notify_all();
        writer_->join();
        delete writer_;
        writer_ = nullptr;
    }

    void write() {
        std::unique_lock<std::mutex> lock(wake_);
        const auto period = std::chrono::milliseconds(settings_.samplePeriodMs == 0 ? 1 : settings_.samplePeriodMs);
        std::uint64_t lastPiece = now();
        std::vector<OpenSeen> open;
        const auto put = [this](const CounterList::Counter& one, std::uint64_t time) {
            output_->counter(one.name, one.value, time, one.kind == CounterKind::growing);
        };
        const auto sample = [&] {
            const std::uint64_t time = counters_->sample(put);
            sampleSources(time);
            return time;
        };
        sample();
        if (settings_.warmUpMs > 0) {
            if (woken_.wait_for(lock, std::chrono::milliseconds(settings_.warmUpMs), [this] { return mustStop_; })) return;
            off().fetch_and(~Recorder::warmingUp, std::memory_order_relaxed);
        }
        while (!woken_.wait_for(lock, period, [this] { return mustStop_; })) {
            const std::uint64_t time = sample();
            if (time - lastPiece < 450'000'000u) continue;
            lastPiece = time;
            for (EventSource* source : sources_) source->gather(false);
            takeThreads();
            // Sums first, which say the most in the fewest bytes.
            for (ThreadOutput& of : outputs_) {
                output_->threadName(of);
                output_->sumsSoFar(of);
                output_->attributesSoFar(of);
            }
            output_->flush();
            for (ThreadOutput& of : outputs_) {
                output_->regions(of);
                of.thread().openRegions(open);
                output_->announce(of, open, time);
            }
            for (EventSource* source : sources_) source->write(*output_, outputs_);
            output_->flush();
        }
        const std::uint64_t end = counters_->finish(put);
        sampleSources(end);
    }

    void sampleSources(std::uint64_t time) {
        if (settings_.metrics == "0") return;
        for (EventSource* source : sources_) source->sample(*output_, time);
    }

    static std::string programName() {
        char path[4096];
        const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
        if (length <= 0) return "program";
        const std::string whole(path, std::size_t(length));
        return whole.substr(whole.rfind('/') + 1);
    }

    Calibration calibrated(const Settings& settings) const {
        const bool isRecording = off().load(std::memory_order_relaxed) == 0;
        return Calibration(settings, isRecording ? emptyFunctions_ : nullptr, [](ThreadRecorder& scratch, const auto& loop) {
            ThreadRecorder* const own = Recorder::current_;
            Recorder::current_ = &scratch;
            loop();
            Recorder::current_ = own;
        });
    }

    // What recording has cost, per region as the program had them.
    Output::Costs costs() {
        const Calibration atEnd = calibrated(settings_);
        CostSample::Sum sum;
        for (const ThreadOutput& of : outputs_) sum.add(of.thread().costSample);
        const double excess = (atStart_.excess(sum) + atEnd.excess(sum)) / 2;
        const auto inProgram = [&](Cost Calibration::*of) {
            const Cost empty = Cost::mean(atStart_.*of, atEnd.*of);
            return Cost{empty.caller + excess, empty.callee};
        };
        const std::uint64_t ran = ranAtEnd_ - ranAtStart_;
        return {atEnd.region, inProgram(&Calibration::region), inProgram(&Calibration::function), ran - std::min(ran, writerRan_), writerRan_};
    }

    // A child has no writer, and its parent's file is not its own: it begins anew, with a file of its own.
    static void beforeFork() {
        instance().session_.lock();
        instance().wake_.lock();
        instance().threads_.lock();
        instance().sites_.mutex().lock();
    }
    static void afterForkInParent() {
        instance().sites_.mutex().unlock();
        instance().threads_.unlock();
        instance().wake_.unlock();
        instance().session_.unlock();
    }
    static void afterForkInChild() {
        Process& process = instance();
        process.sites_.mutex().unlock();
        process.threads_.unlock();
        process.wake_.unlock();
        if (process.isStarted_) {
            // None is destroyed: the thread is not there, and another may have been within the output.
            process.output_->abandon();
            process.output_ = nullptr;
            process.counters_ = nullptr;
            process.writer_ = nullptr;
            process.outputs_.clear();
            process.recorders_.clear();
            Recorder::current_ = nullptr;
            process.isStarted_ = false;
        }
        // It is no rank of its own, unless MPI says so, when what it comes from has recorded as one.
        if (process.isAtExit_) {
            process.place_ = {};
            process.isForked_ = true;
        }
        process.session_.unlock();
    }

    static inline thread_local bool hasEnded_ = false;

    // Taken in this order: session, wake, threads, sites.
    std::mutex session_;
    std::mutex wake_;
    std::mutex threads_;
    KnownSites sites_;
    std::condition_variable woken_;
    std::vector<RecordedThread*> recorders_;
    // Of the writer while there is one, else of whoever holds the session.
    std::vector<ThreadOutput> outputs_;
    Output* output_ = nullptr;
    Counters* counters_ = nullptr;
    std::thread* writer_ = nullptr;
    Settings settings_;
    Place place_;
    Symbols* symbols_ = nullptr;
    Calibration::EmptyFunctions emptyFunctions_ = nullptr;
    Calibration atStart_{};
    // Nanoseconds that the process had run when the session began and ended; and the writer in it.
    std::uint64_t ranAtStart_ = 0;
    std::uint64_t ranAtEnd_ = 0;
    std::uint64_t writerRan_ = 0;
    std::vector<EventSource*> sources_;
    bool mustStop_ = false;
    bool isStarted_ = false;
    bool isForbidden_ = false;
    bool isAtExit_ = false;
    bool isForked_ = false;
    // Why there is no file, if the system does not say.
    std::string refused_;
};

__attribute__((constructor(101), no_instrument_function)) static void provideProcess() noexcept {
    Process::provide();
}

}  // namespace heatflow::detail

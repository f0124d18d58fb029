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
#include <unordered_map>
#include <utility>
#include <vector>

#include "calibration.hpp"
#include "counters.hpp"
#include "ended.hpp"
#include "programEnd.hpp"
#include "facts.hpp"
#include "frames.hpp"
#include "inherited.hpp"
#include "output.hpp"
#include "recorded.hpp"
#include "recorder.hpp"
#include "resident.hpp"
#include "settings.hpp"
#include "sites.hpp"
#include "undisturbed.hpp"

namespace heatflow::detail {

// Never destroyed, since threads may outlive main. A session goes from `start` to `dump`; without a Tracker one begins with the first
// region and ends with the process.
class __attribute__((visibility("default"))) Process final : public Runtime {
public:
    // Before any initializer of the program's own runs. HEATFLOW_SIGNAL stops and starts recording while the program runs; with
    // HEATFLOW_START=0 it begins stopped. Gives whether it is this call that provides it.
    static bool provide() noexcept {
        if (Recorder::provider_ != nullptr) return false;
        if (isWanted()) stayLoaded();
        Recorder::provider_ = []() -> Runtime& { return instance(); };
        listen();
        return true;
    }

    // Called after everything else in the program has ended.
    static void finish() {
        if (const OwnMemory own; existing_ != nullptr) existing_->endOfProgram();
    }

    ThreadRecorder* enter() override {
        if (isQuiet_) return nullptr;
        if (hasEnded_) {
            tooLate_.add();
            return nullptr;
        }
        const OwnMemory own;
        const Undisturbed whole;
        const Working working;
        const std::lock_guard<std::mutex> lock(session_);
        if (!isStarted_) ofProgram_ = whole.before();
        if (isForbidden_ || (!isStarted_ && !startLocked(settingsOfEnvironment()))) return nullptr;
        // It may begin with a warm-up.
        if (off().load(std::memory_order_relaxed) != 0) return nullptr;
        const std::lock_guard<std::mutex> threads(threads_);
        recorders_.push_back(new RecordedThread(settings_, OwnStack::ofThisThread()));
        recorders_.back()->number = newNumber(recorders_.back()->id);
        Recorder::current_ = recorders_.back();
        if (hasKey_) pthread_setspecific(endKey_, recorders_.back());
        return Recorder::current_;
    }

    bool start(const Settings& settings) override {
        const Undisturbed whole;
        const Working working;
        const std::lock_guard<std::mutex> lock(session_);
        if (!isStarted_) ofProgram_ = whole.before();
        return startLocked(settings);
    }

    bool dump(const char* path) override {
        const Undisturbed whole(Undisturbed::Work::lengthy);
        const Working working;
        const std::lock_guard<std::mutex> lock(session_);
        if (!isStarted_) return false;
        const Quiet quiet;
        endLocked();
        const bool isGood = closeLocked(path);
        tooLate_.reset();
        return isGood;
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

    void endWithoutBegin(const char* name) override {
        const OwnMemory own;
        const Undisturbed whole;
        const std::lock_guard<std::mutex> lock(threads_);
        if (endsWithoutBegin_++ == 0) firstEndWithoutBegin_ = name;
    }
    void beginTooLate() override { tooLate_.add(); }

    void setSymbols(Symbols* symbols) override { symbols_ = symbols; }
    void setEmptyFunctions(void (*functions)(int calls)) override { emptyFunctions_ = functions; }
    void addSource(EventSource* source) override { sources_.push_back(source); }

    // Called before libraries are unloaded. Refreshes the symbols, so that the writer still finds names of their functions.
    void unloading() override {
        if (isWorking_) return;
        const OwnMemory own;
        const Undisturbed whole;
        const std::lock_guard<std::mutex> session(session_);
        const Quiet quiet;
        const std::lock_guard<std::mutex> wake(wake_);
        if (symbols_ != nullptr) symbols_->refresh();
    }

    // Names the library's functions at once, and gives them unique keys. Their contexts end: the same library at the same address gets new
    // ones.
    void unloaded(const Library& library) override {
        if (isWorking_) return;
        const OwnMemory own;
        const Undisturbed whole;
        const std::lock_guard<std::mutex> session(session_);
        const Quiet quiet;
        // The writer is between two turns.
        const std::lock_guard<std::mutex> wake(wake_);
        const std::lock_guard<std::mutex> lock(threads_);
        if (symbols_ == nullptr) return;
        const auto keyOf = [&](FrameKey key) {
            if (!key.isAddress() || !library.has(key.address())) return key;
            const FrameFacts facts = symbols_->nameIn(library, key.address());
            const std::string known = facts.name + '\n' + std::to_string(facts.offset) + '\n' + facts.module;
            return FrameKey::of(gone_.emplace(known, GoneFunction{facts}).first->second);
        };
        for (RecordedThread* const thread : recorders_) thread->rename(keyOf);
        for (EndedThread& thread : ended_) thread.rename(keyOf);
        for (Inherited& one : inherited_)
            for (ThreadOutput& of : one.threads()) of.thread().rename(keyOf);
        if (output_ != nullptr) output_->rename(keyOf);
        symbols_->forget(library);
    }

private:
    Process() {
        pthread_atfork(beforeFork, afterForkInParent, afterForkInChild);
        hasKey_ = pthread_key_create(&endKey_, endOfThread) == 0;
        if (!isWanted()) {
            isForbidden_ = true;
            off().fetch_or(Recorder::forbidden, std::memory_order_relaxed);
        }
    }

    ~Process() = default;

    static Process& instance() {
        static Process* const process = existing_ = new Process;
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

    // Called when a thread ends, after destructors of its objects. Destructors of other keys run in several turns and may contain regions, so
    // this waits for a later turn. The last turn is left to the sanitizers.
    static void endOfThread(void* recorder) {
        constexpr int lastTurn = 3;
        if (++turnsOfEnd_ < lastTurn && pthread_setspecific(instance().endKey_, recorder) == 0) return;
        Recorder::current_ = nullptr;
        hasEnded_ = true;
        instance().leave(static_cast<RecordedThread*>(recorder));
    }

    // While one is there, this thread records nothing: what the tracker itself calls may be the program's instrumented copy.
    class Quiet {
    public:
        Quiet() noexcept : recorder_(Recorder::current_) {
            Recorder::current_ = nullptr;
            isQuiet_ = true;
        }
        ~Quiet() {
            Recorder::current_ = recorder_;
            isQuiet_ = false;
        }
        Quiet(const Quiet&) = delete;
        Quiet& operator=(const Quiet&) = delete;

    private:
        ThreadRecorder* const recorder_;
    };

    // While an object of this class exists, this thread begins, ends or writes a session. Libraries that it unloads are those of event sources.
    class Working {
    public:
        Working() noexcept { isWorking_ = true; }
        ~Working() { isWorking_ = false; }
        Working(const Working&) = delete;
        Working& operator=(const Working&) = delete;
    };

    // `pthread_exit` in main: the process ends with its last thread, for which the writer is on the watch from now on.
    void mainHasEnded() {
        const std::lock_guard<std::mutex> lock(wake_);
        mustWatch_ = true;
        woken_.notify_all();
    }

    // Called when a thread has ended, with all of its regions. The memory of a short thread is freed at once, of others after the writer has
    // read it. The process's first thread stays, since regions at the end of the process belong to it.
    void leave(RecordedThread* thread) {
        const OwnMemory own;
        const Undisturbed whole;
        thread->keepName();
        if (thread->id == getpid()) return mainHasEnded();
        // Who holds a region of it still, in an object of the thread, ends none.
        constexpr std::size_t manyEnded = 256;
        bool haveMany = false;
        if (thread->isHeld()) thread->isReferredTo = true;
        thread->endAll();
        {
            const std::lock_guard<std::mutex> lock(threads_);
            thread->hasEnded = true;
            if (thread->isTaken || thread->isReferredTo || (isStarted_ && !EndedThread::isShort(*thread))) return;
            if (isStarted_) ended_.emplace_back(*thread);
            forget(thread);
            haveMany = ended_.size() == manyEnded;
        }
        delete thread;
        // If the writer misses it, it takes them at its next turn.
        if (haveMany) {
            mustTake_ = true;
            woken_.notify_all();
        }
    }

    void forget(RecordedThread* thread) {
        const auto found = std::find(recorders_.begin(), recorders_.end(), thread);
        if (found == recorders_.end()) return;
        changesOfGone_ += 1 + thread->changes();
        costOfGone_.add(thread->costSample);
        *found = recorders_.back();
        recorders_.pop_back();
    }

    // The system reuses the numbers of ended threads.
    long newNumber(long number) {
        constexpr long mostThreads = 1L << 22;
        while (std::size_t(number) < areUsed_.size() && areUsed_[std::size_t(number)]) number += mostThreads;
        if (std::size_t(number) >= areUsed_.size()) areUsed_.resize(std::size_t(number) + 1);
        areUsed_[std::size_t(number)] = true;
        return number;
    }

    bool startLocked(const Settings& settings) {
        if (isForbidden_ || (off().load(std::memory_order_relaxed) & Recorder::over) != 0) return false;
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
        for (const Inherited& one : inherited_) head.earliestStart = std::min(head.earliestStart, one.start());
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
            forgetEnded();
            isForbidden_ = true;
            off().fetch_or(Recorder::forbidden, std::memory_order_relaxed);
            return false;
        }
        for (EventSource* source : sources_) source->begin(settings.bufferBytes);
        {
            const std::lock_guard<std::mutex> threads(threads_);
            isStarted_ = true;
        }
        char folder[4096];
        if (folder_.empty() && getcwd(folder, sizeof folder) != nullptr) folder_ = std::string(folder) + "/";
        ran_ = writerRan_ = 0;
        ranSince_ = processTime();
        if (settings.warmUpMs > 0) off().fetch_or(Recorder::warmingUp, std::memory_order_relaxed);
        if (!isAtExit_) isAtExit_ = std::atexit([] { instance().beginOfEnd(); }) == 0;
        startWriter();
        return true;
    }

    // Opens a file for the session, and writes its head.
    bool begin(Output::Head& head) { return openFile(head) && output_->begin(head); }

    // If the name exists, the recording gets the next free one. The file may be that of another job in the same folder, of another process
    // with the same number, or of the program before exec. Only a fixed name from the user is used again: it replaces the file of an earlier
    // run. A process started by a rank finds the rank's file, and so is not a rank itself.
    bool openFile(Output::Head& head) {
        constexpr int mostNumbers = 10'000;
        const std::string pattern = outputPattern(settings_, place_);
        const std::string wanted = inFolder(pathOf(pattern, place_.rank));
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
                // Only one rank prints it.
                if (isUnexpected && place_.rank <= 0)
                    std::fprintf(stderr, "heatflow: %s already exists. This recording is in %s.\n", printable(wanted).c_str(),
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

    // Whether the file is a recording of an earlier run. A numbered name is only replaced if no process of this run can have written it.
    static bool mayReplace(const Existing& existing, std::uint64_t began, bool isWanted) {
        constexpr std::int64_t inexact = 20'000'000;
        if (!existing.isRecording || existing.isInUse || existing.isOwn || existing.isOfAncestor) return false;
        return existing.modified < timeOfTicks(began) + (isWanted ? inexact : 0);
    }

    // Paths of a process that was forked begin where those of the first one do, which daemon() leaves.
    std::string inFolder(const std::string& path) const {
        return !isForked_ || path.empty() || path.front() == '/' ? path : folder_ + path;
    }

    // Finishes the file when the program begins to end, in case the end fails. Event sources may be gone after the destructors, in which
    // regions may still begin.
    void beginOfEnd() {
        const Undisturbed whole(Undisturbed::Work::lengthy);
        const Working working;
        const std::lock_guard<std::mutex> lock(session_);
        const Quiet quiet;
        if (isStarted_ || (waitForParents() > 0 && startLocked(settings_))) endLocked();
    }

    // Called last in the program. Writes the end of the file again if more was recorded since.
    void endOfProgram() {
        const Undisturbed whole(Undisturbed::Work::lengthy);
        const Working working;
        const std::lock_guard<std::mutex> lock(session_);
        const Quiet quiet;
        if (isStarted_ && (!isEnding_ || changes() != changesAtEnd_)) endLocked();
        off().fetch_or(Recorder::over, std::memory_order_relaxed);
        if (!isStarted_) return;
        const off_t at = output_->afterEndAt();
        const std::string path = output_->path();
        if (closeLocked("")) tooLate_.writeTo(path, at);
    }

    // Number of recordings of parents that belong to this process now. Called while there is no writer.
    std::ptrdiff_t waitForParents() const {
        return std::count_if(inherited_.begin(), inherited_.end(), [](const Inherited& one) { return one.isThere(); });
    }

    // Writes the whole recording to the file, which stays open.
    void endLocked() {
        if (!isEnding_) stopWriter();
        ran_ += processTime() - ranSince_;
        if (!isEnding_) {
            waitForParents();
            for (EventSource* source : sources_) source->gather(true);
            atEnd_ = calibrated(settings_);
            isEnding_ = true;
        }
        changesAtEnd_ = changes();
        output_->goOn();
        takeThreads();
        takeInherited();
        // No region begins for a moment, so that threads come to stand still.
        off().fetch_or(Recorder::ending, std::memory_order_relaxed);
        output_->end(outputs_);
        off().fetch_and(~Recorder::ending, std::memory_order_relaxed);
        {
            const std::lock_guard<std::mutex> lock(threads_);
            end_.endsWithoutBegin = endsWithoutBegin_;
            end_.firstEndWithoutBegin = firstEndWithoutBegin_;
        }
        end_.regionsAfterEnd = tooLate_.count();
        end_.costs = costs();
        output_->finish(outputs_, sources_, end_);
        ranSince_ = processTime();
    }

    // A number that changes with everything that is recorded.
    std::uint64_t changes() {
        const std::lock_guard<std::mutex> lock(threads_);
        std::uint64_t sum = recorders_.size() + changesOfGone_ + endsWithoutBegin_ + tooLate_.count();
        for (const RecordedThread* thread : recorders_) sum += thread->changes();
        return sum;
    }

    // Closes the file. Moves it to `path` unless that is empty.
    bool closeLocked(const std::string& path) {
        output_->close();
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
        isEnding_ = false;
        forgetEnded();
        const std::lock_guard<std::mutex> lock(threads_);
        endsWithoutBegin_ = 0;
        return isGood;
    }

    // Takes threads that began since the last call, and writes the data of those that have already ended.
    void takeThreads() {
        takeRecorders();
        writeEnded();
    }

    // Takes threads that began since the last call.
    void takeRecorders() {
        const std::lock_guard<std::mutex> lock(threads_);
        for (RecordedThread* const thread : recorders_)
            if (!std::exchange(thread->isTaken, true)) outputs_.emplace_back(*thread);
        for (ThreadOutput& of : outputs_) of.isLast = of.thread().hasEnded;
    }

    // Writes the data of short threads that have ended.
    void writeEnded() {
        std::vector<EndedThread> ended;
        {
            const std::lock_guard<std::mutex> lock(threads_);
            ended.swap(ended_);
        }
        for (const EndedThread& one : ended) output_->ended(one);
    }

    // Releases ended threads whose data is written.
    void releaseEnded() {
        const auto isKept = [this](const ThreadOutput& of) {
            if (!of.isLast || of.thread().isReferredTo) return true;
            output_->ended(of);
            release(&of.thread());
            return false;
        };
        outputs_.erase(std::stable_partition(outputs_.begin(), outputs_.end(), isKept), outputs_.end());
    }

    void release(RecordedThread* thread) {
        {
            const std::lock_guard<std::mutex> lock(threads_);
            forget(thread);
        }
        delete thread;
    }

    // Releases ended threads after a session.
    void forgetEnded() {
        std::vector<RecordedThread*> ended;
        {
            const std::lock_guard<std::mutex> lock(threads_);
            isStarted_ = false;
            ended_.clear();
            for (RecordedThread* const thread : recorders_) {
                thread->isTaken = false;
                if (thread->hasEnded && !thread->isReferredTo) ended.push_back(thread);
            }
        }
        for (RecordedThread* const thread : ended) release(thread);
    }

    // Takes over recordings of parents that have ended without finishing their files.
    void takeInherited() {
        for (std::size_t at = 0; at < inherited_.size();) {
            Inherited& one = inherited_[at];
            const Inherited::State state = one.take();
            if (state == Inherited::State::isPending) {
                ++at;
                continue;
            }
            if (state == Inherited::State::isOurs) {
                const std::lock_guard<std::mutex> lock(threads_);
                for (std::size_t taken = outputs_.size(); taken < recorders_.size(); ++taken) outputs_.emplace_back(*recorders_[taken]);
                output_->beganAt(one.start());
                for (ThreadOutput& of : one.threads()) {
                    recorders_.push_back(&of.thread());
                    recorders_.back()->isTaken = true;
                    outputs_.push_back(std::move(of));
                }
            }
            inherited_.erase(inherited_.begin() + std::ptrdiff_t(at));
        }
    }

    // The program's signals are for its own threads.
    void startWriter() {
        mustStop_ = mustWatch_ = false;
        const Undisturbed whole;
        writer_ = new std::thread([this] {
            const Working working;
            write();
            writerRan_ = threadTime();
        });
    }

    // Prepares the writer, which is the last thread, to end the process: exit handlers run in it.
    void endAsLastThread() {
        writer_->detach();
        delete writer_;
        writer_ = nullptr;
        pthread_sigmask(SIG_SETMASK, &ofProgram_, nullptr);
    }

    // Unblocks signals that end the process: no other thread may be left to take them.
    static void takeEndingSignals() noexcept {
        sigset_t ending;
        sigemptyset(&ending);
        for (const int number : {SIGTERM, SIGINT, SIGHUP, SIGQUIT})
            if (!Undisturbed::hasHandler(number)) sigaddset(&ending, number);
        pthread_sigmask(SIG_UNBLOCK, &ending, nullptr);
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
        const std::uint64_t period = (settings_.samplePeriodMs == 0 ? 1 : settings_.samplePeriodMs) * std::uint64_t(1'000'000);
        bool isLast = false, isWatching = false;
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
        // Pieces are frequent at first, since a program may end soon, and then rarer, to cost less.
        constexpr std::uint64_t firstPiece = 50'000'000, longestPiece = 500'000'000;
        // Period while the program may end at any moment without `exit`.
        constexpr std::uint64_t watchPeriod = 25'000'000;
        std::uint64_t betweenPieces = firstPiece;
        std::uint64_t nextPiece = now() + betweenPieces, nextSample = now() + period;
        while (!mustStop_) {
            nextPiece = std::max(nextPiece, quietUntil_);
            const std::uint64_t next = std::min({nextPiece, nextSample, mustWatch_ ? now() + watchPeriod : nextPiece});
            const bool wasWatching = mustWatch_;
            const std::uint64_t before = now();
            const auto wait = std::chrono::nanoseconds(next > before ? next - before : 0);
            if (woken_.wait_for(lock, wait, [&] { return mustStop_ || mustTake_ || mustWatch_ != wasWatching; }) && mustStop_) break;
            if (mustTake_.exchange(false) && now() >= quietUntil_) writeEnded();
            if (mustWatch_ && !isWatching) takeEndingSignals();
            isWatching = mustWatch_;
            if (mustWatch_ && isLastThread()) {
                isLast = true;
                break;
            }
            std::uint64_t time = now();
            if (time >= nextSample) {
                time = sample();
                nextSample = time + period;
            }
            if (time < nextPiece || time < quietUntil_) continue;
            betweenPieces = std::min(2 * betweenPieces, longestPiece);
            nextPiece = time + betweenPieces;
            // Where main has recorded nothing it has not told that it ends.
            if (!mustWatch_ && isMainGone()) mustWatch_ = true;
            for (EventSource* source : sources_) source->gather(false);
            takeThreads();
            takeInherited();
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
            releaseEnded();
            output_->flush();
        }
        const std::uint64_t end = counters_->finish(put);
        sampleSources(end);
        if (isLast) endAsLastThread();
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

    // Cost of recording per region and function, with the excess measured in the program.
    Output::Costs costs() {
        CostSample::Sum sum;
        {
            const std::lock_guard<std::mutex> lock(threads_);
            sum = costOfGone_;
        }
        for (const ThreadOutput& of : outputs_) sum.add(of.thread().costSample);
        const double excess = (atStart_.excess(sum) + atEnd_.excess(sum)) / 2;
        const auto inProgram = [&](Cost Calibration::*of) {
            const Cost empty = Cost::mean(atStart_.*of, atEnd_.*of);
            return Cost{empty.caller + excess, empty.callee};
        };
        return {atEnd_.region, inProgram(&Calibration::region), inProgram(&Calibration::function), ran_ - std::min(ran_, writerRan_), writerRan_};
    }

    // Stops writing for a moment after a fork: if the process ends meanwhile, its child takes over the recording.
    void waitForChild() {
        constexpr std::uint64_t aMoment = 200'000'000;
        if (isStarted_ && !isEnding_ && output_->isEarlyAt(now())) quietUntil_ = now() + aMoment;
    }

    // In a forked child: takes the parent's recording so far, if the session began shortly before. It ends at the fork.
    void inherit() {
        if (isEnding_ || !output_->isEarlyAt(now())) return;
        takeRecorders();
        const auto isLost = [](const ThreadOutput& of) { return !of.thread().isSettled(); };
        outputs_.erase(std::remove_if(outputs_.begin(), outputs_.end(), isLost), outputs_.end());
        for (ThreadOutput& of : outputs_) {
            of.thread().endAll();
            of.beginAnew();
        }
        inherited_.emplace_back(output_->path(), output_->written(), output_->startedAt(), std::move(outputs_));
    }

    // A child has no writer, and its parent's file is not its own: it begins anew, with a file of its own.
    static void beforeFork() {
        instance().session_.lock();
        instance().wake_.lock();
        instance().threads_.lock();
        instance().sites_.mutex().lock();
    }
    static void afterForkInParent() {
        instance().waitForChild();
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
        process.tooLate_.forgetFile();
        if (process.isStarted_) {
            if (Recorder::current_ != nullptr) Recorder::skipped_.addOpen(*Recorder::current_);
            // First of all: the file is the parent's, which goes on to write what has gathered.
            process.output_->abandon();
            process.inherit();
            // None is destroyed: the thread is not there, and another may have been within the output.
            process.output_ = nullptr;
            process.counters_ = nullptr;
            process.writer_ = nullptr;
            process.outputs_.clear();
            process.recorders_.clear();
            process.ended_.clear();
            Recorder::current_ = nullptr;
            process.isStarted_ = process.isEnding_ = false;
            process.endsWithoutBegin_ = 0;
        }
        // It is no rank of its own, unless MPI says so, when what it comes from has recorded as one.
        if (process.isAtExit_) {
            process.place_ = {};
            process.isForked_ = true;
        }
        process.session_.unlock();
    }

    static inline Process* existing_ = nullptr;
    static inline thread_local bool hasEnded_ = false;
    static inline thread_local int turnsOfEnd_ = 0;
    static inline thread_local bool isQuiet_ = false;
    static inline thread_local bool isWorking_ = false;

    // Taken in this order: session, wake, threads, sites.
    std::mutex session_;
    std::mutex wake_;
    std::mutex threads_;
    KnownSites sites_;
    std::condition_variable woken_;
    // Recorders of running threads, and of ended ones that the writer has yet to read.
    std::vector<RecordedThread*> recorders_;
    std::vector<EndedThread> ended_;
    std::uint64_t changesOfGone_ = 0;
    CostSample::Sum costOfGone_;
    // Functions of unloaded libraries, by name, library and address in it. Elements never move.
    std::unordered_map<std::string, GoneFunction> gone_;
    // Whether a thread has had a number, by number.
    std::vector<bool> areUsed_;
    // Of the writer while there is one, else of whoever holds the session.
    std::vector<ThreadOutput> outputs_;
    Output* output_ = nullptr;
    Counters* counters_ = nullptr;
    std::thread* writer_ = nullptr;
    Settings settings_;
    Place place_;
    Symbols* symbols_ = nullptr;
    Calibration::EmptyFunctions emptyFunctions_ = nullptr;
    Calibration atStart_{}, atEnd_{};
    // CPU time of the process while it was recorded, without writing ends; its CPU time when that began; and CPU time of the writer. All in
    // nanoseconds.
    std::uint64_t ran_ = 0;
    std::uint64_t ranSince_ = 0;
    std::uint64_t writerRan_ = 0;
    std::vector<EventSource*> sources_;
    bool mustStop_ = false;
    bool mustWatch_ = false;
    std::uint64_t quietUntil_ = 0;
    // Set when many threads have ended.
    std::atomic<bool> mustTake_{false};
    // Written under the locks of the session and of threads.
    bool isStarted_ = false;
    // Whether the file has an end, which may be written again.
    bool isEnding_ = false;
    std::uint64_t changesAtEnd_ = 0;
    Output::End end_;
    std::uint64_t endsWithoutBegin_ = 0;
    std::string firstEndWithoutBegin_;
    TooLate tooLate_;
    std::vector<Inherited> inherited_;
    // The working folder when the first session began, with a slash.
    std::string folder_;
    pthread_key_t endKey_{};
    bool hasKey_ = false;
    sigset_t ofProgram_{};
    bool isForbidden_ = false;
    bool isAtExit_ = false;
    bool isForked_ = false;
    // Why there is no file, if the system does not say.
    std::string refused_;
};

// Whether this file provides the process's recorder, and ends it. Other files with the same code do not.
static bool providesProcess = false;
__attribute__((constructor(101), no_instrument_function)) static void provideProcess() noexcept {
    providesProcess = Process::provide();
}
__attribute__((destructor(101), no_instrument_function)) static void finishProcess() {
    if (providesProcess) Process::finish();
}

}  // namespace heatflow::detail

// The recording as it is written: Chrome's Trace Event Format, with sections of its own (tracker/README.md).
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "counters/list.hpp"
#include "ended.hpp"
#include "facts.hpp"
#include "json.hpp"
#include "naming.hpp"
#include "recorded.hpp"
#include "report.hpp"
#include "settings.hpp"
#include "source.hpp"
#include "sums.hpp"
#include "topology.hpp"

namespace heatflow::detail {

// Numbers of contexts over all threads, and what of them is in the file.
class ThreadOutput {
public:
    explicit ThreadOutput(RecordedThread& thread) : thread_(&thread) {}

    RecordedThread& thread() const noexcept { return *thread_; }
    const std::vector<std::uint32_t>& numbers() const noexcept { return numbers_; }

    // Regions that the file has as begun and not as ended, in the order of their beginnings.
    struct Announced {
        std::uint64_t begin;
        std::uint32_t context;
    };
    std::vector<Announced> announced;

    std::vector<Announced>::iterator findAnnounced(std::uint64_t begin, std::uint32_t context) {
        const auto isBefore = [](const Announced& one, std::uint64_t value) { return one.begin < value; };
        auto at = std::lower_bound(announced.begin(), announced.end(), begin, isBefore);
        while (at != announced.end() && at->begin == begin && at->context != context) ++at;
        return at != announced.end() && at->begin == begin ? at : announced.end();
    }

    // As written, and as they were when the session began, with what regions had cost that were open.
    std::vector<Sums> written, before;
    // Events that ended after the end of the session, which is written again.
    std::vector<Event> later;
    // Events in the file, kept as long as another process may take it over.
    std::vector<Event> early;
    // What the thread had not kept by then.
    NotKept notKeptBefore;
    // As the file has it.
    std::string name;
    // Contexts that stand among the events, the first ones of all.
    std::uint32_t listed = 1;
    // Whether the file contains open regions of the thread.
    bool hasOpen = false;
    // Whether the thread has ended, so that this is its last output.
    bool isLast = false;

    // A file that has nothing of the thread yet is to have it from its beginning.
    void beginAnew() {
        numbers_.clear();
        announced.clear();
        written = before;
        later.swap(early);
        name.clear();
        listed = 1;
    }

    void extend(std::uint32_t& next) {
        const std::uint32_t size = thread_->contexts.size();
        while (numbers_.size() < size) numbers_.push_back(next++);
        written.resize(size);
        before.resize(size);
    }

    // Of one open region, until `time`, which is not before it began.
    static Sums sumsOfOpen(const std::vector<OpenSeen>& open, std::size_t at, std::uint64_t time) noexcept {
        const std::uint64_t soFar = time > open[at].begin ? time - open[at].begin : 0;
        const std::uint64_t within = withinOpen(open, at, time);
        return {{1, soFar, soFar > within ? soFar - within : 0}};
    }

    // Regions that are open at a time, and all that has ended by then, of contexts that have a number.
    struct Moment {
        std::uint64_t time = 0;
        std::uint64_t changes = 0;
        std::vector<OpenSeen> open;
        std::vector<Sums> ended;
    };
    // Of a thread that would not stand still, what ends meanwhile is in one of them, in both or in neither. Where it soon will, since
    // no region begins, it is worth so many nanoseconds to wait for it.
    Moment moment(std::uint64_t patience = 0) const {
        constexpr int tries = 10;
        Moment taken;
        const auto look = [&] {
            taken.time = now();
            taken.changes = thread_->changes();
            taken.ended.resize(numbers_.size());
            for (std::uint32_t at = 1; at < taken.ended.size(); ++at) taken.ended[at] = Sums::of(thread_->contexts[at]);
            thread_->openRegions(taken.open);
        };
        const std::uint64_t until = now() + patience;
        for (int attempt = 1; !thread_->atOneMoment(look); ++attempt) {
            if (attempt < tries) continue;
            if (now() >= until) break;
            std::this_thread::yield();
        }
        return taken;
    }

private:
    // Nanoseconds of what is within an open region until `time`.
    static std::uint64_t withinOpen(const std::vector<OpenSeen>& open, std::size_t at, std::uint64_t time) noexcept {
        const bool hasWithin = at + 1 < open.size() && open[at + 1].begin <= time;
        return open[at].children + (hasWithin ? time - open[at + 1].begin : 0);
    }

    RecordedThread* thread_;
    std::vector<std::uint32_t> numbers_;
};

// Writes one session's file. All calls come from one thread at a time.
class Output {
public:
    struct Head {
        std::string path;
        std::string program;
        std::string host;
        int rank = -1;
        int ranks = -1;
        std::string run;
        Job job;
        std::string excluded;
        Cost emptyRegion;
        std::uint64_t shortestEventNs = 0;
        std::vector<CounterList::Missing> missing;
        // Waiting or allocations are measured, too.
        bool hasMore = false;
        bool hasReport = false;
        // Its beginning may become an earlier one.
        std::uint64_t earliestStart = std::uint64_t(-1);
    };
    // Cost of recording: an empty region at the end, regions and functions of the program, and CPU time of the process without the writer
    // and of the writer, in nanoseconds.
    struct Costs {
        Cost emptyRegion, region, function;
        std::uint64_t ran = 0, writerRan = 0;
    };
    // Numbers at the end of the file that do not come from threads.
    struct End {
        Costs costs;
        std::uint64_t endsWithoutBegin = 0;
        // Name of the first such region.
        std::string firstEndWithoutBegin;
        std::uint64_t regionsAfterEnd = 0;
    };

    explicit Output(Symbols* symbols) : symbols_(symbols) {}

    const std::string& error() const noexcept { return file_.error(); }
    const Head& head() const noexcept { return head_; }

    JsonFile::Opened open(const std::string& path) { return file_.open(path); }
    bool openDevice(const std::string& path) { return file_.openDevice(path); }
    // The file's name, whatever the working folder becomes.
    const std::string& path() const noexcept { return file_.path(); }

    // Writes the head of the file that is open.
    bool begin(const Head& head) {
        head_ = head;
        const std::uint64_t clock = now(), day = timeOfDay();
        // Whole seconds: a reader's double holds them exactly.
        const std::uint64_t earlier = clock - std::min(clock, head.earliestStart);
        const std::uint64_t base = (day - earlier) / 1'000'000'000u * 1'000'000'000u;
        zero_ = clock - (day - base);
        file_.raw("{\"schemaVersion\":1,\"displayTimeUnit\":\"ms\",\"baseTimeNanoseconds\":").number(std::int64_t(base));
        file_.raw(",\"traceName\":").text(head.program).raw(",\n\"heatflow\":{\"version\":1,\"program\":").text(head.program);
        const ProcessFacts facts = ProcessFacts::of(process_);
        file_.raw(",\"process\":").number(process_).raw(",\"started\":").number(std::int64_t(facts.started));
        file_.raw(",\"host\":").text(head.host);
        about("launcher", std::to_string(facts.parent) + "." + std::to_string(ProcessFacts::of(facts.parent).started));
        if (!head.run.empty()) file_.raw(",\"run\":").text(head.run);
        about("scheduler", head.job.scheduler);
        about("job", head.job.id);
        about("jobName", head.job.name);
        about("queue", head.job.queue);
        about("nodes", head.job.nodes);
        about("excluded", head.excluded);
        file_.raw(",\"emptyRegionNanoseconds\":").real(head.emptyRegion.whole());
        file_.raw(",\"shortestEventNanoseconds\":").number(std::int64_t(head.shortestEventNs));
        file_.raw(",\"startNanoseconds\":");
        startAt_ = file_.size();
        const std::uint64_t start = std::uint64_t(since(start_));
        file_.raw(head.earliestStart < start_ ? padded(start) : std::to_string(start)).raw(",\"missing\":[");
        for (std::size_t at = 0; at < head.missing.size(); ++at) {
            file_.raw(at == 0 ? "{\"metric\":" : ",{\"metric\":").text(head.missing[at].metric);
            file_.raw(",\"why\":").text(head.missing[at].why).raw("}");
        }
        file_.raw("]}");
        if (head.rank >= 0)
            file_.raw(",\n\"distributedInfo\":{\"rank\":").number(head.rank).raw(",\"world_size\":").number(head.ranks).raw("}");
        file_.raw(",\n\"traceEvents\":[\n");
        event("M", "process_name").raw(",\"args\":{\"name\":").text(head.program).raw("}}");
        flush();
        return file_.isOpen();
    }

    // Whether the session has begun a moment ago, so that all events of the file are known yet.
    bool isEarlyAt(std::uint64_t time) const noexcept { return isEarly_ && time < start_ + longestEarly; }
    off_t written() const noexcept { return file_.written(); }
    std::uint64_t startedAt() const noexcept { return start_; }

    // The session has begun earlier.
    void beganAt(std::uint64_t start) {
        if (start >= start_) return;
        start_ = start;
        file_.overwrite(startAt_, padded(std::uint64_t(since(start_))));
    }

    // One more text of the head, where it is known.
    void about(const char* what, const std::string& text) {
        if (!text.empty()) file_.raw(",\"").raw(what).raw("\":").text(text);
    }

    // The session begins, with what threads have recorded before: what has ended is none of it, and neither is what regions have cost by
    // now that are open. Now is a time at which all of them stand still, where they soon do.
    void start(std::vector<ThreadOutput>& threads) {
        std::vector<ThreadOutput::Moment> moments(threads.size());
        const std::uint64_t until = now() + patience;
        bool areStill;
        do {
            for (std::size_t at = 0; at < threads.size(); ++at) {
                threads[at].extend(nextContext_);
                moments[at] = threads[at].moment(patience);
            }
            start_ = now();
            areStill = true;
            for (std::size_t at = 0; at < threads.size(); ++at)
                areStill = areStill && threads[at].thread().changes() == moments[at].changes;
        } while (!areStill && start_ < until);
        for (std::size_t at = 0; at < threads.size(); ++at) leaveOut(threads[at], moments[at]);
    }

    // The operating system's name of a thread, where the program has given it one of its own.
    void threadName(ThreadOutput& of) {
        const std::string name = of.thread().name();
        if (name == of.name) return;
        of.name = name;
        threadName(of.thread().number, name);
    }

    void threadName(long thread, const std::string& name) {
        if (name.empty() || name == head_.program.substr(0, name.size())) return;
        event("M", "thread_name", thread).raw(",\"args\":{\"name\":").text(name).raw("}}");
    }

    void regions(ThreadOutput& of, std::uint64_t until = std::uint64_t(-1)) {
        std::vector<Event> later;
        later.swap(of.later);
        const auto take = [&](const Event& ended) {
            const std::uint64_t end = ended.begin + ended.duration;
            if (end < start_) return;
            if (end > until) return of.later.push_back(ended);
            if (isEarly_) keepEarly(of, ended);
            else if (!of.early.empty()) std::vector<Event>().swap(of.early);
            of.extend(nextContext_);
            if (ended.kind != EventKind::region) return message(of, ended);
            const auto announced = of.findAnnounced(ended.begin, ended.context);
            if (announced == of.announced.end()) {
                region("X", of, ended.begin, ended.context).raw(",\"dur\":");
                file_.microseconds(lasted(ended.begin, end));
            } else {
                of.announced.erase(announced);
                region("E", of, end, ended.context);
            }
            arguments(of.numbers()[ended.context], ended);
            file_.relieve();
        };
        for (const Event& ended : later) take(ended);
        of.thread().events.drain(take);
    }

    // A region that has been open for long stands in the file before it ends, should the process not live to write it.
    void announce(ThreadOutput& of, const std::vector<OpenSeen>& open, std::uint64_t time) {
        for (const OpenSeen& one : open) {
            if (time < one.begin + ThreadRecorder::alwaysKept) break;
            if (of.findAnnounced(one.begin, one.context) != of.announced.end()) continue;
            of.extend(nextContext_);
            of.announced.push_back({one.begin, one.context});
            region("B", of, one.begin, one.context).raw(",\"args\":{\"context\":");
            file_.number(of.numbers()[one.context]).raw("}}");
        }
    }

    // The unit stands in the name; `grows`: a total so far.
    void counter(const std::string& name, double value, std::uint64_t time, bool grows = false) {
        event("C", name);
        if (grows) file_.raw(",\"cat\":\"growing\"");
        file_.raw(",\"ts\":").microseconds(since(time)).raw(",\"args\":{\"value\":").real(value).raw("}}");
    }

    // Something that ran on a device, as Kineto has it; arguments may follow, and then two brackets.
    JsonFile& activity(const char* category, const std::string& name, std::uint32_t device, std::uint32_t stream,
                       std::uint64_t begin, std::uint64_t end) {
        file_.relieve();
        event("X", name, stream, device).raw(",\"cat\":\"").raw(category).raw("\",\"ts\":").microseconds(since(begin));
        return file_.raw(",\"dur\":").microseconds(std::int64_t(end - begin)).raw(",\"args\":{\"device\":").number(device);
    }

    void deviceName(std::uint32_t device, const std::string& name) {
        event("M", "process_name", 0, device).raw(",\"args\":{\"name\":").text(name).raw("}}");
    }

    // The file's number of a thread's context.
    std::uint32_t numberOf(ThreadOutput& of, std::uint32_t context) {
        of.extend(nextContext_);
        return of.numbers()[context];
    }

    // All that is known of a run that is cut: what has been added to contexts since the last time, and what regions have cost that are open.
    void sumsSoFar(ThreadOutput& of) {
        of.extend(nextContext_);
        const ThreadOutput::Moment moment = of.moment();
        additions(of, moment.ended);
        openSoFar(of, moment);
    }

    // Attributes of a thread that have changed, for a file that is cut: the last row of a thread, region and key counts.
    void attributesSoFar(ThreadOutput& of) {
        changedAttributes(of.thread().number, of.thread().changedAttributes());
    }

    void changedAttributes(long thread, const std::vector<Attribute>& changed) {
        if (changed.empty()) return;
        for (const Attribute& one : changed) frameOf(one.frame);
        framesSoFar();
        event("M", "heatflow_attribute_rows", thread).raw(",\"args\":{\"rows\":[");
        bool isFirst = true;
        for (const Attribute& one : changed) attribute(one, isFirst);
        file_.raw("]}}");
    }

    // Writes an ended thread of which nothing is in the file.
    void ended(const EndedThread& thread) {
        const std::uint32_t first = nextContext_;
        nextContext_ += std::uint32_t(thread.contexts.size());
        threadName(thread.number, thread.name);
        for (std::size_t at = 1; at < thread.contexts.size(); ++at) frameOf(thread.contexts[at].frame);
        framesSoFar();
        // A thread whose only region does not count has no contexts.
        for (std::size_t at = 1; at < thread.contexts.size(); ++at) {
            const EndedContext& one = thread.contexts[at];
            if (at == 1) event("M", "heatflow_contexts", thread.number).raw(",\"args\":{\"rows\":[");
            contextSoFar(at == 1, first + at, first + one.parent, frameOf(one.frame), one.sums, one.peak);
        }
        if (thread.contexts.size() > 1) file_.raw("]}}");
        changedAttributes(thread.number, thread.attributes);
        for (const Event& one : thread.events) {
            const FrameKey frame = thread.contexts[one.context].frame;
            if (one.kind != EventKind::region) {
                message(thread.number, first + one.context, one);
            } else {
                region("X", frame, thread.number, one.begin).raw(",\"dur\":");
                file_.microseconds(lasted(one.begin, one.begin + one.duration));
                arguments(first + one.context, one);
            }
            file_.relieve();
        }
        std::vector<Sums> sums;
        for (const EndedContext& one : thread.contexts) sums.push_back(one.sums);
        keep(thread.contexts, sums, thread.number, [first](std::size_t at) { return first + std::uint32_t(at); });
        for (const Attribute& one : thread.attributes) endedAttributes_.add(one);
        endedNotKept_.add(thread.notKept, {});
    }

    // Writes the sums of an ended thread. The rest is in the file.
    void ended(const ThreadOutput& of) {
        const RecordedThread& thread = of.thread();
        std::vector<EndedContext> contexts;
        std::vector<Sums> sums;
        for (std::uint32_t at = 0; at < of.written.size(); ++at) {
            const Context& one = thread.contexts[at];
            sums.push_back(Sums::of(one).since(of.before[at]));
            contexts.push_back({one.frame.get(), one.parent, one.call, sums.back(), one.peak.get()});
        }
        keep(contexts, sums, thread.number, [&of](std::size_t at) { return of.numbers()[at]; });
        for (const Attribute& one : thread.attributes()) endedAttributes_.add(one);
        endedNotKept_.add(NotKept::of(thread), of.notKeptBefore);
    }

    void flush() { file_.flush(); }

    // Ends the session now, and closes all open regions. The session may continue, and end again.
    void end(std::vector<ThreadOutput>& threads) {
        ends_.clear();
        notKept_ = endedNotKept_;
        for (ThreadOutput& of : threads) {
            of.extend(nextContext_);
            ends_.push_back(of.moment(patience));
            notKept_.add(NotKept::of(of.thread()), of.notKeptBefore);
        }
    }

    // Functions that have another key from now on, with the number that they have in the file.
    template <typename KeyOf>
    void rename(KeyOf&& keyOf) {
        for (std::size_t at = 0; at < frames_.size(); ++at) {
            const FrameKey key = frames_[at].first, renamed = keyOf(key);
            if (renamed == key) continue;
            frameNumbers_.erase(key.value());
            frameNumbers_.emplace(renamed.value(), std::uint32_t(at));
            frames_[at].first = renamed;
        }
        endedAttributes_.rename(keyOf);
    }

    // Removes the end of the file, if there is one, so that more can be written.
    void goOn() {
        if (endAt_ > 0) file_.cutTo(endAt_);
    }

    // Writes the rest of a session that has ended.
    void finish(std::vector<ThreadOutput>& threads, const std::vector<EventSource*>& sources, const End& end) {
        // Sums first, since they are small and most useful: the disk may be full before all events are written.
        for (std::size_t at = 0; at < threads.size(); ++at) {
            additions(threads[at], ends_[at].ended);
            openSoFar(threads[at], ends_[at]);
        }
        flush();
        for (std::size_t at = 0; at < threads.size(); ++at) {
            threadName(threads[at]);
            regions(threads[at], ends_[at].time);
        }
        if (endAt_ == 0)
            for (EventSource* source : sources) source->write(*this, threads);
        endAt_ = file_.size();
        report_ = endedReport_;
        for (std::size_t at = 0; at < threads.size(); ++at) closeOpen(threads[at], ends_[at]);
        file_.raw("\n],\n\"contexts\":[");
        bool isFirst = true;
        ended_.each(sumsWritten(), head_.hasMore, [&](const ContextRow& row) { contextRow(row, isFirst); });
        for (std::size_t at = 0; at < threads.size(); ++at) contexts(threads[at], ends_[at], isFirst);
        file_.raw("\n],\n\"lines\":[");
        locateFrames();
        for (std::size_t at = 0; at < frames_.size(); ++at) {
            file_.raw(at == 0 ? "\n" : ",\n");
            frame(at);
            file_.relieve();
        }
        file_.raw("\n],\n\"attributes\":[");
        attributes(threads);
        file_.raw("\n],\n\"topology\":");
        Topology::ofThisMachine().write(file_);
        for (EventSource* source : sources) source->sections(file_);
        file_.raw(",\n\"recordingCost\":{\"processorNanoseconds\":").number(std::int64_t(end.costs.ran));
        file_.raw(",\"writerNanoseconds\":").number(std::int64_t(end.costs.writerRan));
        cost("region", end.costs.region);
        cost("function", end.costs.function);
        file_.raw("},\n\"heatflowEnd\":{");
        for (std::size_t at = 0; at < NotKept::all; ++at)
            if (at < NotKept::always || notKept_.values[at] > 0)
                file_.raw(at == 0 ? "\"" : ",\"").raw(NotKept::names[at]).raw("\":").number(std::int64_t(notKept_.values[at]));
        std::uint64_t lost = 0;
        for (const EventSource* source : sources) lost += source->dropped();
        if (!sources.empty()) file_.raw(",\"recordsDropped\":").number(std::int64_t(lost));
        if (end.endsWithoutBegin > 0) {
            file_.raw(",\"endsWithoutBegin\":").number(std::int64_t(end.endsWithoutBegin));
            file_.raw(",\"firstEndWithoutBegin\":").text(end.firstEndWithoutBegin);
        }
        file_.raw(",\"emptyRegionNanoseconds\":").real(end.costs.emptyRegion.whole());
        afterEndAt_ = file_.size();
        file_.raw(afterEnd(end.regionsAfterEnd)).raw("}}\n");
        file_.flush();
    }

    // Position and text of the number of regions that began after the end. The text has the same length for each number.
    off_t afterEndAt() const noexcept { return afterEndAt_; }
    static std::string afterEnd(std::uint64_t count) {
        std::string text = count == 0 ? "" : ",\"regionsAfterEnd\":" + std::to_string(count);
        text.resize(40, ' ');
        return text;
    }

    void close() {
        file_.close();
        if (head_.hasReport) report_.print(stderr, frames_, head_.program, head_.path);
    }

    void abandon() { file_.abandon(); }

private:
    void cost(const char* of, const Cost& cost) {
        file_.raw(",\"").raw(of).raw("\":{\"callerNanoseconds\":").real(cost.caller);
        file_.raw(",\"calleeNanoseconds\":").real(cost.callee).raw("}");
    }

    static constexpr std::uint64_t longestEarly = 1'000'000'000;
    // Nanoseconds that it waits for threads to stand still, in which no region begins.
    static constexpr std::uint64_t patience = 20'000'000;

    void keepEarly(ThreadOutput& of, const Event& event) {
        constexpr std::size_t most = 10'000;
        isEarly_ = of.early.size() < most && event.begin < start_ + longestEarly;
        if (isEarly_) of.early.push_back(event);
    }

    // With the frames that are new.
    void additions(ThreadOutput& of, const std::vector<Sums>& ended) {
        bool isFirst = true;
        for (std::uint32_t at = 1; at < of.written.size(); ++at) frameOf(of.thread().contexts[at].frame.get());
        framesSoFar();
        for (std::uint32_t at = 1; at < of.written.size(); ++at) {
            Sums& known = of.written[at];
            Sums sums = ended[at];
            // It has begun before the session, and not ended.
            if (sums.inclusive() < known.inclusive() || sums.exclusive() < known.exclusive()) sums = known;
            const bool isNew = at >= of.listed;
            if (!isNew && sums == known) continue;
            const Context& context = of.thread().contexts[at];
            const std::uint32_t frame = frameOf(context.frame.get());
            if (isFirst) event("M", "heatflow_contexts", of.thread().number).raw(",\"args\":{\"rows\":[");
            contextSoFar(isFirst, of.numbers()[at], of.numbers()[context.parent], frame, sums.since(known), context.peak.get());
            isFirst = false;
            known = sums;
        }
        of.listed = std::uint32_t(of.written.size());
        if (!isFirst) file_.raw("]}}");
    }

    void contextSoFar(bool isFirst, std::uint32_t number, std::uint32_t parent, std::uint32_t frame, const Sums& added, std::uint64_t peak) {
        file_.raw(isFirst ? "[" : ",[").number(number).raw(",").number(parent).raw(",").number(frame);
        for (std::size_t value = 0; value < sumsWritten(); ++value) file_.raw(",").number(std::int64_t(added.values[value]));
        if (head_.hasMore) file_.raw(",").number(std::int64_t(peak));
        file_.raw("]");
        file_.relieve();
    }

    // It stands until the next such event of the thread.
    void openSoFar(ThreadOutput& of, const ThreadOutput::Moment& moment) {
        of.extend(nextContext_);
        if (moment.open.empty() && !of.hasOpen) return;
        of.hasOpen = !moment.open.empty();
        event("M", "heatflow_open", of.thread().number).raw(",\"args\":{\"rows\":[");
        for (std::size_t at = 0; at < moment.open.size(); ++at) {
            const Sums soFar = sinceStart(of, moment, at);
            file_.raw(at == 0 ? "[" : ",[").number(of.numbers()[moment.open[at].context]).raw(",");
            file_.number(std::int64_t(soFar.inclusive())).raw(",").number(std::int64_t(soFar.exclusive())).raw("]");
            file_.relieve();
        }
        file_.raw("]}}");
    }

    std::uint32_t frameOf(FrameKey key) {
        const auto known = frameNumbers_.find(key.value());
        if (known != frameNumbers_.end()) return known->second;
        frames_.emplace_back(key, factsOf(key));
        return frameNumbers_[key.value()] = std::uint32_t(frames_.size() - 1);
    }

    // Where a context was called, within its caller; a mark of nothing where that is not known.
    FrameKey callOf(FrameKey frame, CallPlace call, FrameKey caller) const {
        const bool isKnown = symbols_ != nullptr && call.returnsTo != 0 && frame.isAddress() && caller.isAddress() &&
                             symbols_->isCall(frame.address(), call, caller.address());
        // In the call itself: the next instruction may be of another line.
        return isKnown ? FrameKey::at(reinterpret_cast<const void*>(call.returnsTo - 1)) : FrameKey();
    }

    FrameFacts factsOf(FrameKey key) const {
        if (key.isGone()) return key.gone().facts;
        if (!key.isAddress()) {
            const KnownSite& site = key.site();
            return {site.name, site.file, site.line, "", site.category, 0, site.every};
        }
        if (symbols_ != nullptr) return symbols_->nameOf(key.address());
        char digits[24];
        std::snprintf(digits, sizeof digits, "0x%llx", static_cast<unsigned long long>(key.address()));
        return {digits, "", 0, "", Category::computing, key.address(), 1};
    }

    void locateFrames() {
        if (symbols_ == nullptr) return;
        std::vector<FrameFacts*> addresses;
        for (auto& [key, facts] : frames_)
            if (key.isAddress() || key.isGone()) addresses.push_back(&facts);
        if (!addresses.empty()) symbols_->locate(addresses);
    }

    void frame(std::size_t number) {
        const FrameFacts& facts = frames_[number].second;
        file_.raw("{\"frame\":").number(std::int64_t(number)).raw(",\"name\":").text(facts.name);
        file_.raw(",\"category\":").text(nameOf(facts.category));
        if (!facts.file.empty()) file_.raw(",\"file\":").text(facts.file);
        if (facts.line > 0) file_.raw(",\"line\":").number(facts.line);
        if (!facts.module.empty()) file_.raw(",\"module\":").text(facts.module);
        if (facts.every > 1) file_.raw(",\"every\":").number(facts.every);
        if (facts.offset > 0) file_.raw(",\"offset\":").number(std::int64_t(facts.offset));
        file_.raw("}");
    }

    // Writes the attributes of all ended threads together, and of each other thread.
    void attributes(const std::vector<ThreadOutput>& threads) {
        bool isFirst = true;
        for (const Attribute& one : endedAttributes_.rows()) attribute(one, isFirst);
        for (const ThreadOutput& of : threads)
            for (const Attribute& one : of.thread().attributes()) attribute(one, isFirst);
    }

    void attribute(const Attribute& one, bool& isFirst) {
        file_.raw(isFirst ? "{\"frame\":" : ",{\"frame\":").number(frameOf(one.frame)).raw(",\"key\":").text(one.key);
        isFirst = false;
        file_.raw(",\"count\":").number(std::int64_t(one.count)).raw(",\"last\":").text(one.last);
        if (one.isNumber) file_.raw(",\"least\":").real(one.least).raw(",\"most\":").real(one.most);
        file_.raw("}");
        file_.relieve();
    }

    // Frames that have come since the last time, for a file that is cut.
    void framesSoFar() {
        if (framesWritten_ == frames_.size()) return;
        event("M", "heatflow_frames").raw(",\"args\":{\"rows\":[");
        for (std::size_t first = framesWritten_; framesWritten_ < frames_.size(); ++framesWritten_) {
            if (framesWritten_ > first) file_.raw(",");
            frame(framesWritten_);
        }
        file_.raw("]}}");
    }

    void leaveOut(ThreadOutput& of, const ThreadOutput::Moment& moment) {
        of.before = moment.ended;
        for (std::size_t at = 0; at < moment.open.size() && moment.open[at].context < of.before.size(); ++at) {
            const Sums soFar = ThreadOutput::sumsOfOpen(moment.open, at, start_);
            // Its call is one of this session, too.
            of.before[moment.open[at].context].add({{0, soFar.inclusive(), soFar.exclusive()}});
        }
        of.written = of.before;
        of.notKeptBefore = NotKept::of(of.thread());
        of.thread().forgetFacts();
    }

    // Regions that are open end with the session.
    void closeOpen(ThreadOutput& of, const ThreadOutput::Moment& moment) {
        of.extend(nextContext_);
        for (auto known = of.announced.rbegin(); known != of.announced.rend(); ++known)
            region("E", of, std::max(moment.time, known->begin), known->context).raw("}");
        for (const OpenSeen& one : moment.open) {
            if (of.findAnnounced(one.begin, one.context) != of.announced.end() || one.begin > moment.time) continue;
            region("X", of, one.begin, one.context).raw(",\"dur\":").microseconds(lasted(one.begin, moment.time));
            file_.raw(",\"args\":{\"context\":").number(of.numbers()[one.context]).raw("}}");
        }
    }

    // Of an open region, what belongs to the session.
    Sums sinceStart(const ThreadOutput& of, const ThreadOutput::Moment& moment, std::size_t at) const noexcept {
        const Sums sums = ThreadOutput::sumsOfOpen(moment.open, at, moment.time);
        const std::uint32_t context = moment.open[at].context;
        return moment.open[at].begin >= start_ ? sums : sums.since(of.before[context].since(moment.ended[context]));
    }

    // Nanoseconds of the session between two times.
    std::int64_t lasted(std::uint64_t begin, std::uint64_t end) const noexcept {
        const std::uint64_t from = std::max(begin, start_);
        return end > from ? std::int64_t(end - from) : 0;
    }

    std::size_t sumsWritten() const noexcept { return head_.hasMore ? Sums::all : Sums::always; }

    static std::string padded(std::uint64_t number) {
        const std::string digits = std::to_string(number);
        return std::string(std::max<std::size_t>(20, digits.size()) - digits.size(), ' ') + digits;
    }

    std::int64_t since(std::uint64_t time) const noexcept { return std::int64_t(time - zero_); }

    JsonFile& event(const char* phase, const std::string& name, long thread = 0) {
        return event(phase, name, thread, process_);
    }

    JsonFile& event(const char* phase, const std::string& name, long thread, long process) {
        file_.raw(hasEvents_ ? ",\n{\"ph\":\"" : "{\"ph\":\"").raw(phase).raw("\",\"pid\":").number(process);
        hasEvents_ = true;
        return file_.raw(",\"tid\":").number(thread).raw(",\"name\":").text(name);
    }

    JsonFile& region(const char* phase, ThreadOutput& of, std::uint64_t time, std::uint32_t context) {
        return region(phase, of.thread().contexts[context].frame.get(), of.thread().number, time);
    }

    JsonFile& region(const char* phase, FrameKey frame, long thread, std::uint64_t time) {
        const FrameFacts& facts = frames_[frameOf(frame)].second;
        event(phase, facts.name, thread).raw(",\"cat\":").text(nameOf(facts.category));
        return file_.raw(",\"ts\":").microseconds(since(std::max(time, start_)));
    }

    void message(ThreadOutput& of, const Event& moved) { message(of.thread().number, of.numbers()[moved.context], moved); }

    void message(long thread, std::uint32_t context, const Event& moved) {
        event("i", moved.kind == EventKind::sent ? "message sent" : "message received", thread);
        file_.raw(",\"cat\":").text(nameOf(Category::communication)).raw(",\"s\":\"t\",\"ts\":").microseconds(since(moved.begin));
        arguments(context, moved);
    }

    void arguments(std::uint32_t context, const Event& of) {
        file_.raw(",\"args\":{\"context\":").number(context);
        if (of.movement.bytes >= 0) file_.raw(",\"bytes\":").number(of.movement.bytes);
        if (of.movement.peer >= 0) file_.raw(",\"peer\":").number(of.movement.peer);
        if (of.movement.tag >= 0)
            file_.raw(of.movement.peer >= 0 ? ",\"tag\":" : ",\"correlation\":").number(of.movement.tag);
        file_.raw("}}");
    }

    // Makes a context's inclusive time what it and those within it took themselves, which need not be so of what was not read at one
    // moment, or has ended by a clock that was read before it.
    template <typename Contexts>
    static void addUp(const Contexts& contexts, std::vector<Sums>& sums) noexcept {
        for (Sums& one : sums) one.values[1] = one.exclusive();
        for (std::uint32_t at = std::uint32_t(sums.size()); at-- > 1;) {
            const std::uint32_t parent = contexts[at].parent;
            if (parent != ContextTree::thread) sums[parent].values[1] += sums[at].inclusive();
        }
    }

    void contexts(ThreadOutput& of, const ThreadOutput::Moment& moment, bool& isFirst) {
        of.extend(nextContext_);
        const std::vector<OpenSeen>& open = moment.open;
        std::vector<Sums> sums = moment.ended;
        sums.resize(of.written.size());
        for (std::size_t at = 0; at < open.size() && open[at].begin <= moment.time; ++at)
            sums[open[at].context].add(ThreadOutput::sumsOfOpen(open, at, moment.time));
        // Of a region that was open before the session and is still, or has ended, that part has been added, too.
        for (std::uint32_t at = 1; at < sums.size(); ++at) sums[at] = sums[at].since(of.before[at]);
        addUp(of.thread().contexts, sums);
        eachNeeded(of.thread().contexts, sums, [&](std::uint32_t at, const Context& context, std::uint32_t call) {
            ContextRow row{of.thread().number, of.numbers()[at], none, frameOf(context.frame.get()), call, sums[at], context.peak.get()};
            if (context.parent != ContextTree::thread) row.parent = of.numbers()[context.parent];
            contextRow(row, isFirst);
        });
        if (head_.hasReport) report_.add(of.thread().contexts, sums, [this](FrameKey key) { return frameOf(key); });
    }

    // Contexts that have been called, and those above them, which may be open in a thread that would not stand still. With the frame of where
    // each was called.
    template <typename Contexts, typename Take>
    void eachNeeded(const Contexts& contexts, const std::vector<Sums>& sums, Take&& take) {
        std::vector<bool> isNeeded(sums.size());
        for (std::uint32_t at = std::uint32_t(sums.size()); at-- > 1;) {
            isNeeded[at] = isNeeded[at] || sums[at].calls() > 0;
            if (isNeeded[at]) isNeeded[contexts[at].parent] = true;
        }
        for (std::uint32_t at = 1; at < sums.size(); ++at) {
            if (!isNeeded[at]) continue;
            const auto& context = contexts[at];
            const FrameKey call = callOf(frameIn(context), context.call, frameIn(contexts[context.parent]));
            take(at, context, call.isAddress() ? frameOf(call) : none);
        }
    }

    static constexpr std::uint32_t none = ContextRow::none;

    void contextRow(const ContextRow& row, bool& isFirst) {
        file_.raw(isFirst ? "\n{\"id\":" : ",\n{\"id\":").number(row.number);
        isFirst = false;
        if (row.parent != none) file_.raw(",\"parent\":").number(row.parent);
        file_.raw(",\"thread\":").number(row.thread).raw(",\"frame\":").number(row.frame);
        if (row.call != none) file_.raw(",\"call\":").number(row.call);
        for (std::size_t value = 0; value < sumsWritten(); ++value)
            file_.raw(",\"").raw(Sums::names[value]).raw("\":").number(std::int64_t(row.sums.values[value]));
        if (head_.hasMore) file_.raw(",\"peak\":").number(std::int64_t(row.peak));
        file_.raw("}");
        file_.relieve();
    }

    // Keeps the rows of a thread that has ended.
    template <typename NumberOf>
    void keep(const std::vector<EndedContext>& contexts, std::vector<Sums>& sums, long thread, NumberOf&& numberOf) {
        addUp(contexts, sums);
        eachNeeded(contexts, sums, [&](std::uint32_t at, const EndedContext& context, std::uint32_t call) {
            ContextRow row{thread, numberOf(at), none, frameOf(context.frame), call, sums[at], context.peak};
            if (context.parent != ContextTree::thread) row.parent = numberOf(context.parent);
            ended_.add(row, sumsWritten(), head_.hasMore);
        });
        if (head_.hasReport) endedReport_.add(contexts, sums, [this](FrameKey key) { return frameOf(key); });
    }

    Symbols* symbols_;
    Head head_;
    JsonFile file_;
    // Its number, which asking the system for with each event would take as long as writing one.
    const long process_ = getpid();
    bool hasEvents_ = false;
    // `now()` at the file's time 0, and when the session began.
    std::uint64_t zero_ = 0;
    std::uint64_t start_ = 0;
    // Of each thread, when it ended.
    std::vector<ThreadOutput::Moment> ends_;
    // Positions in the file: of the session's start, of the end that may be written again, and of the number of later regions.
    off_t startAt_ = 0, endAt_ = 0, afterEndAt_ = 0;
    bool isEarly_ = true;
    NotKept notKept_;
    // Of threads that have ended.
    NotKept endedNotKept_;
    PackedRows ended_;
    Attributes endedAttributes_;
    std::uint32_t nextContext_ = 0;
    std::size_t framesWritten_ = 0;
    Report report_, endedReport_;
    std::vector<std::pair<FrameKey, FrameFacts>> frames_;
    std::unordered_map<std::uintptr_t, std::uint32_t> frameNumbers_;
};

}  // namespace heatflow::detail

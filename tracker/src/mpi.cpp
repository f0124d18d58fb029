// MPI's profiling interface: each call is a region, each message says what moved and between which ranks. Compile it with MPI's
// compiler beside heatflow.cpp, and link both or load them by LD_PRELOAD.
#include <mpi.h>

#include <cstdint>
#include <limits>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#ifndef HEATFLOW_RUNTIME
#define HEATFLOW_RUNTIME
#endif
#include "../include/heatflow/tracker.hpp"

namespace {

using heatflow::Category;
using heatflow::Site;
using heatflow::detail::EventKind;
using heatflow::detail::Movement;
using heatflow::detail::Recorder;
using heatflow::detail::ThreadRecorder;

// A rank of a group, which is freed, as a rank of all; negative where there is none.
int worldRankIn(MPI_Group group, int rank) {
    MPI_Group world;
    int result = MPI_UNDEFINED;
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Group_translate_ranks(group, 1, &rank, world, &result);
    PMPI_Group_free(&group);
    PMPI_Group_free(&world);
    return result == MPI_UNDEFINED ? -1 : result;
}

// A rank of a communicator as a rank of all; negative where there is none.
int worldRank(MPI_Comm communicator, int rank) {
    if (rank < 0 || communicator == MPI_COMM_WORLD) return rank;
    MPI_Group group;
    int isInter = 0;
    PMPI_Comm_test_inter(communicator, &isInter);
    (isInter ? PMPI_Comm_remote_group : PMPI_Comm_group)(communicator, &group);
    return worldRankIn(group, rank);
}

std::int64_t bytesOf(std::int64_t count, MPI_Datatype type) {
    int size = 0;
    // Where a call does not look at it; MPI ends programs that ask for its size.
    if (type == MPI_DATATYPE_NULL) return 0;
    return PMPI_Type_size(type, &size) == MPI_SUCCESS && size != MPI_UNDEFINED ? count * size : -1;
}

// Messages stop with the regions that they are of.
void sent(MPI_Comm communicator, std::int64_t count, MPI_Datatype type, int peer, int tag) {
    if (peer < 0) return;
    if (auto* const thread = Recorder::current())
        thread->message(EventKind::sent, {bytesOf(count, type), worldRank(communicator, peer), tag});
}

void received(MPI_Comm communicator, const MPI_Status& status) {
    int bytes = 0;
    // Nothing came from MPI_PROC_NULL, and nothing is known of a message of 2 GB and more.
    if (status.MPI_SOURCE < 0 || PMPI_Get_count(&status, MPI_BYTE, &bytes) != MPI_SUCCESS) return;
    if (auto* const thread = Recorder::current())
        thread->message(EventKind::received, {bytes == MPI_UNDEFINED ? -1 : bytes, worldRank(communicator, status.MPI_SOURCE), status.MPI_TAG});
}

// What a request that has not been completed is of.
struct Pending {
    MPI_Comm communicator;
    bool isReceive;
    bool isPersistent;
    // Of a persistent send: what each start sends.
    std::int64_t count;
    MPI_Datatype type;
    int peer;
    int tag;
};

class Requests {
public:
    void add(MPI_Request request, const Pending& pending) {
        const std::lock_guard<std::mutex> lock(mutex_);
        byHandle_[key(request)] = pending;
    }
    void start(MPI_Request request) {
        Pending pending;
        if (find(request, pending) && !pending.isReceive)
            sent(pending.communicator, pending.count, pending.type, pending.peer, pending.tag);
    }
    void complete(MPI_Request request, const MPI_Status& status) {
        Pending pending;
        if (!find(request, pending)) return;
        int isCancelled = 0;
        PMPI_Test_cancelled(&status, &isCancelled);
        if (pending.isReceive && !isCancelled) received(pending.communicator, status);
        if (!pending.isPersistent) forget(request);
    }
    void forget(MPI_Request request) {
        const std::lock_guard<std::mutex> lock(mutex_);
        byHandle_.erase(key(request));
    }

private:
    // A handle is a number in one implementation, and a pointer in another.
    static std::uintptr_t key(MPI_Request request) { return std::uintptr_t(request); }

    bool find(MPI_Request request, Pending& pending) {
        const std::lock_guard<std::mutex> lock(mutex_);
        const auto found = byHandle_.find(key(request));
        if (found == byHandle_.end()) return false;
        pending = found->second;
        return true;
    }

    std::mutex mutex_;
    std::unordered_map<std::uintptr_t, Pending> byHandle_;
};

// Never destroyed: MPI_Finalize may come after static objects have gone.
Requests& requests() {
    static Requests* const all = new Requests;
    return *all;
}

// Communicators of messages that were found by a probe and have not been received.
class FoundMessages {
public:
    void add(MPI_Message message, MPI_Comm communicator) {
        const std::lock_guard<std::mutex> lock(mutex_);
        byHandle_[std::uintptr_t(message)] = communicator;
    }
    bool take(MPI_Message message, MPI_Comm& communicator) {
        const std::lock_guard<std::mutex> lock(mutex_);
        const auto found = byHandle_.find(std::uintptr_t(message));
        if (found == byHandle_.end()) return false;
        communicator = found->second;
        byHandle_.erase(found);
        return true;
    }

private:
    std::mutex mutex_;
    std::unordered_map<std::uintptr_t, MPI_Comm> byHandle_;
};

FoundMessages& messages() {
    static FoundMessages* const all = new FoundMessages;
    return *all;
}

// Statuses to look at, where the program wants none.
class Statuses {
public:
    Statuses(MPI_Status* wanted, int count) : wanted_(wanted) {
        if (wanted == MPI_STATUSES_IGNORE || wanted == MPI_STATUS_IGNORE) own_.resize(std::size_t(count > 0 ? count : 1));
    }
    MPI_Status* get() { return own_.empty() ? wanted_ : own_.data(); }

private:
    MPI_Status* wanted_;
    std::vector<MPI_Status> own_;
};

std::vector<MPI_Request> copyOf(const MPI_Request* from, int count) { return {from, from + (count > 0 ? count : 0)}; }

// What the ranks of a run are, for the file's head.
void tellPlace() {
    int rank = 0, size = 1;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    if (auto* const runtime = Recorder::runtime()) runtime->setPlace(rank, size);
}

// A recording's file has its rank from the start. Where no region has begun it, and no launcher has told the rank, it has to begin behind
// the call, which is no region then.
template <typename Call>
int initialized(const Site& site, Call call) {
    std::optional<heatflow::Region> region;
    if (Recorder::open() != nullptr || heatflow::detail::placeOfEnvironment().rank >= 0) region.emplace(site);
    const int result = call();
    tellPlace();
    return result;
}

}  // namespace

// A call of MPI as a region of its name.
#define TRACED(name)                                                  \
    static const Site site{#name, "", 0, Category::communication};    \
    const heatflow::Region region(site)

extern "C" {

int MPI_Init(int* argc, char*** argv) {
    static const Site site{"MPI_Init", "", 0, Category::communication};
    return initialized(site, [=] { return PMPI_Init(argc, argv); });
}

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
    static const Site site{"MPI_Init_thread", "", 0, Category::communication};
    return initialized(site, [=] { return PMPI_Init_thread(argc, argv, required, provided); });
}

int MPI_Finalize(void) {
    TRACED(MPI_Finalize);
    return PMPI_Finalize();
}

// Sends that give no request.
#define SEND(name)                                                                                               \
    int name(const void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm communicator) {         \
        TRACED(name);                                                                                            \
        sent(communicator, count, type, peer, tag);                                                              \
        return P##name(data, count, type, peer, tag, communicator);                                              \
    }
SEND(MPI_Send)
SEND(MPI_Bsend)
SEND(MPI_Ssend)
SEND(MPI_Rsend)
#undef SEND

#define ISEND(name)                                                                                              \
    int name(const void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm communicator,           \
             MPI_Request* request) {                                                                             \
        TRACED(name);                                                                                            \
        sent(communicator, count, type, peer, tag);                                                              \
        return P##name(data, count, type, peer, tag, communicator, request);                                     \
    }
ISEND(MPI_Isend)
ISEND(MPI_Ibsend)
ISEND(MPI_Issend)
ISEND(MPI_Irsend)
#undef ISEND

#define SEND_INIT(name)                                                                                          \
    int name(const void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm communicator,           \
             MPI_Request* request) {                                                                             \
        const int result = P##name(data, count, type, peer, tag, communicator, request);                         \
        if (result == MPI_SUCCESS)                                                                               \
            requests().add(*request, {communicator, false, true, count, type, peer, tag});                       \
        return result;                                                                                           \
    }
SEND_INIT(MPI_Send_init)
SEND_INIT(MPI_Bsend_init)
SEND_INIT(MPI_Ssend_init)
SEND_INIT(MPI_Rsend_init)
#undef SEND_INIT

int MPI_Recv_init(void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm communicator, MPI_Request* request) {
    const int result = PMPI_Recv_init(data, count, type, peer, tag, communicator, request);
    if (result == MPI_SUCCESS) requests().add(*request, {communicator, true, true, 0, type, peer, tag});
    return result;
}

int MPI_Start(MPI_Request* request) {
    TRACED(MPI_Start);
    requests().start(*request);
    return PMPI_Start(request);
}

int MPI_Startall(int count, MPI_Request* all) {
    TRACED(MPI_Startall);
    for (int at = 0; at < count; ++at) requests().start(all[at]);
    return PMPI_Startall(count, all);
}

int MPI_Request_free(MPI_Request* request) {
    requests().forget(*request);
    return PMPI_Request_free(request);
}

int MPI_Recv(void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm communicator, MPI_Status* status) {
    TRACED(MPI_Recv);
    Statuses statuses(status, 1);
    const int result = PMPI_Recv(data, count, type, peer, tag, communicator, statuses.get());
    if (result == MPI_SUCCESS) received(communicator, *statuses.get());
    return result;
}

int MPI_Irecv(void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm communicator, MPI_Request* request) {
    TRACED(MPI_Irecv);
    const int result = PMPI_Irecv(data, count, type, peer, tag, communicator, request);
    if (result == MPI_SUCCESS) requests().add(*request, {communicator, true, false, 0, type, peer, tag});
    return result;
}

int MPI_Sendrecv(const void* data, int count, MPI_Datatype type, int to, int tag, void* into, int most, MPI_Datatype intoType,
                 int from, int fromTag, MPI_Comm communicator, MPI_Status* status) {
    TRACED(MPI_Sendrecv);
    Statuses statuses(status, 1);
    sent(communicator, count, type, to, tag);
    const int result =
        PMPI_Sendrecv(data, count, type, to, tag, into, most, intoType, from, fromTag, communicator, statuses.get());
    if (result == MPI_SUCCESS) received(communicator, *statuses.get());
    return result;
}

int MPI_Sendrecv_replace(void* data, int count, MPI_Datatype type, int to, int tag, int from, int fromTag, MPI_Comm communicator,
                         MPI_Status* status) {
    TRACED(MPI_Sendrecv_replace);
    Statuses statuses(status, 1);
    sent(communicator, count, type, to, tag);
    const int result = PMPI_Sendrecv_replace(data, count, type, to, tag, from, fromTag, communicator, statuses.get());
    if (result == MPI_SUCCESS) received(communicator, *statuses.get());
    return result;
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
    TRACED(MPI_Wait);
    const MPI_Request before = *request;
    Statuses statuses(status, 1);
    const int result = PMPI_Wait(request, statuses.get());
    if (result == MPI_SUCCESS) requests().complete(before, *statuses.get());
    return result;
}

int MPI_Waitall(int count, MPI_Request* all, MPI_Status* wanted) {
    TRACED(MPI_Waitall);
    const std::vector<MPI_Request> before = copyOf(all, count);
    Statuses statuses(wanted, count);
    const int result = PMPI_Waitall(count, all, statuses.get());
    for (int at = 0; result == MPI_SUCCESS && at < count; ++at) requests().complete(before[std::size_t(at)], statuses.get()[at]);
    return result;
}

int MPI_Waitany(int count, MPI_Request* all, int* index, MPI_Status* status) {
    TRACED(MPI_Waitany);
    const std::vector<MPI_Request> before = copyOf(all, count);
    Statuses statuses(status, 1);
    const int result = PMPI_Waitany(count, all, index, statuses.get());
    if (result == MPI_SUCCESS && *index != MPI_UNDEFINED) requests().complete(before[std::size_t(*index)], *statuses.get());
    return result;
}

int MPI_Waitsome(int count, MPI_Request* all, int* done, int* indices, MPI_Status* wanted) {
    TRACED(MPI_Waitsome);
    const std::vector<MPI_Request> before = copyOf(all, count);
    Statuses statuses(wanted, count);
    const int result = PMPI_Waitsome(count, all, done, indices, statuses.get());
    for (int at = 0; result == MPI_SUCCESS && *done != MPI_UNDEFINED && at < *done; ++at)
        requests().complete(before[std::size_t(indices[at])], statuses.get()[at]);
    return result;
}

int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
    TRACED(MPI_Test);
    const MPI_Request before = *request;
    Statuses statuses(status, 1);
    const int result = PMPI_Test(request, flag, statuses.get());
    if (result == MPI_SUCCESS && *flag) requests().complete(before, *statuses.get());
    return result;
}

int MPI_Testall(int count, MPI_Request* all, int* flag, MPI_Status* wanted) {
    TRACED(MPI_Testall);
    const std::vector<MPI_Request> before = copyOf(all, count);
    Statuses statuses(wanted, count);
    const int result = PMPI_Testall(count, all, flag, statuses.get());
    for (int at = 0; result == MPI_SUCCESS && *flag && at < count; ++at)
        requests().complete(before[std::size_t(at)], statuses.get()[at]);
    return result;
}

int MPI_Testany(int count, MPI_Request* all, int* index, int* flag, MPI_Status* status) {
    TRACED(MPI_Testany);
    const std::vector<MPI_Request> before = copyOf(all, count);
    Statuses statuses(status, 1);
    const int result = PMPI_Testany(count, all, index, flag, statuses.get());
    if (result == MPI_SUCCESS && *flag && *index != MPI_UNDEFINED)
        requests().complete(before[std::size_t(*index)], *statuses.get());
    return result;
}

int MPI_Testsome(int count, MPI_Request* all, int* done, int* indices, MPI_Status* wanted) {
    TRACED(MPI_Testsome);
    const std::vector<MPI_Request> before = copyOf(all, count);
    Statuses statuses(wanted, count);
    const int result = PMPI_Testsome(count, all, done, indices, statuses.get());
    for (int at = 0; result == MPI_SUCCESS && *done != MPI_UNDEFINED && at < *done; ++at)
        requests().complete(before[std::size_t(indices[at])], statuses.get()[at]);
    return result;
}

int MPI_Probe(int peer, int tag, MPI_Comm communicator, MPI_Status* status) {
    TRACED(MPI_Probe);
    return PMPI_Probe(peer, tag, communicator, status);
}

int MPI_Iprobe(int peer, int tag, MPI_Comm communicator, int* flag, MPI_Status* status) {
    TRACED(MPI_Iprobe);
    return PMPI_Iprobe(peer, tag, communicator, flag, status);
}

int MPI_Mprobe(int peer, int tag, MPI_Comm communicator, MPI_Message* message, MPI_Status* status) {
    TRACED(MPI_Mprobe);
    const int result = PMPI_Mprobe(peer, tag, communicator, message, status);
    if (result == MPI_SUCCESS) messages().add(*message, communicator);
    return result;
}

int MPI_Improbe(int peer, int tag, MPI_Comm communicator, int* flag, MPI_Message* message, MPI_Status* status) {
    TRACED(MPI_Improbe);
    const int result = PMPI_Improbe(peer, tag, communicator, flag, message, status);
    if (result == MPI_SUCCESS && *flag) messages().add(*message, communicator);
    return result;
}

int MPI_Mrecv(void* data, int count, MPI_Datatype type, MPI_Message* message, MPI_Status* status) {
    TRACED(MPI_Mrecv);
    MPI_Comm communicator = MPI_COMM_WORLD;
    const bool isKnown = messages().take(*message, communicator);
    Statuses statuses(status, 1);
    const int result = PMPI_Mrecv(data, count, type, message, statuses.get());
    if (result == MPI_SUCCESS && isKnown) received(communicator, *statuses.get());
    return result;
}

int MPI_Imrecv(void* data, int count, MPI_Datatype type, MPI_Message* message, MPI_Request* request) {
    TRACED(MPI_Imrecv);
    MPI_Comm communicator = MPI_COMM_WORLD;
    const bool isKnown = messages().take(*message, communicator);
    const int result = PMPI_Imrecv(data, count, type, message, request);
    if (result == MPI_SUCCESS && isKnown) requests().add(*request, {communicator, true, false, 0, type, MPI_ANY_SOURCE, MPI_ANY_TAG});
    return result;
}

}  // extern "C"

#include "collectives.hpp"
#include "windows.hpp"
#include "fortran.hpp"

// MPI's profiling interface: each call is a region, each message says what moved and between which ranks. Compile it with MPI's
// compiler beside heatflow.cpp, and link both or load them by LD_PRELOAD.
#include <mpi.h>

#include <cstdint>
#include <limits>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "../include/heatflow/tracker.hpp"

namespace {

using heatflow::Category;
using heatflow::Site;
using heatflow::detail::EventKind;
using heatflow::detail::Movement;
using heatflow::detail::Recorder;
using heatflow::detail::ThreadRecorder;

// A rank of a communicator as a rank of all; negative where there is none.
int worldRank(MPI_Comm communicator, int rank) {
    if (rank < 0 || communicator == MPI_COMM_WORLD) return rank;
    MPI_Group group, world;
    int isInter = 0, result = MPI_UNDEFINED;
    PMPI_Comm_test_inter(communicator, &isInter);
    (isInter ? PMPI_Comm_remote_group : PMPI_Comm_group)(communicator, &group);
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Group_translate_ranks(group, 1, &rank, world, &result);
    PMPI_Group_free(&group);
    PMPI_Group_free(&world);
    return result == MPI_UNDEFINED ? -1 : result;
}

std::int64_t bytesOf(std::int64_t count, MPI_Datatype type) {
    int size = 0;
    // Where a call does not look at it; MPI ends programs that ask for its size.
    if (type == MPI_DATATYPE_NULL) return 0;
    return PMPI_Type_size(type, &size) == MPI_SUCCESS && size != MPI_UNDEFINED ? count * size : -1;
}

// Of a collective whose data may lie where its result comes to.
std::int64_t bytesOf(const void* data, std::int64_t count, MPI_Datatype type, std::int64_t intoCount, MPI_Datatype intoType) {
    return data == MPI_IN_PLACE ? bytesOf(intoCount, intoType) : bytesOf(count, type);
}

int sizeOf(MPI_Comm communicator) {
    int isInter = 0, size = 0;
    PMPI_Comm_test_inter(communicator, &isInter);
    (isInter ? PMPI_Comm_remote_size : PMPI_Comm_size)(communicator, &size);
    return size;
}

int rankIn(MPI_Comm communicator) {
    int rank = 0;
    PMPI_Comm_rank(communicator, &rank);
    return rank;
}

std::int64_t sumOf(const int* counts, int size) {
    std::int64_t sum = 0;
    for (int at = 0; at < size; ++at) sum += counts[at];
    return sum;
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
    Recorder::instance().setPlace(rank, size);
}

}  // namespace

// A call of MPI as a region of its name.
#define TRACED(name)                                                  \
    static const Site site{#name, "", 0, Category::communication};    \
    const heatflow::Region region(site)

extern "C" {

int MPI_Init(int* argc, char*** argv) {
    const int result = PMPI_Init(argc, argv);
    tellPlace();
    return result;
}

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
    const int result = PMPI_Init_thread(argc, argv, required, provided);
    tellPlace();
    return result;
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

// Collectives: the bytes that this rank hands over, to whomever they go.
#define COLLECTIVE(name, parameters, arguments, bytes)                              \
    int name parameters {                                                           \
        static const Site site{#name, "", 0, Category::communication};              \
        const heatflow::Transfer region(site, bytes);                               \
        return P##name arguments;                                                   \
    }
COLLECTIVE(MPI_Barrier, (MPI_Comm communicator), (communicator), 0)
COLLECTIVE(MPI_Bcast, (void* data, int count, MPI_Datatype type, int root, MPI_Comm communicator),
           (data, count, type, root, communicator), bytesOf(count, type))
COLLECTIVE(MPI_Reduce, (const void* data, void* into, int count, MPI_Datatype type, MPI_Op operation, int root, MPI_Comm communicator),
           (data, into, count, type, operation, root, communicator), bytesOf(count, type))
COLLECTIVE(MPI_Allreduce, (const void* data, void* into, int count, MPI_Datatype type, MPI_Op operation, MPI_Comm communicator),
           (data, into, count, type, operation, communicator), bytesOf(count, type))
COLLECTIVE(MPI_Scan, (const void* data, void* into, int count, MPI_Datatype type, MPI_Op operation, MPI_Comm communicator),
           (data, into, count, type, operation, communicator), bytesOf(count, type))
COLLECTIVE(MPI_Gather, (const void* data, int count, MPI_Datatype type, void* into, int intoCount, MPI_Datatype intoType, int root, MPI_Comm communicator),
           (data, count, type, into, intoCount, intoType, root, communicator), bytesOf(data, count, type, intoCount, intoType))
COLLECTIVE(MPI_Gatherv, (const void* data, int count, MPI_Datatype type, void* into, const int* counts, const int* offsets, MPI_Datatype intoType, int root, MPI_Comm communicator),
           (data, count, type, into, counts, offsets, intoType, root, communicator),
           bytesOf(data, count, type, data == MPI_IN_PLACE ? counts[root] : 0, intoType))
COLLECTIVE(MPI_Allgather, (const void* data, int count, MPI_Datatype type, void* into, int intoCount, MPI_Datatype intoType, MPI_Comm communicator),
           (data, count, type, into, intoCount, intoType, communicator), bytesOf(data, count, type, intoCount, intoType))
COLLECTIVE(MPI_Allgatherv, (const void* data, int count, MPI_Datatype type, void* into, const int* counts, const int* offsets, MPI_Datatype intoType, MPI_Comm communicator),
           (data, count, type, into, counts, offsets, intoType, communicator),
           bytesOf(data, count, type, data == MPI_IN_PLACE ? counts[rankIn(communicator)] : 0, intoType))
COLLECTIVE(MPI_Alltoall, (const void* data, int count, MPI_Datatype type, void* into, int intoCount, MPI_Datatype intoType, MPI_Comm communicator),
           (data, count, type, into, intoCount, intoType, communicator),
           sizeOf(communicator) * bytesOf(data, count, type, intoCount, intoType))
COLLECTIVE(MPI_Alltoallv, (const void* data, const int* counts, const int* offsets, MPI_Datatype type, void* into, const int* intoCounts, const int* intoOffsets, MPI_Datatype intoType, MPI_Comm communicator),
           (data, counts, offsets, type, into, intoCounts, intoOffsets, intoType, communicator),
           data == MPI_IN_PLACE ? bytesOf(sumOf(intoCounts, sizeOf(communicator)), intoType) : bytesOf(sumOf(counts, sizeOf(communicator)), type))
COLLECTIVE(MPI_Scatter, (const void* data, int count, MPI_Datatype type, void* into, int intoCount, MPI_Datatype intoType, int root, MPI_Comm communicator),
           (data, count, type, into, intoCount, intoType, root, communicator),
           root == MPI_ROOT || root == rankIn(communicator) ? sizeOf(communicator) * bytesOf(count, type) : 0)
COLLECTIVE(MPI_Scatterv, (const void* data, const int* counts, const int* offsets, MPI_Datatype type, void* into, int intoCount, MPI_Datatype intoType, int root, MPI_Comm communicator),
           (data, counts, offsets, type, into, intoCount, intoType, root, communicator),
           root == MPI_ROOT || root == rankIn(communicator) ? bytesOf(sumOf(counts, sizeOf(communicator)), type) : 0)
COLLECTIVE(MPI_Reduce_scatter, (const void* data, void* into, const int* counts, MPI_Datatype type, MPI_Op operation, MPI_Comm communicator),
           (data, into, counts, type, operation, communicator), bytesOf(sumOf(counts, sizeOf(communicator)), type))
COLLECTIVE(MPI_Reduce_scatter_block, (const void* data, void* into, int count, MPI_Datatype type, MPI_Op operation, MPI_Comm communicator),
           (data, into, count, type, operation, communicator), sizeOf(communicator) * bytesOf(count, type))
COLLECTIVE(MPI_Exscan, (const void* data, void* into, int count, MPI_Datatype type, MPI_Op operation, MPI_Comm communicator),
           (data, into, count, type, operation, communicator), bytesOf(count, type))
#undef COLLECTIVE

}  // extern "C"

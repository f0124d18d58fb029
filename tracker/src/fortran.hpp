// Part of mpi.cpp: MPI's calls by the names that Fortran programs call (`use mpi_f08`, `use mpi`, `mpif.h`). Open MPI's library for
// Fortran goes straight to PMPI, past C's profiling interface; by these names it goes through it. Fortran hands over addresses alone:
// what is behind one follows from the type that C has in its place. Calls with a list of types (MPI_Alltoallw) are not among them.

#ifdef OPEN_MPI

extern "C" {
// What programs give by its address alone; nowhere in a program without Fortran.
extern __attribute__((weak)) char mpi_fortran_bottom_, mpi_fortran_in_place_, mpi_fortran_status_ignore_, mpi_fortran_statuses_ignore_;
}

namespace {

// Handles, which are numbers in Fortran.
template <typename C>
struct Handle;
#define HANDLE(type, name)                                                       \
    template <>                                                                  \
    struct Handle<type> {                                                        \
        static type of(MPI_Fint number) { return name##_f2c(number); }           \
        static MPI_Fint numberOf(type handle) { return name##_c2f(handle); }     \
    };
HANDLE(MPI_Comm, MPI_Comm)
HANDLE(MPI_Datatype, MPI_Type)
HANDLE(MPI_Group, MPI_Group)
HANDLE(MPI_Message, MPI_Message)
HANDLE(MPI_Op, MPI_Op)
HANDLE(MPI_Request, MPI_Request)
HANDLE(MPI_Win, MPI_Win)
#undef HANDLE

// What a call in C gets for what Fortran gives: a handle, unless it is one of the following.
template <typename C>
class FromFortran {
public:
    explicit FromFortran(void* given) : value_(Handle<C>::of(*static_cast<MPI_Fint*>(given))) {}
    C get() const { return value_; }

private:
    C value_;
};

// A handle that the call may change; each is a pointer by itself.
template <typename C>
class FromFortran<C**> {
public:
    explicit FromFortran(void* given) : number_(static_cast<MPI_Fint*>(given)), value_(Handle<C*>::of(*number_)) {}
    ~FromFortran() { *number_ = Handle<C*>::numberOf(value_); }
    FromFortran(const FromFortran&) = delete;
    FromFortran& operator=(const FromFortran&) = delete;
    C** get() { return &value_; }

private:
    MPI_Fint* number_;
    C* value_;
};

template <>
class FromFortran<int> {
public:
    explicit FromFortran(void* given) : value_(*static_cast<MPI_Fint*>(given)) {}
    int get() const { return value_; }

private:
    int value_;
};

template <>
class FromFortran<MPI_Aint> {
public:
    explicit FromFortran(void* given) : value_(*static_cast<MPI_Aint*>(given)) {}
    MPI_Aint get() const { return value_; }

private:
    MPI_Aint value_;
};

// Counts and offsets, and flags: C's 1 is true in Fortran, too.
template <>
class FromFortran<int*> {
public:
    explicit FromFortran(void* given) : value_(static_cast<int*>(given)) {}
    int* get() const { return value_; }

private:
    static_assert(sizeof(MPI_Fint) == sizeof(int), "numbers are handed on where they are");
    int* value_;
};
template <>
class FromFortran<const int*> : public FromFortran<int*> {
    using FromFortran<int*>::FromFortran;
};

// Data.
template <>
class FromFortran<void*> {
public:
    explicit FromFortran(void* given) : value_(given) {
        if (given == &mpi_fortran_in_place_) value_ = MPI_IN_PLACE;
        if (given == &mpi_fortran_bottom_) value_ = MPI_BOTTOM;
    }
    void* get() const { return value_; }

private:
    void* value_;
};
template <>
class FromFortran<const void*> : public FromFortran<void*> {
    using FromFortran<void*>::FromFortran;
};

// As many statuses as a call may say; what it does not say stays as it was.
class FortranStatuses {
public:
    FortranStatuses(void* given, int count) : given_(static_cast<MPI_Fint*>(given)) {
        if (given == &mpi_fortran_status_ignore_ || given == &mpi_fortran_statuses_ignore_) return;
        all_.resize(std::size_t(count > 0 ? count : 0));
        for (std::size_t at = 0; at < all_.size(); ++at) PMPI_Status_f2c(given_ + at * size, &all_[at]);
    }
    ~FortranStatuses() {
        for (std::size_t at = 0; at < all_.size(); ++at) PMPI_Status_c2f(&all_[at], given_ + at * size);
    }
    FortranStatuses(const FortranStatuses&) = delete;
    FortranStatuses& operator=(const FortranStatuses&) = delete;
    MPI_Status* get() { return all_.empty() ? MPI_STATUSES_IGNORE : all_.data(); }

private:
    static constexpr std::size_t size = sizeof(MPI_Status) / sizeof(MPI_Fint);
    MPI_Fint* given_;
    std::vector<MPI_Status> all_;
};
template <>
class FromFortran<MPI_Status*> : public FortranStatuses {
public:
    explicit FromFortran(void* given) : FortranStatuses(given, 1) {}
};

// A list of requests that the call may change.
class FortranRequests {
public:
    FortranRequests(void* given, int count) : given_(static_cast<MPI_Fint*>(given)) {
        for (int at = 0; at < count; ++at) all_.push_back(PMPI_Request_f2c(given_[at]));
    }
    ~FortranRequests() {
        for (std::size_t at = 0; at < all_.size(); ++at) given_[at] = PMPI_Request_c2f(all_[at]);
    }
    FortranRequests(const FortranRequests&) = delete;
    FortranRequests& operator=(const FortranRequests&) = delete;
    MPI_Request* get() { return all_.data(); }

private:
    MPI_Fint* given_;
    std::vector<MPI_Request> all_;
};

// Fortran counts from 1.
void countFromOne(int* indices, int count) {
    for (int at = 0; at < count; ++at)
        if (indices[at] != MPI_UNDEFINED) ++indices[at];
}

template <typename Type>
using Given = void*;

// What a call says of itself goes where Fortran asks for it, which it need not (`use mpi_f08`).
template <typename... C>
void called(int (*call)(C...), MPI_Fint* error, Given<C>... given) {
    const int result = call(FromFortran<C>(given).get()...);
    if (error != nullptr) *error = result;
}

}  // namespace

#define GIVEN1 void* a
#define GIVEN2 GIVEN1, void* b
#define GIVEN3 GIVEN2, void* c
#define GIVEN4 GIVEN3, void* d
#define GIVEN5 GIVEN4, void* e
#define GIVEN6 GIVEN5, void* f
#define GIVEN7 GIVEN6, void* g
#define GIVEN8 GIVEN7, void* h
#define GIVEN9 GIVEN8, void* i
#define GIVEN10 GIVEN9, void* j
#define GIVEN12 GIVEN10, void* k, void* l
#define GIVEN13 GIVEN12, void* m
#define NAMES1 a
#define NAMES2 NAMES1, b
#define NAMES3 NAMES2, c
#define NAMES4 NAMES3, d
#define NAMES5 NAMES4, e
#define NAMES6 NAMES5, f
#define NAMES7 NAMES6, g
#define NAMES8 NAMES7, h
#define NAMES9 NAMES8, i
#define NAMES10 NAMES9, j
#define NAMES12 NAMES10, k, l
#define NAMES13 NAMES12, m
// A call by its name in C and in Fortran, which has one more in the module mpi_f08.
#define FORTRAN(own, ...)                                                            \
    void own##_(__VA_ARGS__);                                                              \
    __attribute__((alias(#own "_"))) void own##_f08_(__VA_ARGS__);                         \
    void own##_(__VA_ARGS__)
#define CALL(name, own, count) \
    FORTRAN(own, GIVEN##count, MPI_Fint* error) { called(&name, error, NAMES##count); }

extern "C" {

CALL(MPI_Send, mpi_send, 6)
CALL(MPI_Bsend, mpi_bsend, 6)
CALL(MPI_Ssend, mpi_ssend, 6)
CALL(MPI_Rsend, mpi_rsend, 6)

CALL(MPI_Isend, mpi_isend, 7)
CALL(MPI_Ibsend, mpi_ibsend, 7)
CALL(MPI_Issend, mpi_issend, 7)
CALL(MPI_Irsend, mpi_irsend, 7)
CALL(MPI_Send_init, mpi_send_init, 7)
CALL(MPI_Bsend_init, mpi_bsend_init, 7)
CALL(MPI_Ssend_init, mpi_ssend_init, 7)
CALL(MPI_Rsend_init, mpi_rsend_init, 7)
CALL(MPI_Recv_init, mpi_recv_init, 7)
CALL(MPI_Recv, mpi_recv, 7)
CALL(MPI_Irecv, mpi_irecv, 7)

CALL(MPI_Sendrecv, mpi_sendrecv, 12)
CALL(MPI_Sendrecv_replace, mpi_sendrecv_replace, 9)
CALL(MPI_Start, mpi_start, 1)
CALL(MPI_Request_free, mpi_request_free, 1)
CALL(MPI_Wait, mpi_wait, 2)
CALL(MPI_Test, mpi_test, 3)

CALL(MPI_Probe, mpi_probe, 4)
CALL(MPI_Iprobe, mpi_iprobe, 5)
CALL(MPI_Mprobe, mpi_mprobe, 5)
CALL(MPI_Improbe, mpi_improbe, 6)
CALL(MPI_Mrecv, mpi_mrecv, 5)
CALL(MPI_Imrecv, mpi_imrecv, 5)

CALL(MPI_Barrier, mpi_barrier, 1)
CALL(MPI_Ibarrier, mpi_ibarrier, 2)
CALL(MPI_Bcast, mpi_bcast, 5)
CALL(MPI_Ibcast, mpi_ibcast, 6)
CALL(MPI_Reduce, mpi_reduce, 7)
CALL(MPI_Ireduce, mpi_ireduce, 8)
CALL(MPI_Allreduce, mpi_allreduce, 6)
CALL(MPI_Iallreduce, mpi_iallreduce, 7)
CALL(MPI_Scan, mpi_scan, 6)
CALL(MPI_Iscan, mpi_iscan, 7)
CALL(MPI_Exscan, mpi_exscan, 6)
CALL(MPI_Iexscan, mpi_iexscan, 7)
CALL(MPI_Gather, mpi_gather, 8)
CALL(MPI_Igather, mpi_igather, 9)
CALL(MPI_Gatherv, mpi_gatherv, 9)
CALL(MPI_Igatherv, mpi_igatherv, 10)
CALL(MPI_Allgather, mpi_allgather, 7)
CALL(MPI_Iallgather, mpi_iallgather, 8)
CALL(MPI_Allgatherv, mpi_allgatherv, 8)
CALL(MPI_Iallgatherv, mpi_iallgatherv, 9)
CALL(MPI_Alltoall, mpi_alltoall, 7)
CALL(MPI_Ialltoall, mpi_ialltoall, 8)
CALL(MPI_Alltoallv, mpi_alltoallv, 9)
CALL(MPI_Ialltoallv, mpi_ialltoallv, 10)
CALL(MPI_Scatter, mpi_scatter, 8)
CALL(MPI_Iscatter, mpi_iscatter, 9)
CALL(MPI_Scatterv, mpi_scatterv, 9)
CALL(MPI_Iscatterv, mpi_iscatterv, 10)
CALL(MPI_Reduce_scatter, mpi_reduce_scatter, 6)
CALL(MPI_Ireduce_scatter, mpi_ireduce_scatter, 7)
CALL(MPI_Reduce_scatter_block, mpi_reduce_scatter_block, 6)
CALL(MPI_Ireduce_scatter_block, mpi_ireduce_scatter_block, 7)
CALL(MPI_Neighbor_allgather, mpi_neighbor_allgather, 7)
CALL(MPI_Ineighbor_allgather, mpi_ineighbor_allgather, 8)
CALL(MPI_Neighbor_allgatherv, mpi_neighbor_allgatherv, 8)
CALL(MPI_Ineighbor_allgatherv, mpi_ineighbor_allgatherv, 9)
CALL(MPI_Neighbor_alltoall, mpi_neighbor_alltoall, 7)
CALL(MPI_Ineighbor_alltoall, mpi_ineighbor_alltoall, 8)
CALL(MPI_Neighbor_alltoallv, mpi_neighbor_alltoallv, 9)
CALL(MPI_Ineighbor_alltoallv, mpi_ineighbor_alltoallv, 10)

CALL(MPI_Put, mpi_put, 8)
CALL(MPI_Rput, mpi_rput, 9)
CALL(MPI_Get, mpi_get, 8)
CALL(MPI_Rget, mpi_rget, 9)
CALL(MPI_Accumulate, mpi_accumulate, 9)
CALL(MPI_Raccumulate, mpi_raccumulate, 10)
CALL(MPI_Get_accumulate, mpi_get_accumulate, 12)
CALL(MPI_Rget_accumulate, mpi_rget_accumulate, 13)
CALL(MPI_Fetch_and_op, mpi_fetch_and_op, 7)
CALL(MPI_Compare_and_swap, mpi_compare_and_swap, 7)

CALL(MPI_Win_fence, mpi_win_fence, 2)
CALL(MPI_Win_lock, mpi_win_lock, 4)
CALL(MPI_Win_unlock, mpi_win_unlock, 2)
CALL(MPI_Win_lock_all, mpi_win_lock_all, 2)
CALL(MPI_Win_unlock_all, mpi_win_unlock_all, 1)
CALL(MPI_Win_flush, mpi_win_flush, 2)
CALL(MPI_Win_flush_all, mpi_win_flush_all, 1)
CALL(MPI_Win_flush_local, mpi_win_flush_local, 2)
CALL(MPI_Win_flush_local_all, mpi_win_flush_local_all, 1)
CALL(MPI_Win_post, mpi_win_post, 3)
CALL(MPI_Win_start, mpi_win_start, 3)
CALL(MPI_Win_complete, mpi_win_complete, 1)
CALL(MPI_Win_wait, mpi_win_wait, 1)
CALL(MPI_Win_test, mpi_win_test, 2)

// What is not a matter of each argument alone.
#define REPORT(call)                                   \
    const int result = call;                           \
    if (error != nullptr) *error = result

FORTRAN(mpi_init, MPI_Fint* error) { REPORT(MPI_Init(nullptr, nullptr)); }
FORTRAN(mpi_init_thread, int* required, int* provided, MPI_Fint* error) {
    REPORT(MPI_Init_thread(nullptr, nullptr, *required, provided));
}
FORTRAN(mpi_finalize, MPI_Fint* error) { REPORT(MPI_Finalize()); }
FORTRAN(mpi_startall, int* count, void* requests, MPI_Fint* error) {
    REPORT(MPI_Startall(*count, FortranRequests(requests, *count).get()));
}
FORTRAN(mpi_waitall, int* count, void* requests, void* statuses, MPI_Fint* error) {
    REPORT(MPI_Waitall(*count, FortranRequests(requests, *count).get(), FortranStatuses(statuses, *count).get()));
}
FORTRAN(mpi_testall, int* count, void* requests, int* flag, void* statuses, MPI_Fint* error) {
    REPORT(MPI_Testall(*count, FortranRequests(requests, *count).get(), flag, FortranStatuses(statuses, *count).get()));
}
FORTRAN(mpi_waitany, int* count, void* requests, int* index, void* status, MPI_Fint* error) {
    REPORT(MPI_Waitany(*count, FortranRequests(requests, *count).get(), index, FortranStatuses(status, 1).get()));
    if (result == MPI_SUCCESS) countFromOne(index, 1);
}
FORTRAN(mpi_testany, int* count, void* requests, int* index, int* flag, void* status, MPI_Fint* error) {
    REPORT(MPI_Testany(*count, FortranRequests(requests, *count).get(), index, flag, FortranStatuses(status, 1).get()));
    if (result == MPI_SUCCESS && *flag) countFromOne(index, 1);
}
FORTRAN(mpi_waitsome, int* count, void* requests, int* done, int* indices, void* statuses, MPI_Fint* error) {
    REPORT(MPI_Waitsome(*count, FortranRequests(requests, *count).get(), done, indices, FortranStatuses(statuses, *count).get()));
    if (result == MPI_SUCCESS && *done != MPI_UNDEFINED) countFromOne(indices, *done);
}
FORTRAN(mpi_testsome, int* count, void* requests, int* done, int* indices, void* statuses, MPI_Fint* error) {
    REPORT(MPI_Testsome(*count, FortranRequests(requests, *count).get(), done, indices, FortranStatuses(statuses, *count).get()));
    if (result == MPI_SUCCESS && *done != MPI_UNDEFINED) countFromOne(indices, *done);
}

}  // extern "C"

#endif

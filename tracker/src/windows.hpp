// Part of mpi.cpp: one-sided communication. What is put, got or accumulated is of the rank that calls, with the rank whose memory it is
// as its peer; the other one takes no part, so that these are no messages.

namespace {

// What one call moves; nothing where its target is nobody.
heatflow::detail::Movement moved(MPI_Win window, int target, std::int64_t count, MPI_Datatype type) {
    if (target < 0) return {0, -1, -1};
    MPI_Group group;
    PMPI_Win_get_group(window, &group);
    return {bytesOf(count, type), worldRankIn(group, target), -1};
}

class OneSided : public heatflow::Region {
public:
    OneSided(const Site& site, heatflow::detail::Movement movement, const void* frame = __builtin_frame_address(0))
        : Region(site, frame, movement, 1) {}
};

}  // namespace

#define LIST(...) __VA_ARGS__
#define ONE_SIDED(name, parameters, arguments, count, type)                \
    int name(LIST parameters) {                                            \
        static const Site site{#name, "", 0, Category::communication};     \
        const OneSided region(site, moved(window, target, count, type));   \
        return P##name(LIST arguments);                                    \
    }
// One, and the one that gives a request.
#define ONE_SIDED_TWICE(name, withRequest, parameters, arguments, count, type)                                \
    ONE_SIDED(name, parameters, arguments, count, type)                                                       \
    ONE_SIDED(withRequest, (LIST parameters, MPI_Request* request), (LIST arguments, request), count, type)
#define SYNCHRONIZES(name, parameters, arguments) \
    int name(LIST parameters) {                   \
        TRACED(name);                             \
        return P##name(LIST arguments);           \
    }

extern "C" {

ONE_SIDED_TWICE(MPI_Put, MPI_Rput, (const void* data, int count, MPI_Datatype type, int target, MPI_Aint offset, int targetCount, MPI_Datatype targetType, MPI_Win window),
                (data, count, type, target, offset, targetCount, targetType, window), count, type)
ONE_SIDED_TWICE(MPI_Get, MPI_Rget, (void* into, int count, MPI_Datatype type, int target, MPI_Aint offset, int targetCount, MPI_Datatype targetType, MPI_Win window),
                (into, count, type, target, offset, targetCount, targetType, window), count, type)
ONE_SIDED_TWICE(MPI_Accumulate, MPI_Raccumulate, (const void* data, int count, MPI_Datatype type, int target, MPI_Aint offset, int targetCount, MPI_Datatype targetType, MPI_Op operation, MPI_Win window),
                (data, count, type, target, offset, targetCount, targetType, operation, window), count, type)
ONE_SIDED_TWICE(MPI_Get_accumulate, MPI_Rget_accumulate, (const void* data, int count, MPI_Datatype type, void* into, int intoCount, MPI_Datatype intoType, int target, MPI_Aint offset, int targetCount, MPI_Datatype targetType, MPI_Op operation, MPI_Win window),
                (data, count, type, into, intoCount, intoType, target, offset, targetCount, targetType, operation, window), intoCount, intoType)
ONE_SIDED(MPI_Fetch_and_op, (const void* data, void* into, MPI_Datatype type, int target, MPI_Aint offset, MPI_Op operation, MPI_Win window),
          (data, into, type, target, offset, operation, window), 1, type)
ONE_SIDED(MPI_Compare_and_swap, (const void* data, const void* compared, void* into, MPI_Datatype type, int target, MPI_Aint offset, MPI_Win window),
          (data, compared, into, type, target, offset, window), 1, type)

SYNCHRONIZES(MPI_Win_fence, (int assertion, MPI_Win window), (assertion, window))
SYNCHRONIZES(MPI_Win_lock, (int kind, int rank, int assertion, MPI_Win window), (kind, rank, assertion, window))
SYNCHRONIZES(MPI_Win_unlock, (int rank, MPI_Win window), (rank, window))
SYNCHRONIZES(MPI_Win_lock_all, (int assertion, MPI_Win window), (assertion, window))
SYNCHRONIZES(MPI_Win_unlock_all, (MPI_Win window), (window))
SYNCHRONIZES(MPI_Win_flush, (int rank, MPI_Win window), (rank, window))
SYNCHRONIZES(MPI_Win_flush_all, (MPI_Win window), (window))
SYNCHRONIZES(MPI_Win_flush_local, (int rank, MPI_Win window), (rank, window))
SYNCHRONIZES(MPI_Win_flush_local_all, (MPI_Win window), (window))
SYNCHRONIZES(MPI_Win_post, (MPI_Group group, int assertion, MPI_Win window), (group, assertion, window))
SYNCHRONIZES(MPI_Win_start, (MPI_Group group, int assertion, MPI_Win window), (group, assertion, window))
SYNCHRONIZES(MPI_Win_complete, (MPI_Win window), (window))
SYNCHRONIZES(MPI_Win_wait, (MPI_Win window), (window))
SYNCHRONIZES(MPI_Win_test, (MPI_Win window, int* flag), (window, flag))

}  // extern "C"

#undef SYNCHRONIZES
#undef ONE_SIDED_TWICE
#undef ONE_SIDED
#undef LIST

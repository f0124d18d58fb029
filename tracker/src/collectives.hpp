// Part of mpi.cpp: calls in which all ranks of a communicator, or all neighbours of its topology, take part. Their bytes are what this
// rank hands over, to whomever they go; of those that give a request, too, when they begin.

namespace {

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

// Of counts and types for each of so many ranks.
std::int64_t bytesOf(const int* counts, const MPI_Datatype* types, int size) {
    std::int64_t sum = 0;
    for (int at = 0; at < size; ++at) sum += bytesOf(counts[at], types[at]);
    return sum;
}

// Whom this rank sends to in a topology, in the order of its buffers; MPI_PROC_NULL beyond the edge of a grid.
std::vector<int> neighborsIn(MPI_Comm communicator) {
    int kind = MPI_UNDEFINED;
    PMPI_Topo_test(communicator, &kind);
    std::vector<int> all;
    if (kind == MPI_CART) {
        int dimensions = 0;
        PMPI_Cartdim_get(communicator, &dimensions);
        for (int at = 0; at < dimensions; ++at) {
            int below = MPI_PROC_NULL, above = MPI_PROC_NULL;
            PMPI_Cart_shift(communicator, at, 1, &below, &above);
            all.insert(all.end(), {below, above});
        }
    } else if (kind == MPI_GRAPH) {
        int count = 0;
        PMPI_Graph_neighbors_count(communicator, rankIn(communicator), &count);
        all.resize(std::size_t(count));
        PMPI_Graph_neighbors(communicator, rankIn(communicator), count, all.data());
    } else if (kind == MPI_DIST_GRAPH) {
        int sources = 0, count = 0, isWeighted = 0;
        PMPI_Dist_graph_neighbors_count(communicator, &sources, &count, &isWeighted);
        std::vector<int> from, weights;
        from.resize(std::size_t(sources));
        weights.resize(std::size_t(sources + count));
        all.resize(std::size_t(count));
        int* const unused = isWeighted ? weights.data() : MPI_UNWEIGHTED;
        PMPI_Dist_graph_neighbors(communicator, sources, from.data(), unused, count, all.data(), unused);
    }
    return all;
}

template <typename Value>
Value of(Value same, std::size_t) { return same; }
template <typename Value>
Value of(const Value* each, std::size_t neighbor) { return each[neighbor]; }

// Counts and types are those of all neighbours, or one of each.
template <typename Counts, typename Types>
std::int64_t toNeighbors(MPI_Comm communicator, Counts counts, Types types) {
    const std::vector<int> neighbors = neighborsIn(communicator);
    std::int64_t sum = 0;
    for (std::size_t index = 0; index < neighbors.size(); ++index)
        if (neighbors[index] != MPI_PROC_NULL) sum += bytesOf(of(counts, index), of(types, index));
    return sum;
}

}  // namespace

#define LIST(...) __VA_ARGS__
#define MOVES(name, bytes)                                           \
    static const Site site{#name, "", 0, Category::communication};   \
    const heatflow::Transfer region(site, std::uint64_t(bytes))
// A collective, and the one that gives a request.
#define COLLECTIVE(name, immediate, parameters, arguments, bytes)    \
    int name(LIST parameters) {                                      \
        MOVES(name, bytes);                                          \
        return P##name(LIST arguments);                              \
    }                                                                \
    int immediate(LIST parameters, MPI_Request* request) {           \
        MOVES(immediate, bytes);                                     \
        return P##immediate(LIST arguments, request);                \
    }

extern "C" {

COLLECTIVE(MPI_Barrier, MPI_Ibarrier, (MPI_Comm communicator),
           (communicator),
           0)
COLLECTIVE(MPI_Bcast, MPI_Ibcast, (void* data, int count, MPI_Datatype type, int root, MPI_Comm communicator),
           (data, count, type, root, communicator),
           bytesOf(count, type))
COLLECTIVE(MPI_Reduce, MPI_Ireduce, (const void* data, void* into, int count, MPI_Datatype type, MPI_Op operation, int root, MPI_Comm communicator),
           (data, into, count, type, operation, root, communicator),
           bytesOf(count, type))
COLLECTIVE(MPI_Allreduce, MPI_Iallreduce, (const void* data, void* into, int count, MPI_Datatype type, MPI_Op operation, MPI_Comm communicator),
           (data, into, count, type, operation, communicator),
           bytesOf(count, type))
COLLECTIVE(MPI_Scan, MPI_Iscan, (const void* data, void* into, int count, MPI_Datatype type, MPI_Op operation, MPI_Comm communicator),
           (data, into, count, type, operation, communicator),
           bytesOf(count, type))
COLLECTIVE(MPI_Exscan, MPI_Iexscan, (const void* data, void* into, int count, MPI_Datatype type, MPI_Op operation, MPI_Comm communicator),
           (data, into, count, type, operation, communicator),
           bytesOf(count, type))
COLLECTIVE(MPI_Gather, MPI_Igather, (const void* data, int count, MPI_Datatype type, void* into, int intoCount, MPI_Datatype intoType, int root, MPI_Comm communicator),
           (data, count, type, into, intoCount, intoType, root, communicator),
           bytesOf(data, count, type, intoCount, intoType))
COLLECTIVE(MPI_Gatherv, MPI_Igatherv, (const void* data, int count, MPI_Datatype type, void* into, const int* counts, const int* offsets, MPI_Datatype intoType, int root, MPI_Comm communicator),
           (data, count, type, into, counts, offsets, intoType, root, communicator),
           bytesOf(data, count, type, data == MPI_IN_PLACE ? counts[root] : 0, intoType))
COLLECTIVE(MPI_Allgather, MPI_Iallgather, (const void* data, int count, MPI_Datatype type, void* into, int intoCount, MPI_Datatype intoType, MPI_Comm communicator),
           (data, count, type, into, intoCount, intoType, communicator),
           bytesOf(data, count, type, intoCount, intoType))
COLLECTIVE(MPI_Allgatherv, MPI_Iallgatherv, (const void* data, int count, MPI_Datatype type, void* into, const int* counts, const int* offsets, MPI_Datatype intoType, MPI_Comm communicator),
           (data, count, type, into, counts, offsets, intoType, communicator),
           bytesOf(data, count, type, data == MPI_IN_PLACE ? counts[rankIn(communicator)] : 0, intoType))
COLLECTIVE(MPI_Alltoall, MPI_Ialltoall, (const void* data, int count, MPI_Datatype type, void* into, int intoCount, MPI_Datatype intoType, MPI_Comm communicator),
           (data, count, type, into, intoCount, intoType, communicator),
           sizeOf(communicator) * bytesOf(data, count, type, intoCount, intoType))
COLLECTIVE(MPI_Alltoallv, MPI_Ialltoallv, (const void* data, const int* counts, const int* offsets, MPI_Datatype type, void* into, const int* intoCounts, const int* intoOffsets, MPI_Datatype intoType, MPI_Comm communicator),
           (data, counts, offsets, type, into, intoCounts, intoOffsets, intoType, communicator),
           data == MPI_IN_PLACE ? bytesOf(sumOf(intoCounts, sizeOf(communicator)), intoType) : bytesOf(sumOf(counts, sizeOf(communicator)), type))
COLLECTIVE(MPI_Alltoallw, MPI_Ialltoallw, (const void* data, const int* counts, const int* offsets, const MPI_Datatype* types, void* into, const int* intoCounts, const int* intoOffsets, const MPI_Datatype* intoTypes, MPI_Comm communicator),
           (data, counts, offsets, types, into, intoCounts, intoOffsets, intoTypes, communicator),
           data == MPI_IN_PLACE ? bytesOf(intoCounts, intoTypes, sizeOf(communicator)) : bytesOf(counts, types, sizeOf(communicator)))
COLLECTIVE(MPI_Scatter, MPI_Iscatter, (const void* data, int count, MPI_Datatype type, void* into, int intoCount, MPI_Datatype intoType, int root, MPI_Comm communicator),
           (data, count, type, into, intoCount, intoType, root, communicator),
           root == MPI_ROOT || root == rankIn(communicator) ? sizeOf(communicator) * bytesOf(count, type) : 0)
COLLECTIVE(MPI_Scatterv, MPI_Iscatterv, (const void* data, const int* counts, const int* offsets, MPI_Datatype type, void* into, int intoCount, MPI_Datatype intoType, int root, MPI_Comm communicator),
           (data, counts, offsets, type, into, intoCount, intoType, root, communicator),
           root == MPI_ROOT || root == rankIn(communicator) ? bytesOf(sumOf(counts, sizeOf(communicator)), type) : 0)
COLLECTIVE(MPI_Reduce_scatter, MPI_Ireduce_scatter, (const void* data, void* into, const int* counts, MPI_Datatype type, MPI_Op operation, MPI_Comm communicator),
           (data, into, counts, type, operation, communicator),
           bytesOf(sumOf(counts, sizeOf(communicator)), type))
COLLECTIVE(MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block, (const void* data, void* into, int count, MPI_Datatype type, MPI_Op operation, MPI_Comm communicator),
           (data, into, count, type, operation, communicator),
           sizeOf(communicator) * bytesOf(count, type))

COLLECTIVE(MPI_Neighbor_allgather, MPI_Ineighbor_allgather, (const void* data, int count, MPI_Datatype type, void* into, int intoCount, MPI_Datatype intoType, MPI_Comm communicator),
           (data, count, type, into, intoCount, intoType, communicator),
           toNeighbors(communicator, count, type))
COLLECTIVE(MPI_Neighbor_allgatherv, MPI_Ineighbor_allgatherv, (const void* data, int count, MPI_Datatype type, void* into, const int* counts, const int* offsets, MPI_Datatype intoType, MPI_Comm communicator),
           (data, count, type, into, counts, offsets, intoType, communicator),
           toNeighbors(communicator, count, type))
COLLECTIVE(MPI_Neighbor_alltoall, MPI_Ineighbor_alltoall, (const void* data, int count, MPI_Datatype type, void* into, int intoCount, MPI_Datatype intoType, MPI_Comm communicator),
           (data, count, type, into, intoCount, intoType, communicator),
           toNeighbors(communicator, count, type))
COLLECTIVE(MPI_Neighbor_alltoallv, MPI_Ineighbor_alltoallv, (const void* data, const int* counts, const int* offsets, MPI_Datatype type, void* into, const int* intoCounts, const int* intoOffsets, MPI_Datatype intoType, MPI_Comm communicator),
           (data, counts, offsets, type, into, intoCounts, intoOffsets, intoType, communicator),
           toNeighbors(communicator, counts, type))
COLLECTIVE(MPI_Neighbor_alltoallw, MPI_Ineighbor_alltoallw, (const void* data, const int* counts, const MPI_Aint* offsets, const MPI_Datatype* types, void* into, const int* intoCounts, const MPI_Aint* intoOffsets, const MPI_Datatype* intoTypes, MPI_Comm communicator),
           (data, counts, offsets, types, into, intoCounts, intoOffsets, intoTypes, communicator),
           toNeighbors(communicator, counts, types))

}  // extern "C"

#undef COLLECTIVE
#undef MOVES
#undef LIST

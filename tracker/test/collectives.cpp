// Calls of MPI whose arguments say less than they seem to: data in place has no type and no count of its own; those that end later;
// those to neighbours, of which a grid's edge has fewer; one-sided ones; receives of messages that a probe has found.
#include <mpi.h>

#include <cstdio>
#include <vector>

namespace {

int rank = 0, size = 1;

void collectives(std::vector<double>& from, std::vector<double>& into) {
    MPI_Alltoall(from.data(), 100, MPI_DOUBLE, into.data(), 100, MPI_DOUBLE, MPI_COMM_WORLD);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, into.data(), 100, MPI_DOUBLE, MPI_COMM_WORLD);
    MPI_Scatter(from.data(), 100, MPI_DOUBLE, into.data(), 100, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Request request;
    MPI_Iallreduce(from.data(), into.data(), 30, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    const std::vector<int> counts(std::size_t(size), 5), offsets(std::size_t(size), 0);
    const std::vector<MPI_Datatype> types(std::size_t(size), MPI_INT);
    std::vector<int> numbers(5), others(5);
    MPI_Ialltoallw(numbers.data(), counts.data(), offsets.data(), types.data(), others.data(), counts.data(), offsets.data(),
                   types.data(), MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

// A row of ranks: the first has nobody below, the last nobody above.
void neighbors(std::vector<double>& from, std::vector<double>& into) {
    MPI_Comm row;
    const int periods[] = {0};
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, periods, 0, &row);
    MPI_Neighbor_allgather(from.data(), 10, MPI_DOUBLE, into.data(), 10, MPI_DOUBLE, row);
    MPI_Request request;
    // What one sends up is what the other one gets from below.
    const int counts[] = {3, 7}, fromNeighbors[] = {7, 3}, offsets[] = {0, 10};
    MPI_Ineighbor_alltoallv(from.data(), counts, offsets, MPI_DOUBLE, into.data(), fromNeighbors, offsets, MPI_DOUBLE, row,
                            &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&row);
    // Each sends to the next one.
    const int next[] = {(rank + 1) % size}, degree[] = {1};
    MPI_Comm ring;
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, degree, next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &ring);
    MPI_Neighbor_alltoall(from.data(), 4, MPI_DOUBLE, into.data(), 4, MPI_DOUBLE, ring);
    MPI_Comm_free(&ring);
}

// Windows of a communicator in which ranks have other numbers.
void oneSided(MPI_Comm reversed, std::vector<double>& from, std::vector<double>& into) {
    MPI_Win window;
    std::vector<double> memory(100);
    MPI_Win_create(memory.data(), 800, 8, MPI_INFO_NULL, reversed, &window);
    MPI_Win_fence(0, window);
    if (rank == 0) {
        const int last = 0;
        MPI_Put(from.data(), 20, MPI_DOUBLE, last, 0, 20, MPI_DOUBLE, window);
        MPI_Put(from.data(), 20, MPI_DOUBLE, MPI_PROC_NULL, 0, 20, MPI_DOUBLE, window);
        MPI_Accumulate(from.data(), 2, MPI_DOUBLE, last, 50, 2, MPI_DOUBLE, MPI_SUM, window);
    }
    MPI_Win_fence(0, window);
    if (rank == 0) {
        MPI_Request request;
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
        MPI_Rget(into.data(), 6, MPI_DOUBLE, 0, 0, 6, MPI_DOUBLE, window, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Win_unlock(0, window);
    }
    MPI_Win_free(&window);
}

void foundMessages(MPI_Comm reversed, std::vector<double>& from, std::vector<double>& into) {
    if (rank == 0) {
        MPI_Send(from.data(), 11, MPI_DOUBLE, 0, 1, reversed);
        MPI_Send(from.data(), 12, MPI_DOUBLE, 0, 2, reversed);
    } else if (rank == size - 1) {
        MPI_Message message;
        MPI_Status status;
        MPI_Mprobe(MPI_ANY_SOURCE, 1, reversed, &message, &status);
        MPI_Mrecv(into.data(), 100, MPI_DOUBLE, &message, MPI_STATUS_IGNORE);
        int isThere = 0;
        while (!isThere) MPI_Improbe(MPI_ANY_SOURCE, 2, reversed, &isThere, &message, &status);
        MPI_Request request;
        MPI_Imrecv(into.data(), 100, MPI_DOUBLE, &message, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

}  // namespace

int main(int count, char** arguments) {
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    std::vector<double> from(std::size_t(100 * size)), into(std::size_t(100 * size));
    collectives(from, into);
    neighbors(from, into);
    MPI_Comm reversed;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
    oneSided(reversed, from, into);
    foundMessages(reversed, from, into);
    std::printf("done %d\n", rank);
    MPI_Finalize();
}

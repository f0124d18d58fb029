// Collective calls of MPI whose arguments say less than they seem to: data in place has no type and no count of its own.
#include <mpi.h>

#include <cstdio>
#include <vector>

int main(int count, char** arguments) {
    MPI_Init(&count, &arguments);
    int rank = 0, size = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    std::vector<double> from(std::size_t(100 * size)), into(std::size_t(100 * size));
    MPI_Alltoall(from.data(), 100, MPI_DOUBLE, into.data(), 100, MPI_DOUBLE, MPI_COMM_WORLD);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, into.data(), 100, MPI_DOUBLE, MPI_COMM_WORLD);
    MPI_Scatter(from.data(), 100, MPI_DOUBLE, into.data(), 100, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    std::printf("done %d\n", rank);
    MPI_Finalize();
}

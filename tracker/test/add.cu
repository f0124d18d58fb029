// A program that uses a GPU: two vectors go there, are added so many times, and the sum comes back. It says what it did.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <heatflow/tracker.hpp>

__global__ void add(double* into, const double* from, int count) {
    const int at = int(blockIdx.x * blockDim.x + threadIdx.x);
    if (at < count) into[at] += from[at];
}

int main(int count, char** arguments) {
    HEATFLOW_FUNCTION;
    const int times = count > 1 ? std::atoi(arguments[1]) : 10;
    const int length = 1 << 20;
    const std::size_t bytes = length * sizeof(double);
    std::vector<double> into(length, 1), from(length, 2);
    double *first = nullptr, *second = nullptr;
    if (cudaMalloc(&first, bytes) != cudaSuccess || cudaMalloc(&second, bytes) != cudaSuccess) return 2;
    {
        HEATFLOW_REGION("there");
        cudaMemcpy(first, into.data(), bytes, cudaMemcpyHostToDevice);
        cudaMemcpy(second, from.data(), bytes, cudaMemcpyHostToDevice);
    }
    {
        HEATFLOW_REGION("adding");
        for (int at = 0; at < times; ++at) add<<<(length + 255) / 256, 256>>>(first, second, length);
        cudaDeviceSynchronize();
    }
    {
        HEATFLOW_REGION("back");
        cudaMemcpy(into.data(), first, bytes, cudaMemcpyDeviceToHost);
    }
    cudaFree(first);
    cudaFree(second);
    std::printf("kernels %d\nHtoD %zu\nDtoH %zu\n", times, 2 * bytes, bytes);
    return into[0] == 1 + 2.0 * times && into[length - 1] == into[0] ? 0 : 1;
}

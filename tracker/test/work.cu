// A program that uses a GPU as users' programs do: threads with streams of their own, pinned copies, kernels of a length that the GPU's
// own clock measures, a graph, managed memory, copies within the GPU, and a kernel that nothing waits for. It says what it did.
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include <heatflow/tracker.hpp>

namespace {

constexpr int threads = 4, steps = 20, spins = 50, launches = 10, ofGraph = 3, length = 1 << 18;
constexpr std::size_t bytes = length * sizeof(float), within = 1 << 24;

void check(cudaError_t result) {
    if (result == cudaSuccess) return;
    std::fprintf(stderr, "%s\n", cudaGetErrorString(result));
    std::exit(3);
}

// Counts what went by on the GPU's clock, as one that runs beside the profiler's.
__global__ void spin(unsigned long long nanoseconds, unsigned long long* took) {
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
    do asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    while (now - begin < nanoseconds);
    if (took != nullptr) atomicAdd(took, now - begin);
}

template <typename Number>
__global__ void scale(Number* data, Number by, int count) {
    for (int at = int(blockIdx.x * blockDim.x + threadIdx.x); at < count; at += gridDim.x * blockDim.x) data[at] *= by;
}

__global__ void last() {}

void worker() {
    HEATFLOW_FUNCTION;
    cudaStream_t stream;
    float *host, *device;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    check(cudaMallocHost(&host, bytes));
    check(cudaMalloc(&device, bytes));
    for (int at = 0; at < length; ++at) host[at] = 1;
    for (int step = 0; step < steps; ++step) {
        check(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream));
        {
            HEATFLOW_REGION("compute");
            scale<float><<<64, 256, 0, stream>>>(device, 2.0f, length);
        }
        check(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream));
        check(cudaStreamSynchronize(stream));
    }
    if (host[0] != float(1 << steps)) std::exit(4);
    check(cudaFree(device));
    check(cudaFreeHost(host));
    check(cudaStreamDestroy(stream));
}

unsigned long long known() {
    HEATFLOW_FUNCTION;
    unsigned long long *device, took = 0;
    check(cudaMalloc(&device, sizeof took));
    check(cudaMemset(device, 0, sizeof took));
    for (int at = 0; at < spins; ++at) spin<<<1, 1>>>(2000000, device);
    check(cudaMemcpy(&took, device, sizeof took, cudaMemcpyDeviceToHost));
    check(cudaFree(device));
    return took;
}

void graph() {
    HEATFLOW_FUNCTION;
    cudaStream_t stream;
    float* data;
    cudaGraph_t recorded;
    cudaGraphExec_t ready;
    check(cudaStreamCreate(&stream));
    check(cudaMalloc(&data, bytes));
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    check(cudaMemsetAsync(data, 0, bytes, stream));
    for (int at = 0; at < ofGraph; ++at) scale<float><<<64, 256, 0, stream>>>(data, 1.5f, length);
    check(cudaStreamEndCapture(stream, &recorded));
    check(cudaGraphInstantiate(&ready, recorded, 0));
    for (int launch = 0; launch < launches; ++launch) check(cudaGraphLaunch(ready, stream));
    check(cudaStreamSynchronize(stream));
    check(cudaFree(data));
}

void managed() {
    HEATFLOW_FUNCTION;
    double* data;
    check(cudaMallocManaged(&data, length * sizeof(double)));
    for (int at = 0; at < length; ++at) data[at] = 1;
    scale<double><<<64, 256>>>(data, 3.0, length);
    check(cudaDeviceSynchronize());
    double sum = 0;
    for (int at = 0; at < length; ++at) sum += data[at];
    if (sum != 3.0 * length) std::exit(5);
    check(cudaFree(data));
}

void between() {
    HEATFLOW_FUNCTION;
    char *first, *second;
    check(cudaMalloc(&first, within));
    check(cudaMalloc(&second, within));
    check(cudaMemcpy(first, second, within, cudaMemcpyDeviceToDevice));
    check(cudaDeviceSynchronize());
}

}  // namespace

int main() {
    HEATFLOW_FUNCTION;
    std::vector<std::thread> workers;
    for (int number = 0; number < threads; ++number) workers.emplace_back(worker);
    for (std::thread& one : workers) one.join();
    const unsigned long long took = known();
    graph();
    managed();
    between();
    last<<<1, 1>>>();
    const std::size_t copied = std::size_t(threads) * steps * bytes;
    std::printf("spin %d\nspinNanoseconds %llu\ncompute %d\ngraph %d\n", spins, took, threads * steps, launches * ofGraph);
    std::printf("HtoD %zu\nDtoH %zu\nDtoD %zu\n", copied, copied + sizeof took, within);
    std::printf("memset %zu\nmanaged %zu\n", sizeof took + launches * bytes, length * sizeof(double));
    return 0;
}

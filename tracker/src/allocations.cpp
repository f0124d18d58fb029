// What the program allocates, per region: stands in front of the C library's allocation (glibc). Only where HEATFLOW_ALLOCATIONS=1
// or the program's own settings say so is anything counted. Link it, or load it together with src/heatflow.cpp by LD_PRELOAD.
#include <malloc.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>

#ifndef HEATFLOW_RUNTIME
#define HEATFLOW_RUNTIME
#endif
#include "../include/heatflow/detail/own.hpp"
#include "../include/heatflow/tracker.hpp"

extern "C" {

void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void __libc_free(void* block);

}

namespace {

using heatflow::detail::OwnMemory;
using heatflow::detail::Recorder;

// Set while one of these functions counts. Reading the recorder of a thread for the first time may allocate itself.
__attribute__((tls_model("initial-exec"))) thread_local bool isCounting = false;

void* allocated(void* block, std::size_t size) {
    if (isCounting || block == nullptr) return block;
    isCounting = true;
    auto* const thread = OwnMemory::isHere() ? nullptr : Recorder::open();
    if (thread != nullptr) thread->allocated(size, malloc_usable_size(block));
    isCounting = false;
    return block;
}

void freed(std::size_t bytes) {
    if (isCounting || bytes == 0) return;
    isCounting = true;
    auto* const thread = OwnMemory::isHere() ? nullptr : Recorder::open();
    if (thread != nullptr) thread->freed(bytes);
    isCounting = false;
}

void* aligned(std::size_t alignment, std::size_t size) { return allocated(__libc_memalign(alignment, size), size); }

}  // namespace

extern "C" {

void* malloc(std::size_t size) { return allocated(__libc_malloc(size), size); }

void* calloc(std::size_t count, std::size_t size) { return allocated(__libc_calloc(count, size), count * size); }

void* realloc(void* block, std::size_t size) {
    const std::size_t before = block != nullptr ? malloc_usable_size(block) : 0;
    void* const moved = __libc_realloc(block, size);
    // Where there was no room the block stays as it was.
    if (moved != nullptr || size == 0) freed(before);
    return allocated(moved, size);
}

void* memalign(std::size_t alignment, std::size_t size) { return aligned(alignment, size); }
void* aligned_alloc(std::size_t alignment, std::size_t size) { return aligned(alignment, size); }

int posix_memalign(void** block, std::size_t alignment, std::size_t size) {
    if (alignment % sizeof(void*) != 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
    void* const made = aligned(alignment, size);
    if (made == nullptr) return ENOMEM;
    *block = made;
    return 0;
}

void free(void* block) {
    if (block != nullptr) freed(malloc_usable_size(block));
    __libc_free(block);
}

}  // extern "C"

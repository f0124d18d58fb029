// What a program asks of the stand-in for CUPTI (standin_cupti.cpp).
#pragma once

#include <cstdint>

// Where something is to have run, and how long.
struct StandInPlace {
    std::uint32_t device, context, stream;
    std::uint64_t nanoseconds;
};

// The driver has started, and knows so many devices.
void standInStart(std::uint32_t devices);
// Each is a call of CUDA's runtime, and what it starts.
void standInKernel(const char* name, const StandInPlace& at);
void standInCopy(bool isToDevice, std::uint64_t bytes, const StandInPlace& at);
void standInPeerCopy(std::uint32_t from, std::uint32_t to, std::uint64_t bytes, const StandInPlace& at);
void standInSet(std::uint64_t bytes, const StandInPlace& at);
void standInSynchronize();
// Of unified memory, whose kinds are CUPTI's numbers.
void standInMigration(int kind, std::uint64_t bytes, std::uint32_t device, std::uint64_t nanoseconds);

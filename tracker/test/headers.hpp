// Functions of a header, each on a line of its own: the compiler puts them into sections of their own.
#pragma once

#include <cstdio>

#define NOT_INLINED __attribute__((noinline))
#define TELL std::printf("%s %s:%d\n", __func__, __FILE__, __LINE__)

// clang-format off
template <typename Value> NOT_INLINED Value squared(Value value) { TELL; return value * value; }

struct Cell {
    double value;
    NOT_INLINED void heat(double by) { TELL; value += squared(by); }
};

// Work of a known time, for programs that the tests look at.
#pragma once

#include <chrono>

// Nanoseconds of a clock that the tracker does not read.
inline long long otherClock() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

inline void spin(double seconds) {
    const long long until = otherClock() + (long long)(seconds * 1e9);
    while (otherClock() < until) {
    }
}

// What the tracker itself allocates is not the program's.
#pragma once

namespace heatflow::detail {

// While one is there, this thread's allocations are the tracker's own.
class __attribute__((visibility("default"))) OwnMemory {
public:
    OwnMemory() noexcept { ++depth(); }
    ~OwnMemory() { --depth(); }
    OwnMemory(const OwnMemory&) = delete;
    OwnMemory& operator=(const OwnMemory&) = delete;

    static bool isHere() noexcept { return depth() > 0; }

private:
    static unsigned& depth() noexcept {
        static thread_local unsigned depth = 0;
        return depth;
    }
};

}  // namespace heatflow::detail

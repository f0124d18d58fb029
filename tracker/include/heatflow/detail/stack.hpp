// Where regions are on the stack of their thread.
#pragma once

#include <pthread.h>

#include <cstddef>
#include <cstdint>

namespace heatflow::detail {

// Place of a region on the stack. `frame` is that of its function; for an instrumented function it is the end of its code's stack, a little
// below the frame of its regions. `mark` is unique among open regions of a frame; 0 if the region may outlive its function.
struct StackPlace {
    std::uintptr_t frame = 0;
    std::uintptr_t mark = 0;
    // Return address of an instrumented function. Functions inlined in it have the same one.
    std::uintptr_t returnsTo = 0;

    // Whether the begin of this region shows that a known region of the same frame has been left.
    bool hasReplaced(const StackPlace& known) const noexcept {
        return returnsTo != 0 && known.returnsTo != 0 && returnsTo != known.returnsTo ? true : mark != 0 && mark == known.mark;
    }
};

// The thread's own stack. Signal handlers and coroutines may have other stacks, and frames of two stacks have no order.
struct OwnStack {
    std::uintptr_t begin = 0, end = 0;

    bool has(std::uintptr_t address) const noexcept { return address >= begin && address < end; }

    static OwnStack ofThisThread() noexcept {
        OwnStack own;
#ifdef __linux__
        pthread_attr_t attributes;
        if (pthread_getattr_np(pthread_self(), &attributes) != 0) return own;
        void* begin = nullptr;
        std::size_t size = 0;
        if (pthread_attr_getstack(&attributes, &begin, &size) == 0) {
            own.begin = reinterpret_cast<std::uintptr_t>(begin);
            own.end = own.begin + size;
        }
        pthread_attr_destroy(&attributes);
#endif
        return own;
    }
};

}  // namespace heatflow::detail

// Where regions are on the stack of their thread.
#pragma once

#include <pthread.h>

#include <cstddef>
#include <cstdint>

namespace heatflow::detail {

// The frame of the function that a region is in, and what no other region of that frame has at the same time; 0: it may outlive its function.
// The frame of an instrumented function is where its code ends on the stack, a little below that of its regions.
struct StackPlace {
    std::uintptr_t frame = 0;
    std::uintptr_t mark = 0;
    // Where an instrumented function returns to, which those that are inlined in it have, too.
    std::uintptr_t returnsTo = 0;

    // Whether a region that begins here shows that a known one of the same frame has been left.
    bool hasReplaced(const StackPlace& known) const noexcept {
        return returnsTo != 0 && known.returnsTo != 0 && returnsTo != known.returnsTo ? true : mark != 0 && mark == known.mark;
    }
};

// The thread's own stack. A handler of a signal may have another one, and so may a coroutine: frames of two stacks have no order.
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

// Memory straight from the system.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <type_traits>

namespace heatflow::detail {

// So many new items in memory of their own; nothing where there is none. For what a region may need wherever it begins: in a signal's
// handler, too, which may have interrupted the program within malloc and would wait for its locks for ever.
template <typename Item>
Item* newPages(std::size_t count) noexcept {
    void* const memory =
        mmap(nullptr, count * sizeof(Item), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return nullptr;
    Item* const items = static_cast<Item*>(memory);
    for (std::size_t at = 0; at < count; ++at) new (items + at) Item();
    return items;
}

// As `new` ends where there is no memory; a program that is compiled without exceptions ends.
[[noreturn]] inline void failForMemory() {
#ifdef __cpp_exceptions
    throw std::bad_alloc();
#else
    std::abort();
#endif
}

// The same, where there is no going on without.
template <typename Item>
Item* neededPages(std::size_t count) {
    Item* const items = newPages<Item>(count);
    if (items == nullptr) failForMemory();
    return items;
}

template <typename Item>
void freePages(Item* items, std::size_t count) noexcept {
    static_assert(std::is_trivially_destructible_v<Item>, "nothing is to be done when an item goes");
    if (items != nullptr) munmap(items, count * sizeof(Item));
}

}  // namespace heatflow::detail

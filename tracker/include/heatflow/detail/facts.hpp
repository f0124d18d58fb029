// What the file says of frames.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "frames.hpp"

namespace heatflow::detail {

inline const char* nameOf(Category category) noexcept {
    switch (category) {
        case Category::computing: return "computing";
        case Category::dataMovement: return "data movement";
        case Category::communication: return "communication";
        case Category::runtime: return "runtime";
        case Category::io: return "I/O";
        case Category::idle: return "idle";
    }
    return "computing";
}

// Where a frame stands, as far as it is known.
struct FrameFacts {
    std::string name;
    std::string file;
    int line = 0;
    std::string module;
    Category category = Category::computing;
    // Within the module, of a function that is known by its address; 0 else.
    std::uintptr_t offset = 0;
    // Calls of which one was recorded.
    std::uint32_t every = 1;
};

// A function of an unloaded library. Another function may have its address now.
struct GoneFunction {
    FrameFacts facts;
};

static_assert(alignof(GoneFunction) > 2, "the two lowest bits of its address are the mark");

// A loaded library and its addresses.
struct Library {
    std::string path;
    std::uintptr_t bias = 0;
    std::vector<std::pair<std::uintptr_t, std::uintptr_t>> ranges;

    bool operator==(const Library& other) const noexcept { return bias == other.bias && path == other.path; }
    bool has(std::uintptr_t address) const noexcept {
        for (const auto& [begin, end] : ranges)
            if (address >= begin && address < end) return true;
        return false;
    }
};

// Says what addresses are. The header knows none; the runtime beside it does.
class Symbols {
public:
    virtual ~Symbols() = default;
    // At once, while the program runs: its name, and the load module.
    virtual FrameFacts nameOf(std::uintptr_t address) = 0;
    // Knows what is loaded now, and what has been unloaded since it knew that, until it is to forget it.
    virtual void refresh() = 0;
    // The same of a library that is not there any longer. Others may take its place.
    virtual FrameFacts nameIn(const Library& unloaded, std::uintptr_t address) = 0;
    virtual void forget(const Library& unloaded) = 0;
    // Whether a function's own code is what was called there, from the code of its caller: neither is inlined in another one.
    virtual bool isCall(std::uintptr_t function, CallPlace call, std::uintptr_t caller) = 0;
    // When the program ends: files and lines, as far as there are debug symbols.
    virtual void locate(const std::vector<FrameFacts*>& frames) = 0;
};

}  // namespace heatflow::detail

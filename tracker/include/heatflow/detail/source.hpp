// What happens beside the program's threads, such as on GPUs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "json.hpp"

namespace heatflow::detail {

class Output;
class ThreadOutput;

// Tells the recorder what it gathers. All calls come from one thread at a time, between `begin` and `sections` of a session.
class EventSource {
public:
    virtual ~EventSource() = default;
    // A session begins, with so much room for what waits to be written.
    virtual void begin(std::size_t mostBytes) = 0;
    // Takes what has happened since the last time; what the threads have done that started it is known before `write`.
    virtual void gather(bool isLast) = 0;
    virtual void write(Output& output, std::vector<ThreadOutput>& threads) = 0;
    // Counters as they are now.
    virtual void sample(Output& output, std::uint64_t time) = 0;
    // Further sections of the file, each of which begins with a comma.
    virtual void sections(JsonFile& file) = 0;
    // What found no room, over the session.
    virtual std::uint64_t dropped() const = 0;
};

}  // namespace heatflow::detail

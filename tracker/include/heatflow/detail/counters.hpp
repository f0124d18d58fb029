// Counters of the process and the machine, taken at each sample.
#pragma once

#include <cstdint>
#include <string>

#include "clock.hpp"
#include "counters/cores.hpp"
#include "counters/devices.hpp"
#include "counters/energy.hpp"
#include "counters/list.hpp"
#include "counters/machine.hpp"
#include "counters/perf.hpp"
#include "counters/process.hpp"

namespace heatflow::detail {

class Counters {
public:
    // `wanted` as in Settings::metrics. On the thread whose process is counted, before it starts others.
    explicit Counters(const std::string& wanted)
        : list_(wanted), process_(list_), cores_(list_), frequencies_(list_), machine_(list_), devices_(list_), energy_(list_),
          perf_(list_) {
        list_.close();
    }

    const std::vector<CounterList::Missing>& missing() const noexcept { return list_.missing(); }

    // Hands over each counter that has a value, with its time: `put(counter, time)`. What is of a period stands at its begin.
    template <typename Put>
    std::uint64_t sample(Put&& put) {
        const std::uint64_t time = now();
        const double period = last_ == 0 ? 0 : double(time - last_);
        list_.forget();
        process_.sample(list_, period);
        cores_.sample(list_);
        frequencies_.sample(list_);
        machine_.sample(list_, period);
        devices_.sample(list_);
        energy_.sample(list_);
        perf_.sample(list_);
        for (const CounterList::Counter& one : list_.counters())
            if (one.value == one.value) put(one, one.kind == CounterKind::ofPeriod ? last_ : time);
        last_ = time;
        return time;
    }

    // At the end: what is of a period ends here.
    template <typename Put>
    std::uint64_t finish(Put&& put) {
        const std::uint64_t time = sample(put);
        for (const CounterList::Counter& one : list_.counters())
            if (one.value == one.value && one.kind == CounterKind::ofPeriod) put(one, time);
        return time;
    }

private:
    CounterList list_;
    ProcessCounters process_;
    CoreCounters cores_;
    FrequencyCounters frequencies_;
    MachineCounters machine_;
    DeviceCounters devices_;
    EnergyCounters energy_;
    PerfCounters perf_;
    std::uint64_t last_ = 0;
};

}  // namespace heatflow::detail

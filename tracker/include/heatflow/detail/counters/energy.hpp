// Energy that processors and memory have taken: RAPL's domains (kernel documentation, powercap).
#pragma once

#include <dirent.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "files.hpp"

namespace heatflow::detail {

class EnergyCounters {
public:
    // `folder`: for tests, else the system's own.
    explicit EnergyCounters(CounterList& list, const std::string& folder = "/sys/class/powercap") {
        static constexpr Metric metric{"energy N", "J", CounterKind::growing};
        const char* why = "this machine does not tell";
        for (const std::string& domain : domainsIn(folder)) {
            // A part of a package is called by both: `package-0/core`.
            const std::string path = folder + "/" + domain;
            std::string name = wordIn(path + "/name");
            if (std::count(domain.begin(), domain.end(), ':') > 1)
                name = wordIn(folder + "/" + domain.substr(0, domain.rfind(':')) + "/name") + "/" + name;
            if (name.empty() || !list.wants(metric, name)) continue;
            SystemFile energy(path + "/energy_uj"), most(path + "/max_energy_range_uj");
            const char* range = most.read();
            if (energy.read() == nullptr) why = energy.why();
            else domains_.push_back({std::move(energy), range == nullptr ? 0 : numberAt(range), list.add(metric, name), -1, 0});
        }
        if (domains_.empty() && list.wants(metric)) list.lacks(metric, why);
    }

    void sample(CounterList& list) {
        for (Domain& domain : domains_) {
            const char* text = domain.file.read();
            if (text == nullptr) continue;
            const double now = numberAt(text);
            // The counter begins at 0 again once it has reached its most, which takes a processor some minutes.
            if (domain.before >= 0) domain.microjoules += now - domain.before + (now < domain.before ? domain.range : 0);
            domain.before = now;
            list.put(domain.counter, domain.microjoules * 1e-6);
        }
    }

private:
    struct Domain {
        SystemFile file;
        double range;
        std::size_t counter;
        double before;
        double microjoules;
    };

    // Such as `intel-rapl:0` and, within it, `intel-rapl:0:1`. AMD's processors are called so, too.
    static std::vector<std::string> domainsIn(const std::string& folder) {
        std::vector<std::string> found;
        const std::unique_ptr<DIR, int (*)(DIR*)> open(opendir(folder.c_str()), [](DIR* one) { return closedir(one); });
        while (const dirent* entry = open ? readdir(open.get()) : nullptr)
            if (std::strncmp(entry->d_name, "intel-rapl:", 11) == 0) found.emplace_back(entry->d_name);
        std::sort(found.begin(), found.end());
        return found;
    }

    static std::string wordIn(const std::string& path) {
        SystemFile file(path);
        const char* text = file.read();
        return text == nullptr ? "" : std::string(text + 1, std::strcspn(text + 1, " \n"));
    }

    std::vector<Domain> domains_;
};

}  // namespace heatflow::detail

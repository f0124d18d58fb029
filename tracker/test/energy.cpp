// Reads a folder like /sys/class/powercap that its argument names, a line of its input at a time, and says what has been taken.
#include <cstdio>
#include <iostream>
#include <string>

#include <heatflow/tracker.hpp>

int main(int, char** arguments) {
    heatflow::detail::CounterList list("energy*");
    heatflow::detail::EnergyCounters energy(list, arguments[1]);
    for (const auto& missing : list.missing()) std::cout << missing.metric << ": " << missing.why << '\n';
    for (std::string line; std::getline(std::cin, line);) {
        // The first domain's counter, as it is now.
        if (std::FILE* file = std::fopen((std::string(arguments[1]) + "/intel-rapl:0/energy_uj").c_str(), "w")) {
            std::fprintf(file, "%s\n", line.c_str());
            std::fclose(file);
        }
        energy.sample(list);
        for (const auto& counter : list.counters()) std::cout << counter.name << ' ' << counter.value << '\n';
    }
}

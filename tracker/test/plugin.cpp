// A library that is loaded and unloaded: its region has the name PLUGIN, and a name that is made while it runs.
#include <heatflow/tracker.hpp>

extern "C" void work() {
    HEATFLOW_REGION(PLUGIN);
    HEATFLOW_ATTRIBUTE("of", PLUGIN);
    for (volatile int at = 0; at < 1000; at = at + 1) {
    }
}

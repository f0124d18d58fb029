// A program of two files, each of which is compiled with all of the tracker or without.
#include <heatflow/tracker.hpp>

#ifdef OTHER_HALF
void other() {
    HEATFLOW_FUNCTION;
    HEATFLOW_ATTRIBUTE("half", "other");
    HEATFLOW_ATTRIBUTE("number", 2);
}
#else
void other();

[[maybe_unused]] const bool isEarly = [] {
    HEATFLOW_REGION("before main");
    return true;
}();

int main() {
    HEATFLOW_FUNCTION;
    other();
    heatflow::Tracker tracker;
    tracker.start();
    tracker.start_event("event", "tag");
    tracker.stop_event("event", "tag");
}
#endif

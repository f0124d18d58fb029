// A thread that outlives main, and never stands still: its regions begin and end as fast as they can.
#include <heatflow/tracker.hpp>

#include <thread>

#include "spinning.hpp"

int main() {
    HEATFLOW_REGION("all");
    std::thread([] {
        HEATFLOW_REGION("restless");
        for (;;) {
            HEATFLOW_REGION("outer");
            for (int turn = 0; turn < 3; ++turn) {
                HEATFLOW_REGION("middle");
                HEATFLOW_REGION("inner");
            }
        }
    }).detach();
    spin(0.05);
    return 0;
}

// A recording after another while two threads go on, whose regions begin and end as fast as they can: `sessions FOLDER COUNT`. Says of
// each how many nanoseconds it had at least, and at most.
#include <heatflow/tracker.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include "spinning.hpp"

void restless() {
    HEATFLOW_REGION("restless");
    for (int turn = 0;; ++turn) {
        HEATFLOW_REGION("outer");
        HEATFLOW_ATTRIBUTE("turn", turn);
        for (int step = 0; step < 3; ++step) {
            HEATFLOW_REGION("middle");
            HEATFLOW_REGION("inner");
        }
    }
}

int main(int count, char** arguments) {
    if (count != 3) return 2;
    const int sessions = std::atoi(arguments[2]);
    for (int session = 0; session < sessions; ++session) {
        const long long before = otherClock();
        heatflow::Tracker tracker;
        if (!tracker.start()) return 1;
        if (session == 0) {
            for (int thread = 0; thread < 2; ++thread) std::thread(restless).detach();
            spin(0.01);
        }
        // It ends when the recording has.
        HEATFLOW_REGION("main");
        const long long begin = otherClock();
        spin(0.0002 * (session % 7));
        const long long end = otherClock();
        if (!tracker.dump(std::string(arguments[1]) + "/" + std::to_string(session) + ".json")) return 1;
        std::printf("%lld %lld\n", end - begin, otherClock() - before);
    }
    return 0;
}

// Pretends to use GPUs, by the stand-in for CUPTI: so many steps of known copies and kernels on two threads, with what is not to be
// recorded in between.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include <heatflow/tracker.hpp>

#include "standin.h"

namespace {

void steps(std::uint32_t device, int count) {
    HEATFLOW_FUNCTION;
    for (int step = 0; step < count; ++step) {
        {
            HEATFLOW_REGION("upload");
            standInCopy(true, 4096, {device, 1, 13, 3000});
        }
        {
            HEATFLOW_REGION("compute");
            standInKernel("_Z3addIdEvPT_i", {device, 1, 7, 2000});
            standInKernel("_Z3addIdEvPT_i", {device, 1, 7, 1000});
            standInKernel("reduce", {device, 1, 7, 500});
        }
        standInCopy(false, 512, {device, 1, 13, 700});
    }
    standInSynchronize();
}

}  // namespace

int main(int count, char** arguments) {
    const int turns = count > 1 ? std::atoi(arguments[1]) : 10;
    const bool isLong = count > 2;
    standInStart(2);
    {
        HEATFLOW_REGION("all");
        std::thread other([&] { steps(1, turns); });
        steps(0, turns);
        other.join();
        standInSet(65536, {0, 1, 7, 400});
        standInPeerCopy(0, 1, 1 << 20, {0, 1, 13, 9000});
        standInMigration(1, 2 << 20, 1, 5000);
        standInMigration(2, 1 << 20, 0, 2500);
        standInMigration(3, 0xdead, 0, 0);
        standInMigration(4, 3, 0, 600);
    }
    heatflow::detail::Recorder::record(false);
    standInKernel("notRecorded", {0, 1, 7, 100});
    heatflow::detail::Recorder::record(true);
    if (isLong) std::this_thread::sleep_for(std::chrono::milliseconds(700));
    return 0;
}

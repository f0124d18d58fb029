// Recording stops and starts within functions that call themselves.
#include <heatflow/heatflow.h>

#include <cstdio>

namespace {

volatile int done = 0;

void step() { done = done + 1; }

// The inner call is entered while nothing is recorded, and left when something is.
void nested(int depth) {
    if (depth == 0) {
        heatflow_start();
        step();
        return;
    }
    heatflow_stop();
    nested(depth - 1);
    step();
}

}  // namespace

int main() {
    nested(1);
    step();
    std::printf("%d\n", done);
}

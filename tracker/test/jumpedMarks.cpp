// Marks of C and their attributes, out of which a signal's handler jumps. Says for each how often it was begun: `NAME LEAST MOST`.
#include <heatflow/heatflow.h>

#include <csetjmp>
#include <csignal>
#include <cstdio>

#include <sys/time.h>

static sigjmp_buf back;
static volatile long jumps = 0;
static volatile long begun[100];
static volatile long turn = 0;

static void onSignal(int) { siglongjmp(back, 1); }

int main() {
    struct sigaction action {};
    action.sa_handler = onSignal;
    sigaction(SIGALRM, &action, nullptr);
    const itimerval often{{0, 100}, {0, 100}};
    setitimer(ITIMER_REAL, &often, nullptr);
    if (sigsetjmp(back, 1) != 0) jumps = jumps + 1;
    char name[32];
    while (jumps < 1000) {
        const int which = int(turn % 100);
        turn = turn + 1;
        std::snprintf(name, sizeof name, "region %d", which);
        HEATFLOW_C_BEGIN(name);
        begun[which] = begun[which] + 1;
        heatflow_attribute_number("turn", double(turn));
        HEATFLOW_C_END(name);
    }
    const itimerval never{};
    setitimer(ITIMER_REAL, &never, nullptr);
    for (int at = 0; at < 100; ++at) std::printf("region %d %ld %ld\n", at, begun[at], begun[at] + jumps);
}

// Regions that are left by jumps: out of a signal's handler (`handler`, `ownStack`), out of functions (`functions`), past frames of C
// (`exceptions`), to another stack (`coroutines`); and ends without begins (`ends`). Says for each region how often it was entered:
// `NAME LEAST MOST`.
#include <heatflow/tracker.hpp>

#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#include "spinning.hpp"

namespace {

sigjmp_buf back;
volatile long entered[3];
volatile long jumps = 0;

void onSignal(int) { siglongjmp(back, 1); }

// Returns no more often than a signal lets it.
__attribute__((noinline)) void inner() {
    HEATFLOW_REGION("inner");
    entered[2] = entered[2] + 1;
}
__attribute__((noinline)) void middle() {
    HEATFLOW_REGION("middle");
    entered[1] = entered[1] + 1;
    for (int turn = 0; turn < 50; ++turn) inner();
}
__attribute__((noinline)) void outer() {
    HEATFLOW_REGION("outer");
    entered[0] = entered[0] + 1;
    for (;;) middle();
}

void handled(bool hasOwnStack) {
    static char stack[1 << 16];
    HEATFLOW_REGION("all");
    const stack_t own{stack, 0, sizeof stack};
    struct sigaction action {};
    action.sa_handler = onSignal;
    action.sa_flags = hasOwnStack ? SA_ONSTACK : 0;
    if (hasOwnStack) sigaltstack(&own, nullptr);
    sigaction(SIGALRM, &action, nullptr);
    const itimerval often{{0, 200}, {0, 200}};
    setitimer(ITIMER_REAL, &often, nullptr);
    if (sigsetjmp(back, 1) != 0) jumps = jumps + 1;
    if (jumps < 300) outer();
    const itimerval never{};
    setitimer(ITIMER_REAL, &never, nullptr);
    { HEATFLOW_REGION("behind"); }
    // A signal may come between a begin and its count, and the recorder may be in the middle of an end.
    static const char* const names[] = {"outer", "middle", "inner"};
    for (int at = 0; at < 3; ++at) std::printf("%s %ld %ld\n", names[at], entered[at], entered[at] + jumps);
    std::printf("all 1 1\nbehind 1 1\n");
}

std::jmp_buf place;

__attribute__((noinline)) void jumping(int depth) {
    HEATFLOW_REGION("jumping");
    if (depth == 0) std::longjmp(place, 1);
    if (depth > 0) jumping(depth - 1);
}
__attribute__((noinline)) void after() {
    HEATFLOW_REGION("after");
    spin(0.01);
}
void functions() {
    HEATFLOW_REGION("all");
    for (volatile int turn = 0; turn < 5; turn = turn + 1) {
        if (setjmp(place) == 0) jumping(3);
        after();
    }
    HEATFLOW_BEGIN("begun");
    if (setjmp(place) == 0) {
        HEATFLOW_BEGIN("begun and left");
        jumping(0);
    }
    HEATFLOW_END("begun");
    std::printf("all 1 1\njumping 21 21\nafter 5 5\nbegun 1 1\nbegun and left 1 1\n");
}

// A frame of C between the exception and who catches it.
int compare(const void*, const void*) {
    HEATFLOW_REGION("compare");
    throw std::runtime_error("of a comparison");
}
void exceptions() {
    HEATFLOW_REGION("all");
    int numbers[] = {2, 1, 3};
    for (int turn = 0; turn < 5; ++turn) {
        try {
            HEATFLOW_REGION("sort");
            std::qsort(numbers, 3, sizeof(int), compare);
        } catch (const std::runtime_error&) {
            HEATFLOW_REGION("caught");
        }
        after();
    }
    std::printf("all 1 1\nsort 5 5\ncompare 5 5\ncaught 5 5\nafter 5 5\n");
}

ucontext_t mainContext, one, other;
void first() {
    HEATFLOW_REGION("first");
    swapcontext(&one, &mainContext);
    { HEATFLOW_REGION("first goes on"); }
}
void second() {
    HEATFLOW_REGION("second");
    swapcontext(&other, &mainContext);
    { HEATFLOW_REGION("second goes on"); }
}
// Two stacks in turns: the region that began first ends first.
void coroutines() {
    static char stacks[2][1 << 16];
    HEATFLOW_REGION("all");
    for (int turn = 0; turn < 3; ++turn) {
        void (*const functions[])() = {first, second};
        ucontext_t* const contexts[] = {&one, &other};
        for (int at = 0; at < 2; ++at) {
            getcontext(contexts[at]);
            contexts[at]->uc_stack.ss_sp = stacks[at];
            contexts[at]->uc_stack.ss_size = sizeof stacks[at];
            contexts[at]->uc_link = &mainContext;
            makecontext(contexts[at], functions[at], 0);
        }
        for (ucontext_t* const context : {&one, &other, &one, &other}) swapcontext(&mainContext, context);
    }
    std::printf("all 1 1\nfirst 3 3\nsecond 3 3\nfirst goes on 3 3\nsecond goes on 3 3\n");
}

void helper() { HEATFLOW_END("solve"); }
void ends() {
    HEATFLOW_BEGIN("solve");
    spin(0.02);
    helper();
    spin(0.02);
    HEATFLOW_END("solve");
    HEATFLOW_END("never begun");
    {
        // Ended by its name, and its place is another one's when its block ends.
        HEATFLOW_REGION("block");
        HEATFLOW_END("block");
        HEATFLOW_BEGIN("in its place");
    }
    spin(0.02);
    HEATFLOW_END("in its place");
    // An inner one of the same name, begun while nothing is recorded, and ended when something is.
    HEATFLOW_BEGIN("stopped");
    heatflow::detail::Recorder::record(false);
    HEATFLOW_BEGIN("stopped");
    HEATFLOW_BEGIN("not recorded");
    heatflow::detail::Recorder::record(true);
    HEATFLOW_END("not recorded");
    HEATFLOW_END("stopped");
    spin(0.02);
    HEATFLOW_END("stopped");
    // And with what has begun within it.
    heatflow::detail::Recorder::record(false);
    HEATFLOW_BEGIN("around");
    heatflow::detail::Recorder::record(true);
    HEATFLOW_BEGIN("within");
    HEATFLOW_END("around");
    { HEATFLOW_REGION("behind"); }
    std::printf("solve 1 1\nblock 1 1\nin its place 1 1\nstopped 1 1\nwithin 1 1\nbehind 1 1\n");
}

}  // namespace

int main(int count, char** arguments) {
    const std::string mode = count > 1 ? arguments[1] : "";
    if (mode == "handler" || mode == "ownStack") handled(mode == "ownStack");
    if (mode == "functions") functions();
    if (mode == "exceptions") exceptions();
    if (mode == "coroutines") coroutines();
    if (mode == "ends") ends();
    return 0;
}

// A program that knows nothing of the tracker, whose functions are left by jumps: out of a signal's handler (`handler`), out of a function
// that calls itself (`recursion`), by exceptions (`exceptions`). Says for functions how often they were entered: `NAME LEAST MOST`.
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>

#include <cstdio>

static sigjmp_buf back;
static volatile long entered[2];
static volatile long jumps = 0;
static volatile long sum = 0;

static void onSignal(int) { siglongjmp(back, 1); }

__attribute__((noinline)) static void middle() {
    entered[1] = entered[1] + 1;
    for (int turn = 0; turn < 20; ++turn) sum = sum + turn;
}
__attribute__((noinline)) static void outer() {
    entered[0] = entered[0] + 1;
    for (;;) middle();
}
__attribute__((noinline)) static void behind() { sum = sum + 1; }
__attribute__((noinline)) static void handled() {
    struct sigaction action {};
    action.sa_handler = onSignal;
    sigaction(SIGALRM, &action, nullptr);
    const itimerval often{{0, 200}, {0, 200}};
    setitimer(ITIMER_REAL, &often, nullptr);
    if (sigsetjmp(back, 1) != 0) jumps = jumps + 1;
    if (jumps < 300) outer();
    const itimerval never{};
    setitimer(ITIMER_REAL, &never, nullptr);
    behind();
    std::printf("outer %ld %ld\nmiddle %ld %ld\nbehind 1 1\nhandled 1 1\n", entered[0], entered[0] + jumps, entered[1],
                entered[1] + jumps);
}

__attribute__((noinline)) static void after() { sum = sum + 1; }

static jmp_buf place;
static void recurse(int depth);
__attribute__((noinline)) static void jump(int depth) {
    if (depth > 0) recurse(depth - 1);
    longjmp(place, 1);
}
// The outer call is left behind the inner one, which never is.
__attribute__((noinline)) static void recurse(int depth) {
    if (depth == 0) longjmp(place, 1);
    for (volatile int turn = 0; turn < 3; turn = turn + 1)
        if (setjmp(place) == 0) jump(depth);
    after();
}

__attribute__((noinline)) static void throwing(int depth) {
    if (depth == 0) throw 1;
    throwing(depth - 1);
}
__attribute__((noinline)) static void catching() {
    for (int turn = 0; turn < 3; ++turn) {
        try {
            throwing(2);
        } catch (int) {
        }
        after();
    }
}

int main(int count, char** arguments) {
    const char* const mode = count > 1 ? arguments[1] : "";
    if (strcmp(mode, "handler") == 0) handled();
    if (strcmp(mode, "recursion") == 0) {
        for (int turn = 0; turn < 4; ++turn) recurse(1);
        std::printf("recurse 16 16\njump 12 12\nafter 4 4\nmain 1 1\n");
    }
    if (strcmp(mode, "exceptions") == 0) {
        catching();
        std::printf("catching 1 1\nthrowing 9 9\nafter 3 3\nmain 1 1\n");
    }
    return 0;
}

// A program that knows nothing of the tracker. Its functions return nothing, so an optimizing compiler may jump to the hook of their end
// when their frames are gone. Says how often each was entered: `NAME LEAST MOST`. Modes: a function that calls itself (`recursion`), two
// that call each other (`mutual`), callers that push arguments or move their stack (`stack`), a jump over such functions (`jump`).
#include <alloca.h>
#include <setjmp.h>
#include <string.h>

#include <cstdio>

static volatile long sum = 0;

__attribute__((noinline)) static void step() { sum = sum + 1; }
__attribute__((noinline)) static void after() { sum = sum + 1; }

// Saves registers, so its frame is not that of its caller.
__attribute__((noinline)) static void walk(int depth) {
    for (int turn = 0; turn < 2; ++turn) {
        step();
        if (depth > 0) walk(depth - 1);
        after();
    }
}

__attribute__((noinline)) static void pong(int depth);
__attribute__((noinline)) static void ping(int depth) {
    for (int turn = 0; turn < 2; ++turn) {
        if (depth > 0) pong(depth - 1);
        step();
    }
}
__attribute__((noinline)) static void pong(int depth) {
    for (int turn = 0; turn < 2; ++turn) {
        if (depth > 0) ping(depth - 1);
        after();
    }
}

__attribute__((noinline)) static void many(int depth, long a, long b, long c, long d, long e, long f, long g, long h) {
    sum = sum + a + b + c + d + e + f + g + h;
    for (int turn = 0; turn < 2; ++turn) {
        if (depth > 0) many(depth - 1, a, b, c, d, e, f, g, sum);
        step();
    }
}
__attribute__((noinline)) static void moved(int depth) {
    auto* const bytes = static_cast<char*>(alloca(std::size_t(100 + sum % 7)));
    memset(bytes, depth, 100);
    sum = sum + bytes[99] - depth;
    many(2, 0, 0, 0, 0, 0, 0, 0, 0);
    if (depth > 0) moved(depth - 1);
    walk(1);
    after();
}

static jmp_buf place;
__attribute__((noinline)) static void fall(int depth) {
    step();
    if (depth == 0 && sum >= 0) longjmp(place, 1);
    if (depth > 0) fall(depth - 1);
    after();
}
static void catching(int depth);
__attribute__((noinline)) static void within(int depth) {
    if (depth > 0) catching(depth - 1);
    if (setjmp(place) == 0) fall(2);
    walk(0);
}
__attribute__((noinline)) static void catching(int depth) {
    for (volatile int turn = 0; turn < 2; turn = turn + 1) {
        within(depth);
        step();
    }
}

int main(int count, char** arguments) {
    const char* const mode = count > 1 ? arguments[1] : "";
    if (strcmp(mode, "recursion") == 0) {
        for (int turn = 0; turn < 3; ++turn) walk(2);
        std::printf("walk 21 21\nstep 42 42\nafter 42 42\nmain 1 1\n");
    }
    if (strcmp(mode, "mutual") == 0) {
        for (int turn = 0; turn < 3; ++turn) ping(3);
        std::printf("ping 15 15\npong 30 30\nstep 30 30\nafter 60 60\nmain 1 1\n");
    }
    if (strcmp(mode, "stack") == 0) {
        moved(1);
        std::printf("moved 2 2\nmany 14 14\nwalk 6 6\nstep 40 40\nafter 14 14\nmain 1 1\n");
    }
    if (strcmp(mode, "jump") == 0) {
        catching(1);
        std::printf("catching 3 3\nwithin 6 6\nfall 18 18\nwalk 6 6\nstep 36 36\nafter 12 12\nmain 1 1\n");
    }
    return 0;
}

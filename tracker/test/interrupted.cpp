// A program that knows nothing of the tracker, whose functions are called by a signal, wherever the program is: in the middle of an
// allocation, too. Says how often they were.
#include <signal.h>
#include <sys/time.h>

#include <cstdio>
#include <cstdlib>

static volatile long calls = 0;
static volatile int deepest = 0;

// A calling context more with each signal.
__attribute__((noinline)) static int descend(int to) {
    calls = calls + 1;
    return to == 0 ? 0 : 1 + descend(to - 1);
}

static void onSignal(int) {
    deepest = deepest + 1;
    descend(deepest);
}

int main() {
    struct sigaction action {};
    action.sa_handler = onSignal;
    action.sa_flags = SA_RESTART;
    sigaction(SIGALRM, &action, nullptr);
    const itimerval often{{0, 500}, {0, 500}};
    setitimer(ITIMER_REAL, &often, nullptr);
    unsigned long sum = 0;
    for (std::size_t size = 1; deepest < 1500; size = size * 7 % 4093) {
        char* const block = static_cast<char*>(std::malloc(size));
        block[0] = char(size);
        sum += static_cast<unsigned char>(block[0]);
        std::free(block);
    }
    const itimerval never{};
    setitimer(ITIMER_REAL, &never, nullptr);
    std::printf("main 1\ndescend(int) %ld\nonSignal(int) %d\n", calls, deepest);
    return sum == 1 ? 1 : 0;
}

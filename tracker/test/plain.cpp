// A program that knows nothing of the tracker. Says how often its functions are called: `NAME CALLS`.
#include <cstdio>
#include <cstdlib>

namespace shapes {

long fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

template <typename Number>
struct Circle {
    Number radius;
    Number area() const { return radius * radius * Number(3); }
};

}  // namespace shapes

// Called from two lines, and by address: each is told apart, but for the one that calls itself.
__attribute__((noinline)) long square(long of) { return of * of; }
__attribute__((noinline)) long descend(long to) { return to == 0 ? 0 : square(to) + descend(to - 1); }
using Function = long (*)(long);
volatile Function chosen = square;

static int byPointer(const void* a, const void* b) { return *static_cast<const int*>(a) - *static_cast<const int*>(b); }

int main() {
    int numbers[] = {3, 1, 2};
    std::qsort(numbers, 3, sizeof numbers[0], byPointer);
    long sum = shapes::fibonacci(10);
    sum += square(2);
    sum += square(3) + chosen(4);
    sum += descend(3);
    for (int at = 0; at < 5; ++at) sum += long(shapes::Circle<double>{double(at)}.area());
    std::printf("main 1\nshapes::fibonacci(int) 177\nsquare(long) 6\ndescend(long) 4\nshapes::Circle<double>::area() const 5\n");
    return sum > 0 ? 0 : 1;
}

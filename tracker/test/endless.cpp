// Goes on until it is killed; says with each line that a turn is over.
#include <heatflow/tracker.hpp>

#include <cstdio>

int main() {
    HEATFLOW_REGION("endless");
    for (long turn = 0;; ++turn) {
        {
            HEATFLOW_REGION("turn");
            const std::uint64_t until = heatflow::detail::now() + 1'000'000;
            while (heatflow::detail::now() < until) {
                HEATFLOW_REGION("small");
            }
        }
        std::printf("%ld\n", turn);
        std::fflush(stdout);
    }
}

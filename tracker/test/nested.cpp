// Random nested regions on several threads. Says for each region how often it was entered: `NAME CALLS`.
//   nested SEED THREADS REGIONS
#include <heatflow/tracker.hpp>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace {

std::mutex mutex;
std::map<std::string, long> calls;

class Walk {
public:
    Walk(unsigned seed, long regions) : random_(seed), left_(regions) {}

    void outermost() {
        while (left_ > 0) a(0);
        const std::lock_guard<std::mutex> lock(mutex);
        for (const auto& [name, count] : own_) calls[name] += count;
    }

private:
    void a(int depth) {
        HEATFLOW_REGION("a");
        count("a");
        further(depth);
    }
    void b(int depth) {
        HEATFLOW_FUNCTION;
        count("Walk::b");
        HEATFLOW_BEGIN("inner");
        count("inner");
        further(depth);
        HEATFLOW_END("inner");
        further(depth);
    }
    void copy() {
        HEATFLOW_TRANSFER(heatflow::Direction::hostToHost, 64);
        count("copy host to host");
    }

    void further(int depth) {
        while (left_ > 0 && depth < 40 && random_() % 3 != 0) switch (random_() % 3) {
                case 0: a(depth + 1); break;
                case 1: b(depth + 1); break;
                default: copy();
            }
    }

    void count(const char* name) {
        ++own_[name];
        --left_;
    }

    std::mt19937 random_;
    long left_;
    std::map<std::string, long> own_;
};

}  // namespace

int main(int, char** arguments) {
    const unsigned seed = unsigned(std::atoi(arguments[1]));
    const unsigned count = unsigned(std::atoi(arguments[2]));
    const long regions = std::atol(arguments[3]);
    std::vector<std::thread> threads;
    for (unsigned at = 0; at < count; ++at) threads.emplace_back([=] { Walk(seed + at, regions).outermost(); });
    for (std::thread& thread : threads) thread.join();
    for (const auto& [name, entered] : calls) std::printf("%s %ld\n", name.c_str(), entered);
}

// A process whose recording may have the name of another one: `files NAME MILLISECONDS` has a region of that name, `exec` replaces itself by
// another program after it, `forks` starts so many processes one after the other that have one, too. `threads` starts threads that end at
// once, with far more text than the writer gathers, before each of ten forks.
#include <heatflow/tracker.hpp>

#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

int main(int count, char** arguments) {
    if (count < 3) return 2;
    const std::string name = arguments[1];
    {
        HEATFLOW_REGION(arguments[1]);
        usleep(unsigned(std::atoi(arguments[2])) * 1000);
    }
    if (name == "exec") execl(arguments[0], arguments[0], "replacement", "1", nullptr);
    if (name == "forks")
        for (int child = 0; child < 2; ++child) {
            if (fork() == 0) {
                HEATFLOW_REGION("child");
                return 0;
            }
            wait(nullptr);
        }
    if (name == "threads")
        for (int child = 0; child < 10; ++child) {
            for (int thread = 0; thread < 60; ++thread)
                std::thread([] {
                    HEATFLOW_REGION("short");
                    HEATFLOW_ATTRIBUTE("text", std::string(10'000, 'x').c_str());
                }).join();
            if (fork() == 0) _exit(0);
            wait(nullptr);
        }
    return 0;
}

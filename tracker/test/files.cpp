// A process whose recording may have the name of another one: `files NAME MILLISECONDS` has a region of that name, `exec` replaces itself by
// another program after it, `forks` starts so many processes one after the other that have one, too.
#include <heatflow/tracker.hpp>

#include <cstdlib>
#include <cstring>
#include <string>

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
    return 0;
}

// A program that runs the function of each library that its arguments name, and unloads it: with MARKED it has the tracker itself. `ns` as the
// first argument loads each into a namespace of its own (dlmopen).
#include <cstring>

#include <dlfcn.h>
#include <unistd.h>

#ifdef MARKED
#include <heatflow/tracker.hpp>
#endif

int main(int count, char** arguments) {
#ifdef MARKED
    HEATFLOW_REGION("main");
#endif
    const bool isApart = std::strcmp(arguments[1], "ns") == 0;
    for (int at = isApart ? 2 : 1; at < count; ++at) {
        void* const library = isApart ? dlmopen(LM_ID_NEWLM, arguments[at], RTLD_NOW) : dlopen(arguments[at], RTLD_NOW);
        if (library == nullptr) return 1;
        reinterpret_cast<void (*)()>(dlsym(library, "work"))();
        if (dlclose(library) != 0) return 1;
    }
    usleep(700'000);
    return 0;
}

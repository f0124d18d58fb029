// A library with instrumented functions, one of them with the name PLUGIN, that are called when it is loaded, by the program, and when it is
// unloaded.
namespace {

__attribute__((noinline)) void PLUGIN() {
    for (volatile int at = 0; at < 1000; at = at + 1) {
    }
}

struct AtEnds {
    AtEnds() { PLUGIN(); }
    ~AtEnds() { PLUGIN(); }
} atEnds;

}  // namespace

extern "C" void work() { PLUGIN(); }

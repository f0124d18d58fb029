// Several marks on one line, and in one macro of the program's own. Says for each region how often it was entered: `NAME CALLS`.
#include <heatflow/tracker.hpp>
#include <tracker_annotations.h>

#include <cstdio>

// A macro stands on the line that uses it, with all its marks.
#define MARKED(name) HEATFLOW_FUNCTION; HEATFLOW_REGION(name)

namespace {

void byMacro() { MARKED("of a macro"); }

inline void nestedMacros() { MARKED("outer macro"); { MARKED("inner macro"); } }

template <int number>
int inTemplate() { HEATFLOW_FUNCTION; HEATFLOW_REGION("of a template"); return number; }

}  // namespace

int main() {
    HEATFLOW_REGION("first"); HEATFLOW_REGION("second"); HEATFLOW_REGION("third");
    byMacro();
    nestedMacros();
    const int sum = inTemplate<1>() + inTemplate<2>();
    for (int turn = 0; turn < 6; ++turn) { HEATFLOW_REGION_EVERY(2, "every second"); HEATFLOW_REGION_EVERY(3, "every third"); }
    { HEATFLOW_TRANSFER(heatflow::Direction::hostToDevice, 1); HEATFLOW_TRANSFER(heatflow::Direction::deviceToHost, 2); }
    HEATFLOW_BEGIN("begun"); HEATFLOW_BEGIN("begun within"); HEATFLOW_END("begun within"); HEATFLOW_END("begun");
    REGION_BEGIN("annotated"); { REGION_FUNCTION; } REGION_END("annotated");
    const auto lambda = [] { HEATFLOW_REGION("of a lambda"); HEATFLOW_REGION("of it, too"); };
    lambda();
    std::printf("first 1\nsecond 1\nthird 1\nbyMacro 1\nof a macro 1\nnestedMacros 2\nouter macro 1\ninner macro 1\n");
    std::printf("inTemplate 2\nof a template %d\nevery second 6\nevery third 6\n", sum - 1);
    std::printf("copy host to device 1\ncopy device to host 1\nbegun 1\nbegun within 1\nannotated 1\nmain 1\n");
    std::printf("of a lambda 1\nof it, too 1\n");
}

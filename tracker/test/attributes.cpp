// A region with so many attributes, one after the other, whose keys have a letter that a terminal would obey.
#include <heatflow/heatflow.h>
#include <heatflow/tracker.hpp>

#include <cstdlib>
#include <string>

int main(int, char** arguments) {
    const char* const name = "\x1b]0;owned\x07\xe2\x80\xae\xc2\x9b\x9b";
    heatflow_begin(name, "a\tb.c", 1);
    for (int at = 0; at < std::atoi(arguments[1]); ++at) {
        HEATFLOW_REGION("step");
        HEATFLOW_ATTRIBUTE(("step " + std::to_string(at % 1000)).c_str(), at);
        heatflow_attribute_number("at", at);
    }
    heatflow_end(name);
    return 0;
}

/* A program in C whose regions may have no recorder: says how often each was. */
#include <stdio.h>

#include "../include/heatflow/heatflow.h"

int main(void) {
    int at;
    HEATFLOW_C_BEGIN("all");
    for (at = 0; at < 3; ++at) {
        heatflow_begin("part", __FILE__, __LINE__);
        heatflow_attribute_number("at", at);
        heatflow_attribute_text("text", "x");
        heatflow_end("part");
    }
    heatflow_stop();
    HEATFLOW_C_BEGIN("not this");
    HEATFLOW_C_END("not this");
    heatflow_start();
    HEATFLOW_C_END("all");
    return puts("all 1\npart 3") < 0;
}

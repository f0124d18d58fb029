// Region macros of the names that programs with annotations of several tools use, by Heatflow's tracker.
#pragma once

#include "heatflow/tracker.hpp"

#define REGION_FUNCTION HEATFLOW_FUNCTION
#define REGION_BEGIN(name) HEATFLOW_BEGIN(name)
#define REGION_END(name) HEATFLOW_END(name)

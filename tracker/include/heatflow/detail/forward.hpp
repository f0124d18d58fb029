// Regions as those of other tools, too: one annotation for both.
#pragma once

#ifdef HEATFLOW_WITH_CALIPER
#include <caliper/cali.h>
#endif

namespace heatflow::detail {

// Whether or not the tracker records, since the other tool has settings of its own.
inline void beginElsewhere([[maybe_unused]] const char* region) {
#ifdef HEATFLOW_WITH_CALIPER
    cali_begin_region(region);
#endif
}

inline void endElsewhere([[maybe_unused]] const char* region) {
#ifdef HEATFLOW_WITH_CALIPER
    cali_end_region(region);
#endif
}

}  // namespace heatflow::detail

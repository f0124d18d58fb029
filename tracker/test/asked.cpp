// Asks for allocations by the settings of the program alone, whatever the environment says.
//   asked PATH
#include <heatflow/tracker.hpp>

#include <cstdlib>

namespace {

void* volatile kept;

}  // namespace

int main(int, char** arguments) {
    heatflow::Settings settings = heatflow::detail::settingsOfEnvironment();
    settings.allocations = true;
    heatflow::Tracker tracker(settings);
    tracker.start();
    {
        HEATFLOW_REGION("one block");
        kept = std::malloc(100);
        std::free(kept);
    }
    return tracker.dump(arguments[1]) ? 0 : 1;
}

// What a header can't give: an interface for C, and the runtime of -finstrument-functions; and what it gives, for files that are
// compiled with HEATFLOW_RUNTIME. Compile it without the first option, and link it, or load it by LD_PRELOAD:
//   c++ -std=c++17 -O2 -fPIC -shared -Iinclude src/heatflow.cpp -o libheatflow.so -pthread
#undef HEATFLOW_RUNTIME
#undef HEATFLOW_OFF
#include "../include/heatflow/heatflow.h"

#include <dlfcn.h>

#include <algorithm>
#include <vector>

#include "../include/heatflow/tracker.hpp"
#include "symbols.hpp"

extern "C" {
void __cyg_profile_func_enter(void* function, void* returnsTo);
void __cyg_profile_func_exit(void* function, void* returnsTo);
}

namespace {

using heatflow::detail::CallPlace;
using heatflow::detail::FrameKey;
using heatflow::detail::KnownSite;
using heatflow::detail::Library;
using heatflow::detail::OwnMemory;
using heatflow::detail::Recorder;
using heatflow::detail::Undisturbed;

// Where on the stack the recorder was called: functions that it calls itself are not the program's, though the program's instrumented
// copy of a template may have taken their place. 0: nowhere.
thread_local std::uintptr_t inside = 0;
// Functions that were entered before the thread has recorded anything, and not left.
thread_local unsigned skipped = 0;

class Inside {
public:
    explicit Inside(std::uintptr_t frame) noexcept { inside = frame; }
    ~Inside() { inside = 0; }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;
};

// As a program's own functions call them, whatever recorder the thread has.
__attribute__((noinline, no_instrument_function)) void emptyFunctions(int calls) {
    void (*volatile const enter)(void*, void*) = __cyg_profile_func_enter;
    void (*volatile const exit)(void*, void*) = __cyg_profile_func_exit;
    static char function = 0;
    const std::uintptr_t wasInside = inside;
    inside = 0;
    for (int at = 0; at < calls; ++at) {
        enter(&function, __builtin_return_address(0));
        exit(&function, __builtin_return_address(0));
    }
    inside = wasInside;
}

// Frame of the function that contains this code.
#define FRAME() std::uintptr_t(__builtin_frame_address(0))

// Whether a call comes out of the recorder. The frame of a call that a signal's handler has jumped out of is gone: the stack, which
// grows downwards, does not reach to it. A handler may have a stack of its own, which it has left when the thread is on its own again.
bool isInside(std::uintptr_t frame) noexcept {
    if (__builtin_expect(inside == 0, 1)) return false;
    auto* const thread = Recorder::open();
    const bool isOwn = thread != nullptr && thread->isOnStack(inside);
    return thread != nullptr && isOwn != thread->isOnStack(frame) ? isOwn : frame < inside;
}

// The site of a place, mostly one that this thread has asked for a moment ago: then it takes no lock, and no memory.
const KnownSite& siteOf(const char* name, const char* file, int line) {
    constexpr std::size_t most = 64;
    static thread_local const KnownSite* recent[most];
    const KnownSite*& known = recent[(std::uintptr_t(name) / 8 + std::uintptr_t(line)) % most];
    const bool isSame = known != nullptr && known->line == line && std::strcmp(known->name, name) == 0 && std::strcmp(known->file, file) == 0;
    if (!isSame) known = &Recorder::runtime()->site({name, file, line});
    return *known;
}

[[maybe_unused]] const bool hasSymbols = [] {
    Recorder::runtime()->setSymbols(new heatflow::detail::LoadModules);
    Recorder::runtime()->setEmptyFunctions(emptyFunctions);
    return true;
}();

// Weak, since dlclose is in libdl before glibc 2.34, and a program that unloads no library may not be linked with it.
__attribute__((weakref("dlsym"))) static void* symbolOf(void* handle, const char* name);

__attribute__((no_instrument_function)) std::vector<Library> loaded(std::uintptr_t frame) {
    const Inside guard(frame);
    const OwnMemory own;
    const Undisturbed whole;
    return heatflow::detail::librariesHere();
}

__attribute__((no_instrument_function)) std::vector<Library> loadedBefore(std::uintptr_t frame) {
    const Inside guard(frame);
    Recorder::runtime()->unloading();
    return loaded(frame);
}

// Reports unloaded libraries to the recorder.
__attribute__((no_instrument_function)) void compare(std::uintptr_t frame, std::vector<Library>& before) {
    const std::vector<Library> after = loaded(frame);
    const Inside guard(frame);
    const OwnMemory own;
    for (const Library& one : before)
        if (std::find(after.begin(), after.end(), one) == after.end()) Recorder::runtime()->unloaded(one);
    std::vector<Library>().swap(before);
}

}  // namespace

extern "C" {

// Before the C library's own: another library may be loaded at the same place afterwards, whose functions are not those of this one.
__attribute__((visibility("default"), no_instrument_function)) int dlclose(void* handle) noexcept {
    static const auto close = symbolOf == nullptr ? nullptr : reinterpret_cast<int (*)(void*)>(symbolOf(RTLD_NEXT, "dlclose"));
    if (close == nullptr) return -1;
    std::vector<Library> before = loadedBefore(FRAME());
    const int result = close(handle);
    compare(FRAME(), before);
    return result;
}

void heatflow_begin(const char* name, const char* file, int line) {
    const Inside guard(FRAME());
    if (name == nullptr) return;
    if (auto* const thread = Recorder::forBegin())
        thread->begin(FrameKey::of(siteOf(name, file != nullptr ? file : "", line)));
    else
        Recorder::skip(name);
}

void heatflow_end(const char* name) {
    const Inside guard(FRAME());
    if (name != nullptr) Recorder::end(name);
}

void heatflow_attribute_number(const char* key, double value) {
    const Inside guard(FRAME());
    if (key != nullptr) heatflow::attribute(key, value);
}

void heatflow_attribute_text(const char* key, const char* value) {
    const Inside guard(FRAME());
    if (key != nullptr && value != nullptr) heatflow::attribute(key, value);
}

void heatflow_start(void) { Recorder::record(true); }
void heatflow_stop(void) { Recorder::record(false); }
int heatflow_dump(const char* path) { return Recorder::runtime()->dump(path != nullptr ? path : "") ? 0 : 1; }

// GCC and Clang call these at the begin and end of each function (-finstrument-functions).
__attribute__((no_instrument_function)) void __cyg_profile_func_enter(void* function, void* returnsTo) {
    const std::uintptr_t frame = FRAME();
    if (isInside(frame)) return;
    const Inside guard(frame);
    const CallPlace call{std::uintptr_t(returnsTo), std::uintptr_t(__builtin_return_address(0))};
    if (auto* const thread = Recorder::forBegin())
        thread->begin(FrameKey::at(function), heatflow::detail::noMovement, 1, call, {frame, call.within, call.returnsTo});
    else if (auto* const known = Recorder::open())
        known->skip();
    else
        ++skipped;
}

__attribute__((no_instrument_function)) void __cyg_profile_func_exit(void* function, void* returnsTo) {
    const std::uintptr_t place = FRAME();
    if (isInside(place)) return;
    const Inside guard(place);
    auto* const thread = Recorder::open();
    const FrameKey frame = FrameKey::at(function);
    // Optimizing compilers jump here from a function that returns nothing: this call returns to where that function was called.
    const bool isJump = __builtin_return_address(0) == returnsTo;
    if (thread != nullptr && isJump && thread->endGone(frame, place)) return;
    // However, functions that this one called have been left.
    if (thread != nullptr) thread->endBelow(place);
    // By their order, since a function may call itself: what was entered last is left first.
    if (thread != nullptr && (thread->leaveSkipped() || thread->endInnermost(frame))) return;
    if (skipped > 0 && (thread == nullptr || thread->depth() == 0))
        --skipped;
    else if (thread != nullptr)
        thread->endFrame(frame);
}

}  // extern "C"

// The library that has the tracker stays loaded.
#pragma once

#include <dlfcn.h>
#include <link.h>

#include <cstdint>
#include <string>

namespace heatflow::detail {

#if defined(__PIC__) && !defined(__PIE__)

// Weak, since dlopen is in libdl before glibc 2.34, and a program without plugins may not be linked with it.
__attribute__((weakref("dlopen"))) static void* openLibrary(const char* path, int flags);

// Keeps the library that contains this code loaded until the process ends. The writer's thread, the handlers of exit, fork and signals, and
// the ends of threads need it.
__attribute__((no_instrument_function)) inline void stayLoaded() noexcept {
    struct Search {
        std::uintptr_t address;
        std::string path;
    } search{reinterpret_cast<std::uintptr_t>(&stayLoaded), {}};
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* data) {
            auto& sought = *static_cast<Search*>(data);
            for (int at = 0; at < info->dlpi_phnum; ++at) {
                const auto& part = info->dlpi_phdr[at];
                const std::uintptr_t begin = info->dlpi_addr + part.p_vaddr;
                if (part.p_type != PT_LOAD || sought.address < begin || sought.address >= begin + part.p_memsz) continue;
                sought.path = info->dlpi_name;
                return 1;
            }
            return 0;
        },
        &search);
    if (!search.path.empty() && openLibrary != nullptr) openLibrary(search.path.c_str(), RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

#else

// The code is part of the program, which is never unloaded.
inline void stayLoaded() noexcept {}

#endif

}  // namespace heatflow::detail

// Which functions stand at addresses of this process: from the symbol tables of its load modules, and from binutils' addr2line.
#pragma once

#include <cxxabi.h>
#include <fcntl.h>
#include <link.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../include/heatflow/detail/output.hpp"
#include "elf.hpp"
#include "lines.hpp"

extern char** environ;

namespace heatflow::detail {

// Functions of one load module, by address within it (System V ABI, chapter 4).
class SymbolTable {
public:
    explicit SymbolTable(const std::string& path) {
        const MappedFile file(path);
        const Sections sections(file);
        for (const std::uint32_t wanted : {std::uint32_t(SHT_SYMTAB), std::uint32_t(SHT_DYNSYM)})
            for (const auto& section : sections)
                if (symbols_.empty() && section.sh_type == wanted && section.sh_link < sections.size())
                    take(file, section, sections[section.sh_link]);
        std::sort(symbols_.begin(), symbols_.end(), [](const Symbol& a, const Symbol& b) { return a.begin < b.begin; });
    }

    struct Symbol {
        std::uintptr_t begin;
        std::uintptr_t size;
        std::string name;
    };

    // The function that an address is in; nothing where none is known.
    const Symbol* find(std::uintptr_t address) const {
        const auto isBefore = [](std::uintptr_t value, const Symbol& symbol) { return value < symbol.begin; };
        auto after = std::upper_bound(symbols_.begin(), symbols_.end(), address, isBefore);
        if (after == symbols_.begin()) return nullptr;
        const Symbol& symbol = *--after;
        return address < symbol.begin + std::max<std::uintptr_t>(symbol.size, 1) ? &symbol : nullptr;
    }

private:
    void take(const MappedFile& file, const ElfW(Shdr) & table, const ElfW(Shdr) & texts) {
        const std::uint64_t count = table.sh_size / sizeof(ElfW(Sym));
        const auto* const found = file.at<ElfW(Sym)>(table.sh_offset, count);
        for (std::uint64_t at = 0; found != nullptr && at < count; ++at) {
            const auto& symbol = found[at];
            if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF) continue;
            symbols_.push_back({symbol.st_value, symbol.st_size, file.text(texts.sh_offset, texts.sh_size, symbol.st_name)});
        }
    }

    std::vector<Symbol> symbols_;
};

inline std::string demangled(const std::string& name) {
    int status = 0;
    char* const text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
    const std::string result = status == 0 && text != nullptr ? text : name;
    std::free(text);
    return result;
}

// What is loaded now: the program, and its libraries.
inline std::vector<Library> librariesHere() {
    std::vector<Library> found;
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* data) {
            Library library{info->dlpi_name, info->dlpi_addr, {}};
            for (int at = 0; at < info->dlpi_phnum; ++at) {
                const auto& part = info->dlpi_phdr[at];
                if (part.p_type != PT_LOAD) continue;
                const std::uintptr_t begin = info->dlpi_addr + part.p_vaddr;
                library.ranges.emplace_back(begin, begin + part.p_memsz);
            }
            static_cast<std::vector<Library>*>(data)->push_back(std::move(library));
            return 0;
        },
        &found);
    for (Library& library : found) {
        char path[4096];
        const ssize_t length = library.path.empty() ? readlink("/proc/self/exe", path, sizeof path) : 0;
        if (length > 0) library.path.assign(path, std::size_t(length));
    }
    return found;
}

// Where load modules lie in this process.
class LoadModules final : public Symbols {
public:
    FrameFacts nameOf(std::uintptr_t address) override { return factsIn(moduleOf(address), address); }

    // Its file says it, if it has not been asked before.
    FrameFacts nameIn(const Library& unloaded, std::uintptr_t address) override {
        auto known = findOf(unloaded);
        if (known == modules_.end()) known = modules_.insert(known, {unloaded, nullptr});
        return factsIn(&*known, address);
    }

    void forget(const Library& unloaded) override {
        const auto known = findOf(unloaded);
        if (known != modules_.end()) modules_.erase(known);
    }

    bool isCall(std::uintptr_t function, CallPlace call, std::uintptr_t caller) override {
        return isWithin(call.within - 1, function) && isWithin(call.returnsTo - 1, caller);
    }

    void locate(const std::vector<FrameFacts*>& frames) override {
        std::map<std::string, std::vector<FrameFacts*>> byModule;
        for (FrameFacts* const facts : frames)
            if (!facts->module.empty()) byModule[facts->module].push_back(facts);
        for (const auto& [path, within] : byModule) {
            std::string addresses;
            for (const FrameFacts* const facts : within) {
                char line[24];
                std::snprintf(line, sizeof line, "0x%llx\n", static_cast<unsigned long long>(facts->offset));
                addresses += line;
            }
            take(answer(path, addresses), within);
            // addr2line of binutils 2.40 names the wrong file for code that the compiler put into a section of its own, such as
            // templates and inline functions of headers.
            locateByLineTable(path, within);
        }
    }

    void refresh() override {
        std::vector<Module> found;
        for (Library& library : librariesHere()) {
            const auto known = findOf(library);
            auto table = known != modules_.end() ? std::move(known->table) : nullptr;
            if (known != modules_.end()) modules_.erase(known);
            found.push_back({std::move(library), std::move(table)});
        }
        // Behind those that may be at its place.
        std::move(modules_.begin(), modules_.end(), std::back_inserter(found));
        modules_ = std::move(found);
    }

private:
    struct Module {
        Library library;
        // Read when it is first asked for.
        std::unique_ptr<SymbolTable> table;

        const SymbolTable::Symbol* find(std::uintptr_t address) {
            if (table == nullptr) table = std::make_unique<SymbolTable>(library.path);
            return table->find(address - library.bias);
        }
    };

    static FrameFacts factsIn(Module* module, std::uintptr_t address) {
        FrameFacts facts;
        if (module != nullptr) {
            facts.module = module->library.path;
            facts.offset = address - module->library.bias;
            if (const auto* const symbol = module->find(address)) facts.name = demangled(symbol->name);
        }
        if (facts.name.empty()) {
            char digits[24];
            std::snprintf(digits, sizeof digits, "0x%llx", static_cast<unsigned long long>(address));
            facts.name = digits;
        }
        return facts;
    }

    std::vector<Module>::iterator findOf(const Library& library) {
        return std::find_if(modules_.begin(), modules_.end(), [&](const Module& one) { return one.library == library; });
    }

    Module* moduleOf(std::uintptr_t address) {
        if (Module* const module = find(address)) return module;
        // A library may have been loaded since.
        refresh();
        return find(address);
    }

    // Whether an address is in the code of a function, or of a copy of it (`solve.isra.0`).
    bool isWithin(std::uintptr_t address, std::uintptr_t function) {
        const auto* const symbol = symbolAt(address);
        const auto* const own = symbolAt(function);
        if (symbol == nullptr || own == nullptr) return false;
        return symbol == own || symbol->name.substr(0, symbol->name.find('.')) == own->name;
    }

    const SymbolTable::Symbol* symbolAt(std::uintptr_t address) {
        Module* const module = moduleOf(address);
        return module == nullptr ? nullptr : module->find(address);
    }

    Module* find(std::uintptr_t address) {
        for (Module& module : modules_)
            if (module.library.has(address)) return &module;
        return nullptr;
    }

    // What addr2line says of addresses, one per line; empty where there is no such program.
    static std::string answer(const std::string& module, const std::string& addresses) {
        const int questions = memfd_create("heatflow-addresses", MFD_CLOEXEC);
        int pipeEnds[2];
        if (questions < 0) return {};
        std::string said;
        const bool isReady = ::write(questions, addresses.data(), addresses.size()) == ssize_t(addresses.size()) &&
                             lseek(questions, 0, SEEK_SET) == 0 && pipe2(pipeEnds, O_CLOEXEC) == 0;
        if (isReady) {
            posix_spawn_file_actions_t actions;
            posix_spawn_file_actions_init(&actions);
            posix_spawn_file_actions_adddup2(&actions, questions, 0);
            posix_spawn_file_actions_adddup2(&actions, pipeEnds[1], 1);
            posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
            std::string program = "addr2line", option = "-e", path = module;
            char* const arguments[] = {program.data(), option.data(), path.data(), nullptr};
            // What is preloaded into the traced program must not trace this one.
            std::vector<char*> environment;
            for (char** one = environ; *one != nullptr; ++one)
                if (std::strncmp(*one, "LD_PRELOAD=", 11) != 0) environment.push_back(*one);
            environment.push_back(nullptr);
            pid_t child = 0;
            const bool isRunning = posix_spawnp(&child, "addr2line", &actions, nullptr, arguments, environment.data()) == 0;
            posix_spawn_file_actions_destroy(&actions);
            ::close(pipeEnds[1]);
            char piece[4096];
            for (ssize_t length = 0; isRunning && (length = ::read(pipeEnds[0], piece, sizeof piece)) != 0;)
                if (length > 0) said.append(piece, std::size_t(length));
                else if (errno != EINTR) break;
            ::close(pipeEnds[0]);
            if (isRunning) waitpid(child, nullptr, 0);
        }
        ::close(questions);
        return said;
    }

    // One line per address: `FILE:LINE`, `FILE:LINE (discriminator N)`, `??:0`, `FILE:?`.
    static void take(const std::string& said, const std::vector<FrameFacts*>& frames) {
        std::size_t begin = 0;
        for (FrameFacts* const facts : frames) {
            const std::size_t end = said.find('\n', begin);
            if (end == std::string::npos) return;
            std::string line = said.substr(begin, end - begin);
            begin = end + 1;
            line.resize(std::min(line.size(), line.find(" (discriminator ")));
            const std::size_t colon = line.rfind(':');
            if (colon == std::string::npos || line[0] == '?') continue;
            facts->file = line.substr(0, colon);
            facts->line = std::atoi(line.c_str() + colon + 1);
        }
    }

    std::vector<Module> modules_;
};

}  // namespace heatflow::detail

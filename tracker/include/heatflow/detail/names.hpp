// What functions are called with their class and namespaces, found out while they are compiled.
#pragma once

#include <cstddef>

namespace heatflow::detail {

// A name that fits where the compiler's whole description of the function does.
template <std::size_t size>
struct FunctionName {
    char text[size] = {};
};

constexpr bool isNamePart(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || (static_cast<unsigned char>(c) & 0x80u);
}

// Whether a text begins with another one.
constexpr bool begins(const char* text, const char* with) noexcept {
    for (; *with != '\0'; ++text, ++with)
        if (*text != *with) return false;
    return true;
}

// Where the name stands in `double Kernel<T>::dot(int) const [with T = int]`: outside of all brackets, before its parameters. -1: nowhere.
constexpr std::ptrdiff_t nameIn(const char* description, const char* name) noexcept {
    std::ptrdiff_t length = 0;
    while (name[length] != '\0') ++length;
    int depth = 0;
    for (std::ptrdiff_t at = 0; description[at] != '\0'; ++at) {
        const char c = description[at];
        const bool isStart = depth == 0 && (at == 0 || !isNamePart(description[at - 1])) && begins(description + at, name);
        // `words[abi:cxx11](`
        if (isStart && (description[at + length] == '(' || begins(description + at + length, "[abi:"))) return at;
        if (c == '(' || c == '<' || c == '{' || c == '[') ++depth;
        if (c == ')' || c == '>' || c == '}' || c == ']') --depth;
    }
    return -1;
}

// `Kernel::dot` of `double Kernel<T>::dot(int) const [with T = int]`, as GCC and Clang describe it, without arguments of templates and
// nameless namespaces. What stands in another function, or can't be told, has its own name alone; so has a lambda.
template <std::size_t size>
constexpr FunctionName<size> functionName(const char (&description)[size], const char* name) noexcept {
    FunctionName<size> result;
    const std::ptrdiff_t start = nameIn(description, name);
    // Scopes as they stand, from the innermost outwards: where each begins and ends.
    std::ptrdiff_t from[16] = {}, to[16] = {};
    int scopes = 0;
    std::ptrdiff_t at = start;
    while (at > 2 && scopes < 16 && description[at - 1] == ':' && description[at - 2] == ':') {
        at -= 2;
        int depth = 0;
        std::ptrdiff_t end = at;
        while (end > 0 && (depth > 0 || description[end - 1] == '>')) {
            --end;
            depth += description[end] == '>' ? 1 : description[end] == '<' ? -1 : 0;
        }
        std::ptrdiff_t begin = end;
        while (begin > 0 && isNamePart(description[begin - 1])) --begin;
        if (begin == end) {
            // `{anonymous}` and `(anonymous namespace)`.
            const char close = description[end - 1];
            const std::ptrdiff_t length = close == '}' ? 11 : close == ')' ? 21 : 0;
            if (length == 0 || end < length || !begins(description + end - length + 1, "anonymous")) break;
            at = end - length;
            continue;
        }
        at = begin;
        // What nvcc calls a nameless namespace in the host's part of a file: `_GLOBAL__N__6cef5bfe_7_work_cu_main`.
        if (begins(description + begin, "_GLOBAL__N_")) continue;
        from[scopes] = begin;
        to[scopes++] = end;
    }
    std::size_t written = 0;
    while (scopes > 0) {
        --scopes;
        for (std::ptrdiff_t one = from[scopes]; one < to[scopes]; ++one) result.text[written++] = description[one];
        result.text[written++] = ':';
        result.text[written++] = ':';
    }
    for (; *name != '\0' && written + 1 < size; ++name) result.text[written++] = *name;
    return result;
}

}  // namespace heatflow::detail

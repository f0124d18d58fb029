// Texts of any bytes, for files and terminals.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

namespace heatflow::detail {

// Length in bytes of the UTF-8 sequence at the beginning of the text; 0 if it is not valid (Unicode 15, table 3-7).
inline std::size_t utf8Sequence(std::string_view text) noexcept {
    const auto at = [&](std::size_t index) { return index < text.size() ? static_cast<unsigned char>(text[index]) : 0u; };
    const auto follows = [&](std::size_t index) { return (at(index) & 0xC0u) == 0x80u; };
    const unsigned first = at(0);
    if (first < 0x80) return 1;
    if (first >= 0xC2 && first <= 0xDF) return follows(1) ? 2 : 0;
    if (first >= 0xE0 && first <= 0xEF) {
        const bool isCanonical = (first != 0xE0 || at(1) >= 0xA0) && (first != 0xED || at(1) < 0xA0);
        return isCanonical && follows(1) && follows(2) ? 3 : 0;
    }
    if (first >= 0xF0 && first <= 0xF4) {
        const bool isCanonical = (first != 0xF0 || at(1) >= 0x90) && (first != 0xF4 || at(1) < 0x90);
        return isCanonical && follows(1) && follows(2) && follows(3) ? 4 : 0;
    }
    return 0;
}

// Whether a character is invisible or controls a terminal: control characters, and characters that change the direction of text.
inline bool isUnseen(unsigned character) noexcept {
    return character < 0x20 || (character >= 0x7F && character <= 0x9F) || character == 0x61C ||
           (character >= 0x200B && character <= 0x200F) || (character >= 0x2028 && character <= 0x202E) ||
           (character >= 0x2060 && character <= 0x2069) || character == 0xFEFF;
}

// A text that is safe to print: invisible characters and bytes that are not UTF-8 are escaped (`\x1b`, `\u202e`).
inline std::string printable(std::string_view text) {
    std::string result;
    char escape[16];
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = utf8Sequence(text.substr(at));
        const auto byte = static_cast<unsigned char>(text[at]);
        unsigned character = length < 2 ? byte : byte & (0xFFu >> (length + 1));
        for (std::size_t next = 1; next < length; ++next) character = character << 6 | (static_cast<unsigned char>(text[at + next]) & 0x3Fu);
        if (length > 0 && !isUnseen(character)) {
            result.append(text.substr(at, length));
        } else {
            std::snprintf(escape, sizeof escape, character < 0x100 ? "\\x%02x" : "\\u%04x", character);
            result += escape;
        }
        at += length == 0 ? 1 : length;
    }
    return result;
}

}  // namespace heatflow::detail

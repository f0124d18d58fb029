// Lines of addresses, from a load module's own line table (DWARF 5, section 6.2).
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "../include/heatflow/detail/facts.hpp"
#include "elf.hpp"

namespace heatflow::detail {

// Reads what DWARF is made of. Behind the end, and after anything that can't be, all values are 0 and `isGood` is false.
class DwarfReader {
public:
    DwarfReader(const unsigned char* begin, std::size_t size) noexcept : at_(begin), end_(begin + size) {}

    bool isGood() const noexcept { return isGood_; }
    bool isAtEnd() const noexcept { return at_ == end_ || !isGood_; }
    std::size_t left() const noexcept { return std::size_t(end_ - at_); }

    std::uint64_t number(std::size_t size) noexcept {
        std::uint64_t value = 0;
        const unsigned char* const from = skip(size);
        if (from != nullptr && size <= sizeof value) std::memcpy(&value, from, size);
        return value;
    }
    std::uint64_t unsignedNumber() noexcept { return leb128().first; }
    std::int64_t signedNumber() noexcept {
        const auto [value, bits] = leb128();
        const bool isNegative = bits < 64 && (value >> (bits - 1) & 1u) != 0;
        return std::int64_t(isNegative ? value | ~std::uint64_t(0) << bits : value);
    }
    const char* text() noexcept {
        const void* const zero = left() == 0 ? nullptr : std::memchr(at_, 0, left());
        const auto* const text = skip(zero == nullptr ? left() + 1 : std::size_t(static_cast<const unsigned char*>(zero) - at_) + 1);
        return text == nullptr ? "" : reinterpret_cast<const char*>(text);
    }
    const unsigned char* skip(std::uint64_t size) noexcept {
        if (!isGood_ || size > left()) {
            isGood_ = false;
            at_ = end_;
            return nullptr;
        }
        const unsigned char* const from = at_;
        at_ += size;
        return from;
    }
    // What comes next, as a part of its own.
    DwarfReader part(std::uint64_t size) noexcept {
        const unsigned char* const from = skip(size);
        return from == nullptr ? DwarfReader(end_, 0) : DwarfReader(from, std::size_t(size));
    }

private:
    std::pair<std::uint64_t, unsigned> leb128() noexcept {
        std::uint64_t value = 0;
        for (unsigned bits = 0; bits < 64; bits += 7) {
            const std::uint64_t byte = number(1);
            value |= (byte & 0x7f) << bits;
            if ((byte & 0x80) == 0) return {value, bits + 7};
        }
        isGood_ = false;
        return {0, 64};
    }

    const unsigned char* at_;
    const unsigned char* end_;
    bool isGood_ = true;
};

// Finds the lines of some addresses in the tables of one load module.
class LineFinder {
public:
    // Frames by their offset in the module, in ascending order.
    LineFinder(const Sections& sections, const std::vector<FrameFacts*>& frames)
        : lines_(sections.bytes(".debug_line")),
          lineTexts_(sections.bytes(".debug_line_str")),
          texts_(sections.bytes(".debug_str")),
          frames_(frames) {}

    void find() {
        DwarfReader tables(lines_.begin, lines_.size);
        while (!tables.isAtEnd()) {
            std::uint64_t size = tables.number(4);
            wordSize_ = size == 0xffffffff ? 8 : 4;
            if (wordSize_ == 8) size = tables.number(8);
            table(tables.part(size));
        }
    }

private:
    struct Row {
        std::uint64_t address = 0;
        std::uint64_t file = 1;
        std::int64_t line = 1;
    };
    struct File {
        const char* name;
        std::uint64_t folder;
    };

    void table(DwarfReader table) {
        // Tables before version 5 don't say the folder of the compilation: addr2line has it from elsewhere, and reads them rightly.
        if (table.number(2) != 5) return;
        addressSize_ = std::size_t(table.number(1));
        table.number(1);
        DwarfReader header = table.part(table.number(wordSize_));
        step_ = header.number(1);
        // More operations than one in an instruction are of processors that this one is not.
        header.number(2);
        lineBase_ = std::int8_t(header.number(1));
        lineRange_ = header.number(1);
        const std::uint64_t codes = header.number(1);
        const unsigned char* const operands = codes == 0 ? nullptr : header.skip(codes - 1);
        folders_.clear();
        files_.clear();
        for (const File& folder : entries(header)) folders_.push_back(folder.name);
        files_ = entries(header);
        if (header.isGood() && operands != nullptr && lineRange_ != 0) run(table, codes, operands);
    }

    // Folders, or files: first what is said of each, then each.
    std::vector<File> entries(DwarfReader& header) const {
        std::vector<std::pair<std::uint64_t, std::uint64_t>> format(std::size_t(header.number(1)));
        for (auto& [content, form] : format) {
            content = header.unsignedNumber();
            form = header.unsignedNumber();
        }
        std::vector<File> found;
        const std::uint64_t count = header.unsignedNumber();
        for (std::uint64_t at = 0; at < count && !header.isAtEnd() && !format.empty(); ++at) {
            File file{"", 0};
            for (const auto& [content, form] : format) {
                constexpr std::uint64_t path = 1, folder = 2;
                if (content == path) file.name = text(header, form);
                else if (content == folder) file.folder = number(header, form);
                else number(header, form);
            }
            found.push_back(file);
        }
        return found;
    }

    const char* text(DwarfReader& header, std::uint64_t form) const {
        constexpr std::uint64_t inPlace = 0x08, inTexts = 0x0e, inLineTexts = 0x1f;
        if (form == inPlace) return header.text();
        const auto& texts = form == inLineTexts ? lineTexts_ : texts_;
        if (form != inLineTexts && form != inTexts) header.skip(header.left() + 1);
        const std::uint64_t offset = header.number(wordSize_);
        if (offset >= texts.size) return "";
        return DwarfReader(texts.begin + offset, texts.size - std::size_t(offset)).text();
    }

    // What is no number, such as a checksum, is passed over.
    std::uint64_t number(DwarfReader& header, std::uint64_t form) const {
        switch (form) {
            case 0x0b: return header.number(1);
            case 0x05: return header.number(2);
            case 0x06: return header.number(4);
            case 0x07: return header.number(8);
            case 0x0f: return header.unsignedNumber();
            case 0x1e: header.skip(16); return 0;
            case 0x09: header.skip(header.unsignedNumber()); return 0;
            default: text(header, form); return 0;
        }
    }

    void run(DwarfReader program, std::uint64_t codes, const unsigned char* operands) {
        Row row, before;
        bool isWithin = false, isKept = true;
        const auto take = [&](bool isEnd) {
            // A sequence at 0 is of code that the linker left out.
            if (!isWithin) isKept = row.address != 0;
            else if (isKept) found(before, row.address);
            before = row;
            isWithin = !isEnd;
            if (isEnd) row = Row{};
        };
        while (!program.isAtEnd()) {
            const std::uint64_t code = program.number(1);
            if (code >= codes) {
                const std::uint64_t both = code - codes;
                row.address += both / lineRange_ * step_;
                row.line += lineBase_ + std::int64_t(both % lineRange_);
                take(false);
                continue;
            }
            switch (code) {
                case 0: {
                    DwarfReader extended = program.part(program.unsignedNumber());
                    constexpr std::uint64_t end = 1, address = 2;
                    const std::uint64_t what = extended.number(1);
                    if (what == end) take(true);
                    else if (what == address) row.address = extended.number(std::min(addressSize_, extended.left()));
                    break;
                }
                case 1: take(false); break;
                case 2: row.address += program.unsignedNumber() * step_; break;
                case 3: row.line += program.signedNumber(); break;
                case 4: row.file = program.unsignedNumber(); break;
                case 8: row.address += (255 - codes) / lineRange_ * step_; break;
                case 9: row.address += program.number(2); break;
                default:
                    for (unsigned left = operands[code - 1]; left > 0; --left) program.unsignedNumber();
            }
        }
    }

    void found(const Row& row, std::uint64_t end) {
        const auto isBefore = [](const FrameFacts* frame, std::uint64_t address) { return frame->offset < address; };
        auto frame = std::lower_bound(frames_.begin(), frames_.end(), row.address, isBefore);
        for (; frame != frames_.end() && (*frame)->offset < end; ++frame) {
            const std::string path = pathOf(row.file);
            // Line 0: the compiler's own code, of no line.
            if (path.empty() || row.line <= 0) continue;
            (*frame)->file = path;
            (*frame)->line = int(row.line);
        }
    }

    std::string pathOf(std::uint64_t number) const {
        if (number >= files_.size() || files_[number].name[0] == 0) return {};
        std::string path = files_[number].name;
        for (const std::uint64_t folder : {files_[number].folder, std::uint64_t(0)})
            if (path[0] != '/' && folder < folders_.size()) path = folders_[folder] + "/" + path;
        return path;
    }

    Sections::Bytes lines_, lineTexts_, texts_;
    const std::vector<FrameFacts*>& frames_;
    std::vector<std::string> folders_;
    std::vector<File> files_;
    std::size_t wordSize_ = 4, addressSize_ = 8;
    std::uint64_t step_ = 1, lineRange_ = 1;
    std::int64_t lineBase_ = 0;
};

// Gives frames of a load module the file and the line that its line table has for their offsets; others stay as they are.
inline void locateByLineTable(const std::string& module, std::vector<FrameFacts*> frames) {
    const MappedFile file(module);
    std::sort(frames.begin(), frames.end(), [](const FrameFacts* a, const FrameFacts* b) { return a->offset < b->offset; });
    LineFinder(Sections(file), frames).find();
}

}  // namespace heatflow::detail

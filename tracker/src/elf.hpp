// Files of programs and libraries, and their sections (System V ABI, chapter 4).
#pragma once

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <string>

namespace heatflow::detail {

// A file as it lies in memory while this lives; empty where it can't be read.
class MappedFile {
public:
    explicit MappedFile(const std::string& path) {
        const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        struct stat facts {};
        if (file < 0) return;
        if (fstat(file, &facts) == 0 && facts.st_size > 0) {
            void* const mapped = mmap(nullptr, std::size_t(facts.st_size), PROT_READ, MAP_PRIVATE, file, 0);
            if (mapped != MAP_FAILED) {
                data_ = static_cast<const char*>(mapped);
                size_ = std::size_t(facts.st_size);
            }
        }
        ::close(file);
    }
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    ~MappedFile() {
        if (data_ != nullptr) munmap(const_cast<char*>(data_), size_);
    }

    // So many items from an offset on; nothing where the file ends before.
    template <typename Item>
    const Item* at(std::uint64_t offset, std::uint64_t count = 1) const noexcept {
        const bool fits = offset <= size_ && count <= (size_ - offset) / sizeof(Item) && offset % alignof(Item) == 0;
        return fits ? reinterpret_cast<const Item*>(data_ + offset) : nullptr;
    }

    // The text from an offset to the next zero, within a part of the file.
    const char* text(std::uint64_t from, std::uint64_t size, std::uint64_t offset) const noexcept {
        const char* const part = at<char>(from, size);
        if (part == nullptr || offset >= size || std::memchr(part + offset, 0, size - offset) == nullptr) return "";
        return part + offset;
    }

private:
    const char* data_ = nullptr;
    std::size_t size_ = 0;
};

// The sections of a file; none where it is no ELF file of this machine's kind.
class Sections {
public:
    using Section = ElfW(Shdr);

    explicit Sections(const MappedFile& file) : file_(file) {
        const auto* const header = file.at<ElfW(Ehdr)>(0);
        if (header == nullptr || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return;
        sections_ = file.at<Section>(header->e_shoff, header->e_shnum);
        if (sections_ == nullptr) return;
        count_ = header->e_shnum;
        names_ = header->e_shstrndx;
    }

    const Section* begin() const noexcept { return sections_; }
    const Section* end() const noexcept { return sections_ + count_; }
    std::size_t size() const noexcept { return count_; }
    const Section& operator[](std::size_t at) const noexcept { return sections_[at]; }

    // The bytes of a section; nothing where there is none of that name, or a compressed one.
    struct Bytes {
        const unsigned char* begin = nullptr;
        std::size_t size = 0;
    };
    Bytes bytes(const char* name) const noexcept {
        for (const Section& section : *this) {
            if (std::strcmp(nameOf(section), name) != 0 || (section.sh_flags & SHF_COMPRESSED) != 0) continue;
            if (section.sh_type == SHT_NOBITS) continue;
            const auto* const begin = file_.at<unsigned char>(section.sh_offset, section.sh_size);
            if (begin != nullptr) return {begin, std::size_t(section.sh_size)};
        }
        return {};
    }

private:
    const char* nameOf(const Section& section) const noexcept {
        if (names_ >= count_) return "";
        return file_.text(sections_[names_].sh_offset, sections_[names_].sh_size, section.sh_name);
    }

    const MappedFile& file_;
    const Section* sections_ = nullptr;
    std::size_t count_ = 0;
    std::size_t names_ = 0;
};

}  // namespace heatflow::detail

#include "fastpath/gpu/emulator/symbol.h"

#include <cxxabi.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string_view>

namespace plumb::fast::emulated_gpu::emulator {
namespace {

// The file that a piece of code was loaded from, and its address there.
struct Place {
  uintptr_t address;
  std::string file;
  bool found = false;
};

int LookIntoModule(dl_phdr_info* module, size_t, void* data) {
  Place& place = *static_cast<Place*>(data);
  for (int i = 0; i < module->dlpi_phnum; ++i) {
    const auto& segment = module->dlpi_phdr[i];
    const uintptr_t begin = module->dlpi_addr + segment.p_vaddr;
    if (segment.p_type != PT_LOAD || place.address < begin || place.address >= begin + segment.p_memsz) continue;
    place.address -= module->dlpi_addr;
    place.file = *module->dlpi_name != '\0' ? module->dlpi_name : "/proc/self/exe";
    place.found = true;
    return 1;
  }
  return 0;
}

// A file, readable where it lies; empty if it cannot be read.
class MappedFile {
 public:
  explicit MappedFile(const char* name) {
    const int file = open(name, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    const off_t size = lseek(file, 0, SEEK_END);
    void* const data =
        size > 0 ? mmap(nullptr, static_cast<size_t>(size), PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
    if (data != MAP_FAILED) bytes_ = std::string_view(static_cast<const char*>(data), static_cast<size_t>(size));
    close(file);
  }
  ~MappedFile() {
    if (!bytes_.empty()) munmap(const_cast<char*>(bytes_.data()), bytes_.size());
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  std::string_view bytes() const { return bytes_; }

 private:
  std::string_view bytes_;
};

template <class T>
const T* At(std::string_view file, size_t offset, size_t count = 1) {
  return offset <= file.size() && count <= (file.size() - offset) / sizeof(T)
             ? reinterpret_cast<const T*>(file.data() + offset)
             : nullptr;
}

// The symbol that a table of the file has for the address, or "".
std::string SymbolIn(std::string_view file, const Elf64_Shdr* sections, size_t count, const Elf64_Shdr& table,
                     uintptr_t address) {
  const size_t symbols = table.sh_size / sizeof(Elf64_Sym);
  const auto* const symbol = At<Elf64_Sym>(file, table.sh_offset, symbols);
  if (symbol == nullptr || table.sh_link >= count) return "";
  const Elf64_Shdr& names = sections[table.sh_link];
  if (names.sh_size == 0 || At<char>(file, names.sh_offset, names.sh_size) == nullptr) return "";
  for (size_t i = 0; i < symbols; ++i) {
    if (ELF64_ST_TYPE(symbol[i].st_info) != STT_FUNC || symbol[i].st_name >= names.sh_size) continue;
    if (address == symbol[i].st_value) return file.data() + names.sh_offset + symbol[i].st_name;
  }
  return "";
}

std::string Demangled(const std::string& symbol) {
  int status = 0;
  char* const text = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
  const std::string name = text != nullptr ? text : symbol;
  std::free(text);
  return name;
}

}  // namespace

std::string NameOfFunction(const void* function) {
  Place place = {reinterpret_cast<uintptr_t>(function), "", false};
  dl_iterate_phdr(&LookIntoModule, &place);
  if (place.found) {
    const MappedFile mapped(place.file.c_str());
    const std::string_view file = mapped.bytes();
    const auto* const header = At<Elf64_Ehdr>(file, 0);
    const auto* const sections = header == nullptr ? nullptr : At<Elf64_Shdr>(file, header->e_shoff, header->e_shnum);
    for (size_t i = 0; sections != nullptr && i < header->e_shnum; ++i) {
      if (sections[i].sh_type != SHT_SYMTAB && sections[i].sh_type != SHT_DYNSYM) continue;
      const std::string symbol = SymbolIn(file, sections, header->e_shnum, sections[i], place.address);
      if (!symbol.empty()) return Demangled(symbol);
    }
  }
  std::ostringstream address;
  address << "at " << function;
  return address.str();
}

}  // namespace plumb::fast::emulated_gpu::emulator

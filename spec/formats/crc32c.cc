#include "spec/formats/crc32c.h"

#include <array>
#include <cstring>

namespace plumb {
namespace {

constexpr uint32_t kReflectedPolynomial = 0x82f63b78;

constexpr std::array<uint32_t, 256> MakeTable() {
  std::array<uint32_t, 256> table{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? kReflectedPolynomial : 0);
    table[byte] = crc;
  }
  return table;
}
constexpr std::array<uint32_t, 256> kTable = MakeTable();

uint32_t ByTable(std::string_view bytes, uint32_t crc) {
  for (const char c : bytes) crc = (crc >> 8) ^ kTable[(crc ^ static_cast<uint8_t>(c)) & 0xff];
  return crc;
}

#ifdef __x86_64__
// The processor has an instruction for this polynomial, eight bytes at a time.
__attribute__((target("sse4.2"))) uint32_t ByInstruction(std::string_view bytes, uint32_t crc) {
  uint64_t wide = crc;
  for (; bytes.size() >= sizeof(uint64_t); bytes.remove_prefix(sizeof(uint64_t))) {
    uint64_t word;
    std::memcpy(&word, bytes.data(), sizeof(word));
    wide = __builtin_ia32_crc32di(wide, word);
  }
  auto narrow = static_cast<uint32_t>(wide);
  for (const char c : bytes) narrow = __builtin_ia32_crc32qi(narrow, static_cast<uint8_t>(c));
  return narrow;
}
const bool kHasInstruction = __builtin_cpu_supports("sse4.2") != 0;
#else
constexpr bool kHasInstruction = false;
uint32_t ByInstruction(std::string_view bytes, uint32_t crc) { return ByTable(bytes, crc); }
#endif

}  // namespace

uint32_t internal::Crc32cByTable(std::string_view bytes, uint32_t crc) { return ~ByTable(bytes, ~crc); }

uint32_t Crc32c(std::string_view bytes, uint32_t crc) {
  return kHasInstruction ? ~ByInstruction(bytes, ~crc) : internal::Crc32cByTable(bytes, crc);
}

}  // namespace plumb

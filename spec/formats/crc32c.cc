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
constexpr size_t kLane = 1024;  // bytes

// What kLane zeros make of a checksum, by each of its four bytes: it is linear, so that the sum of these is what they
// make of the whole.
using ZerosTable = std::array<std::array<uint32_t, 256>, 4>;
constexpr ZerosTable MakeZerosTable() {
  ZerosTable table{};
  for (uint32_t bit = 0; bit < 32; ++bit) {
    uint32_t crc = uint32_t{1} << bit;
    for (size_t i = 0; i < kLane; ++i) crc = (crc >> 8) ^ kTable[crc & 0xff];
    for (uint32_t byte = 0; byte < 256; ++byte) {
      if ((byte >> (bit % 8) & 1) != 0) table[bit / 8][byte] ^= crc;
    }
  }
  return table;
}
constexpr ZerosTable kZeros = MakeZerosTable();

uint64_t BehindZeros(uint64_t crc) {
  return kZeros[0][crc & 0xff] ^ kZeros[1][crc >> 8 & 0xff] ^ kZeros[2][crc >> 16 & 0xff] ^ kZeros[3][crc >> 24 & 0xff];
}

uint64_t WordAt(const char* bytes) {
  uint64_t word;
  std::memcpy(&word, bytes, sizeof(word));
  return word;
}

// The processor has an instruction for this polynomial, eight bytes at a time. It takes three cycles and starts anew in
// each, so three lanes go side by side.
__attribute__((target("sse4.2"))) uint32_t ByInstruction(std::string_view bytes, uint32_t crc) {
  uint64_t wide = crc;
  for (; bytes.size() >= 3 * kLane; bytes.remove_prefix(3 * kLane)) {
    uint64_t second = 0, third = 0;
    for (size_t i = 0; i < kLane; i += sizeof(uint64_t)) {
      wide = __builtin_ia32_crc32di(wide, WordAt(bytes.data() + i));
      second = __builtin_ia32_crc32di(second, WordAt(bytes.data() + kLane + i));
      third = __builtin_ia32_crc32di(third, WordAt(bytes.data() + 2 * kLane + i));
    }
    wide = BehindZeros(BehindZeros(wide) ^ second) ^ third;
  }
  for (; bytes.size() >= sizeof(uint64_t); bytes.remove_prefix(sizeof(uint64_t))) {
    wide = __builtin_ia32_crc32di(wide, WordAt(bytes.data()));
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

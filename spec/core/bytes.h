// Numbers in bytes, as files and messages hold them: little-endian, or seven bits in each byte, the lowest first.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "spec/core/status.h"

namespace plumb {

template <class Unsigned>
void AppendFixed(Unsigned value, std::string* to) {
  for (size_t i = 0; i < sizeof(value); ++i) to->push_back(static_cast<char>(value >> (8 * i)));
}

inline void AppendVarint(uint64_t value, std::string* to) {
  for (; value >= 0x80; value >>= 7) to->push_back(static_cast<char>(value | 0x80));
  to->push_back(static_cast<char>(value));
}

// Takes numbers off the front of bytes. Where they end too early it throws `code`, with the name of what they are.
class ByteReader {
 public:
  ByteReader(std::string_view bytes, std::string_view name, Code code = Code::kDataLoss)
      : bytes_(bytes), name_(name), code_(code) {}

  bool IsEmpty() const { return bytes_.empty(); }
  std::string_view Rest() const { return bytes_; }
  std::string_view Take(uint64_t count) {
    if (count > bytes_.size()) throw Error(code_, Str(name_, " ends too early"));
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }
  template <class Unsigned>
  Unsigned TakeFixed() {
    const std::string_view taken = Take(sizeof(Unsigned));
    Unsigned value = 0;
    for (size_t i = 0; i < sizeof(value); ++i) value |= Unsigned{static_cast<uint8_t>(taken[i])} << (8 * i);
    return value;
  }
  uint64_t TakeVarint() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<uint8_t>(Take(1)[0]);
      value |= uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return value;
    }
    throw Error(code_, Str(name_, " has a number of more than ten bytes"));
  }

 private:
  std::string_view bytes_;
  std::string_view name_;
  Code code_;
};

}  // namespace plumb

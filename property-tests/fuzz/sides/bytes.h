// The bytes of a fuzzer as choices, a byte for most of them, so that a changed byte changes one choice.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace plumb::fuzz {

// Past the end all choices are 0.
class Bytes {
 public:
  Bytes(const uint8_t* data, size_t size) : left_(reinterpret_cast<const char*>(data), size) {}

  uint8_t Byte() {
    if (left_.empty()) return 0;
    const auto byte = static_cast<uint8_t>(left_[0]);
    left_.remove_prefix(1);
    return byte;
  }
  // Of n choices, 0 first.
  size_t Below(size_t n) {
    if (n <= 1) return 0;
    size_t number = Byte();
    if (n > 256) number = number << 8 | Byte();
    return number % n;
  }
  // In so many of eight cases.
  bool InEighths(int n) { return Byte() % 8 >= 8 - n; }
  // As many bytes as the next one says, below `limit`.
  std::string Text(size_t limit) { return std::string(Take(Below(limit))); }
  std::string_view Take(size_t size) {
    const std::string_view taken = left_.substr(0, size);
    left_.remove_prefix(taken.size());
    return taken;
  }
  std::string_view Rest() { return Take(left_.size()); }
  bool AtEnd() const { return left_.empty(); }

 private:
  std::string_view left_;
};

}  // namespace plumb::fuzz

// Fingerprints of texts that TensorFlow keeps for ever.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

#include "spec/core/choice_point.h"

namespace plumb::fast::cpu {

static_assert(std::endian::native == std::endian::little, "numbers are read as they lie in memory");

inline uint64_t Load64(const char* from) {
  uint64_t number;
  std::memcpy(&number, from, sizeof number);
  return number;
}
inline uint64_t Load32(const char* from) {
  uint32_t number;
  std::memcpy(&number, from, sizeof number);
  return number;
}
// Fewer than eight bytes, in moves that may overlap.
inline uint64_t LoadTail(const char* from, size_t count) {
  if ((count & 4) != 0) return Load32(from) | Load32(from + count - 4) << (8 * (count - 4));
  const auto byte = [&](size_t i) { return static_cast<uint64_t>(static_cast<uint8_t>(from[i])); };
  return count == 0 ? 0 : byte(0) | byte(count / 2) << (8 * (count / 2)) | byte(count - 1) << (8 * (count - 1));
}

// Sizes from which a fingerprint is another formula.
inline constinit ChoicePoint text_from_4("fingerprint of a text below 8 bytes: below 4, or from there");
inline constinit ChoicePoint text_from_8("fingerprint of a text of 16 bytes at most: below 8, or from there");
inline constinit ChoicePoint text_beyond_16("fingerprint of a text: 16 bytes at most, or more");
inline constinit ChoicePoint text_beyond_32("fingerprint of a text of 17 to 64 bytes: 32 at most, or more");
inline constinit ChoicePoint text_beyond_64("fingerprint of a text beyond 16 bytes: 64 at most, or more");

// FarmHash's Fingerprint64.
class FarmHash {
 public:
  static uint64_t Of(std::string_view text) {
    const char* const s = text.data();
    const size_t n = text.size();
    if (!text_beyond_16.Chosen(n > 16)) return Short(s, n);
    return text_beyond_64.Chosen(n > 64) ? Long(s, n) : Medium(s, n);
  }
  // One fingerprint of two.
  static uint64_t Cat(uint64_t first, uint64_t second) {
    constexpr uint64_t mul = 0xc6a4a7935bd1e995;
    uint64_t both = (first ^ mul ^ Shift(second * mul) * mul) * mul;
    both = Shift(both) * mul;
    return Shift(both);
  }

 protected:
  static constexpr uint64_t k0 = 0xc3a5c85c97cb3127, k1 = 0xb492b66fbe98f273, k2 = 0x9ae16a3b2f90404f;

  static uint64_t Shift(uint64_t x) { return x ^ x >> 47; }
  static uint64_t Fold(uint64_t low, uint64_t high, uint64_t mul) {
    const uint64_t a = Shift((low ^ high) * mul);
    return Shift((high ^ a) * mul) * mul;
  }

  static uint64_t Short(const char* s, size_t n) {
    const uint64_t mul = k2 + n * 2;
    if (text_from_8.Chosen(n >= 8)) {
      const uint64_t first = Load64(s) + k2, last = Load64(s + n - 8);
      return Fold(std::rotr(last, 37) * mul + first, (std::rotr(first, 25) + last) * mul, mul);
    }
    if (text_from_4.Chosen(n >= 4)) return Fold(n + Load32(s) * 8, Load32(s + n - 4), mul);
    if (n == 0) return k2;
    const auto byte = [s](size_t i) -> uint64_t { return static_cast<unsigned char>(s[i]); };
    return Shift((byte(0) + byte(n >> 1) * 256) * k2 ^ (n + byte(n - 1) * 4) * k0) * k2;
  }

  static uint64_t Medium(const char* s, size_t n) {
    const bool one = !text_beyond_32.Chosen(n > 32);
    const uint64_t mul = k2 + n * 2;
    const uint64_t a = Load64(s) * (one ? k1 : k2), b = Load64(s + 8);
    const uint64_t c = Load64(s + n - 8) * mul, d = Load64(s + n - 16) * k2;
    const uint64_t low = std::rotr(a + b, 43) + std::rotr(c, 30) + d;
    const uint64_t high = Fold(low, a + std::rotr(b + k2, 18) + c, mul);
    if (one) return high;
    const uint64_t e = Load64(s + 16) * mul, f = Load64(s + 24);
    const uint64_t g = (low + Load64(s + n - 32)) * mul, h = (high + Load64(s + n - 24)) * mul;
    return Fold(std::rotr(e + f, 43) + std::rotr(g, 30) + h, e + std::rotr(f + a, 18) + g, mul);
  }

  struct Half {
    uint64_t first = 0, second = 0;
    // 32 bytes at `s`.
    static Half Of(const char* s, uint64_t a, uint64_t b) {
      a += Load64(s);
      b = std::rotr(b + a + Load64(s + 24), 21);
      const uint64_t sum = a + Load64(s + 8) + Load64(s + 16);
      return {sum + Load64(s + 24), b + std::rotr(sum, 44) + a};
    }
  };

  // What is known of the blocks of 64 bytes so far.
  struct State {
    uint64_t x, y, z;
    Half v, w;

    void Add(const char* at, uint64_t mul, uint64_t weight) {
      x = std::rotr(x + y + v.first + Load64(at + 8), 37) * mul ^ w.second * weight;
      y = std::rotr(y + v.second + Load64(at + 48), 42) * mul + v.first * weight + Load64(at + 40);
      z = std::rotr(z + w.first, 33) * mul;
      v = Half::Of(at, v.second * mul, x + w.first);
      w = Half::Of(at + 32, z + w.second, y + Load64(at + 16));
      std::swap(x, z);
    }
  };

  static uint64_t Long(const char* s, size_t n) {
    const char* const last = s + n - 64;
    State state{81 * k2 + Load64(s), 81 * k1 + 113, Shift((81 * k1 + 113) * k2 + 113) * k2, {}, {}};
    for (; s < last; s += 64) state.Add(s, k1, 1);
    auto& [x, y, z, v, w] = state;
    const uint64_t mul = k1 + ((z & 0xff) << 1);
    w.first += (n - 1) & 63;
    v.first += w.first;
    w.first += v.first;
    state.Add(last, mul, 9);
    return Fold(Fold(v.first, w.first, mul) + Shift(y) * k0 + z, Fold(v.second, w.second, mul) + x, mul);
  }
};

}  // namespace plumb::fast::cpu

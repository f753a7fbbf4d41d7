// Fingerprints of 128 bits.
#pragma once

#include "fastpath/cpu/lib/fingerprint.h"

namespace plumb::fast::cpu {

inline constinit ChoicePoint wide_text("wide fingerprint of a text: below 144 bytes, or from there");
inline constinit ChoicePoint wide_rest("wide fingerprint behind the first 16 bytes: 16 more at most, or more");

struct WidePrint {
  uint64_t low, high;
};

// FarmHash's Fingerprint128.
class WideFarmHash : private FarmHash {
 public:
  static WidePrint Of(std::string_view text) {
    const char* const s = text.data();
    const size_t n = text.size();
    if (n < 16) return OfFew(s, n, {k0, k1});
    const WidePrint seed = {Load64(s), Load64(s + 8) + k0};
    return wide_text.Chosen(n >= 144) ? OfMany(s + 16, n - 16, seed) : OfFew(s + 16, n - 16, seed);
  }

 private:
  static uint64_t Fold(uint64_t low, uint64_t high) { return FarmHash::Fold(low, high, 0x9ddfea08eb382d69); }

  // Fewer than 128 bytes.
  static WidePrint OfFew(const char* s, size_t n, WidePrint seed) {
    uint64_t a = seed.low, b = seed.high, c = 0, d = 0;
    if (wide_rest.Chosen(n > 16)) {
      c = Fold(Load64(s + n - 8) + k1, a);
      d = Fold(b + n, c + Load64(s + n - 16));
      a += d;
      for (const char* const last = s + n - 16; s < last; s += 16) {
        a = (a ^ Shift(Load64(s) * k1) * k1) * k1;
        c = (c ^ Shift(Load64(s + 8) * k1) * k1) * k1;
        b ^= a;
        d ^= c;
      }
    } else {
      a = Shift(a * k1) * k1;
      c = b * k1 + Short(s, n);
      d = Shift(a + (n >= 8 ? Load64(s) : c));
    }
    const uint64_t low = Fold(a, c), high = Fold(d, b);
    return {low ^ high, Fold(high, low)};
  }

  static WidePrint OfMany(const char* s, size_t n, WidePrint seed) {
    const char* const end = s + n;
    State state;
    auto& [x, y, z, v, w] = state;
    x = seed.low;
    y = seed.high;
    z = n * k1;
    v.first = std::rotr(y ^ k1, 49) * k1 + Load64(s);
    v.second = std::rotr(v.first, 42) * k1 + Load64(s + 8);
    w.first = std::rotr(y + z, 35) * k1 + x;
    w.second = std::rotr(x + Load64(s + 88), 53) * k1;
    for (; end - s >= 128; s += 128) {
      state.Add(s, k1, 1);
      state.Add(s + 64, k1, 1);
    }
    x += std::rotr(v.first + z, 49) * k0;
    y = y * k0 + std::rotr(w.second, 37);
    z = z * k0 + std::rotr(w.first, 27);
    w.first *= 9;
    v.first *= k0;
    for (const char* at = end; at > s;) {  // 32 bytes at a time, from the back
      at -= 32;
      y = std::rotr(x + y, 42) * k0 + v.second;
      w.first += Load64(at + 16);
      x = x * k0 + w.first;
      z += w.second + Load64(at);
      w.second += v.first;
      v = Half::Of(at, v.first + z, v.second);
      v.first *= k0;
    }
    x = Fold(x, v.first);
    y = Fold(y + z, w.first);
    return {Fold(x + v.second, w.second) + y, Fold(x + w.second, y + v.second)};
  }
};

}  // namespace plumb::fast::cpu

// Fingerprints of 128 bits.
#pragma once

#include "reference/ops/lib/fingerprint.h"

namespace plumb::reference {

inline uint64_t Paired(uint64_t u, uint64_t v) { return Together(u, v, 0x9ddfea08eb382d69); }

// Of fewer than 128 bytes, from what is known of those before.
inline Pair WideOfFew(const std::string& s, Pair seed) {
  const size_t n = s.size();
  uint64_t a = seed.first, b = seed.second, c = 0, d = 0;
  if (n <= 16) {
    a = Mixed(a * kFarm1) * kFarm1;
    c = b * kFarm1 + FarmUpTo16(s);
    d = Mixed(a + (n >= 8 ? NumberAt(s, 0) : c));
  } else {
    c = Paired(NumberAt(s, n - 8) + kFarm1, a);
    d = Paired(b + n, c + NumberAt(s, n - 16));
    a += d;
    for (size_t at = 0; at + 16 < n; at += 16) {
      a = (a ^ Mixed(NumberAt(s, at) * kFarm1) * kFarm1) * kFarm1;
      b ^= a;
      c = (c ^ Mixed(NumberAt(s, at + 8) * kFarm1) * kFarm1) * kFarm1;
      d ^= c;
    }
  }
  a = Paired(a, c);
  b = Paired(d, b);
  return {a ^ b, Paired(b, a)};
}

// Of 128 bytes and more: pairs of blocks, and then the rest from the back, in pieces of 32 bytes.
inline Pair WideOfMany(const std::string& s, Pair seed) {
  const size_t n = s.size();
  FarmState state;
  auto& [x, y, z, v, w] = state;
  x = seed.first;
  y = seed.second;
  z = n * kFarm1;
  v.first = RotatedRight(y ^ kFarm1, 49) * kFarm1 + NumberAt(s, 0);
  v.second = RotatedRight(v.first, 42) * kFarm1 + NumberAt(s, 8);
  w.first = RotatedRight(y + z, 35) * kFarm1 + x;
  w.second = RotatedRight(x + NumberAt(s, 88), 53) * kFarm1;
  const size_t whole = n / 128 * 128;
  for (size_t at = 0; at < whole; at += 64) state.Block(s, at, kFarm1, 1);
  x += RotatedRight(v.first + z, 49) * kFarm0;
  y = y * kFarm0 + RotatedRight(w.second, 37);
  z = z * kFarm0 + RotatedRight(w.first, 27);
  w.first *= 9;
  v.first *= kFarm0;
  for (size_t done = 32; done < n - whole + 32; done += 32) {
    y = RotatedRight(x + y, 42) * kFarm0 + v.second;
    w.first += NumberAt(s, n - done + 16);
    x = x * kFarm0 + w.first;
    z += w.second + NumberAt(s, n - done);
    w.second += v.first;
    v = Weak(s, n - done, v.first + z, v.second);
    v.first *= kFarm0;
  }
  x = Paired(x, v.first);
  y = Paired(y + z, w.first);
  return {Paired(x + v.second, w.second) + y, Paired(x + w.second, y + v.second)};
}

// FarmHash's Fingerprint128, the low half first.
inline Pair WideFarmHash(const std::string& s) {
  if (s.size() < 16) return WideOfFew(s, {kFarm0, kFarm1});
  const Pair seed = {NumberAt(s, 0), NumberAt(s, 8) + kFarm0};
  const std::string rest = s.substr(16);
  return rest.size() < 128 ? WideOfFew(rest, seed) : WideOfMany(rest, seed);
}

}  // namespace plumb::reference

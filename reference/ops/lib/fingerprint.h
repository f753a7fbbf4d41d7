// Fingerprints of texts that TensorFlow keeps for ever.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <utility>

namespace plumb::reference {

// Little-endian number of `count` bytes at `at`.
inline uint64_t NumberAt(const std::string& text, size_t at, int count = 8) {
  uint64_t number = 0;
  for (int i = count - 1; i >= 0; --i) number = number << 8 | static_cast<unsigned char>(text[at + i]);
  return number;
}
inline uint64_t RotatedRight(uint64_t x, int bits) { return std::rotr(x, bits); }

constexpr uint64_t kFarm0 = 0xc3a5c85c97cb3127, kFarm1 = 0xb492b66fbe98f273, kFarm2 = 0x9ae16a3b2f90404f;

inline uint64_t Mixed(uint64_t x) { return x ^ x >> 47; }
inline uint64_t Together(uint64_t u, uint64_t v, uint64_t factor) {
  const uint64_t a = Mixed((u ^ v) * factor);
  return Mixed((v ^ a) * factor) * factor;
}

inline uint64_t FarmUpTo16(const std::string& s) {
  const size_t n = s.size();
  const uint64_t factor = kFarm2 + 2 * n;
  if (n >= 8) {
    const uint64_t a = NumberAt(s, 0) + kFarm2, b = NumberAt(s, n - 8);
    return Together(RotatedRight(b, 37) * factor + a, (RotatedRight(a, 25) + b) * factor, factor);
  }
  if (n >= 4) return Together(n + (NumberAt(s, 0, 4) << 3), NumberAt(s, n - 4, 4), factor);
  if (n == 0) return kFarm2;
  const uint64_t y = NumberAt(s, 0, 1) + (NumberAt(s, n / 2, 1) << 8), z = n + (NumberAt(s, n - 1, 1) << 2);
  return Mixed(y * kFarm2 ^ z * kFarm0) * kFarm2;
}

inline uint64_t FarmUpTo64(const std::string& s) {
  const size_t n = s.size();
  const uint64_t factor = kFarm2 + 2 * n;
  const uint64_t a = NumberAt(s, 0) * (n <= 32 ? kFarm1 : kFarm2), b = NumberAt(s, 8);
  const uint64_t c = NumberAt(s, n - 8) * factor, d = NumberAt(s, n - 16) * kFarm2;
  const uint64_t y = RotatedRight(a + b, 43) + RotatedRight(c, 30) + d;
  const uint64_t z = Together(y, a + RotatedRight(b + kFarm2, 18) + c, factor);
  if (n <= 32) return z;
  const uint64_t e = NumberAt(s, 16) * factor, f = NumberAt(s, 24);
  const uint64_t g = (y + NumberAt(s, n - 32)) * factor, h = (z + NumberAt(s, n - 24)) * factor;
  return Together(RotatedRight(e + f, 43) + RotatedRight(g, 30) + h, e + RotatedRight(f + a, 18) + g, factor);
}

using Pair = std::pair<uint64_t, uint64_t>;

inline Pair Weak(const std::string& s, size_t at, uint64_t a, uint64_t b) {
  const uint64_t last = NumberAt(s, at + 24);
  a += NumberAt(s, at);
  b = RotatedRight(b + a + last, 21);
  const uint64_t first = a;
  a += NumberAt(s, at + 8) + NumberAt(s, at + 16);
  return {a + last, b + RotatedRight(a, 44) + first};
}

// What is known of the blocks of 64 bytes so far.
struct FarmState {
  uint64_t x = 81 * kFarm2, y = 81 * kFarm1 + 113, z = Mixed((81 * kFarm1 + 113) * kFarm2 + 113) * kFarm2;
  Pair v, w;

  void Block(const std::string& s, size_t at, uint64_t factor, uint64_t weight) {
    x = RotatedRight(x + y + v.first + NumberAt(s, at + 8), 37) * factor;
    y = RotatedRight(y + v.second + NumberAt(s, at + 48), 42) * factor;
    x ^= w.second * weight;
    y += v.first * weight + NumberAt(s, at + 40);
    z = RotatedRight(z + w.first, 33) * factor;
    v = Weak(s, at, v.second * factor, x + w.first);
    w = Weak(s, at + 32, z + w.second, y + NumberAt(s, at + 16));
    std::swap(z, x);
  }
};

// FarmHash's Fingerprint64.
inline uint64_t FarmHash(const std::string& s) {
  if (s.size() <= 16) return FarmUpTo16(s);
  if (s.size() <= 64) return FarmUpTo64(s);
  FarmState state;
  state.x += NumberAt(s, 0);
  for (size_t at = 0; at + 64 < s.size(); at += 64) state.Block(s, at, kFarm1, 1);
  const uint64_t factor = kFarm1 + ((state.z & 0xff) << 1);
  state.w.first += (s.size() - 1) % 64;
  state.v.first += state.w.first;
  state.w.first += state.v.first;
  state.Block(s, s.size() - 64, factor, 9);
  return Together(Together(state.v.first, state.w.first, factor) + Mixed(state.y) * kFarm0 + state.z,
                  Together(state.v.second, state.w.second, factor) + state.x, factor);
}

// One fingerprint of two.
inline uint64_t CatFingerprints(uint64_t first, uint64_t second) {
  constexpr uint64_t kFactor = 0xc6a4a7935bd1e995;
  const uint64_t both = (first ^ kFactor ^ Mixed(second * kFactor) * kFactor) * kFactor;
  return Mixed(Mixed(both) * kFactor);
}

}  // namespace plumb::reference

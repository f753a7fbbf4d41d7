// The innermost lines of strided copies: one element repeated, and lines of a few bytes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace plumb::fast::cpu {

// Sets n elements at `to` to one value. Of plain data a first block is written element by element and copied from there
// on, in the widest moves that the machine has.
template <class T>
void FillLine(const T& value, T* to, int64_t n) {
  constexpr int64_t kBlock = std::max<int64_t>(1, 1024 / static_cast<int64_t>(sizeof(T)));
  const int64_t first = std::is_trivially_copyable_v<T> ? std::min(n, kBlock) : n;
  const T copy = value;
  std::fill_n(to, first, copy);
  if constexpr (std::is_trivially_copyable_v<T>) {
    for (int64_t i = first; i < n; i += kBlock) {
      std::memcpy(to + i, to, static_cast<size_t>(std::min(kBlock, n - i)) * sizeof(T));
    }
  }
}

// n elements, so many apart.
template <class T>
void CopyLine(const T* from, int64_t from_stride, T* to, int64_t to_stride, int64_t n) {
  if (from_stride == 1 && to_stride == 1) {
    std::copy(from, from + n, to);
  } else if (from_stride == 0 && to_stride == 1) {
    FillLine(*from, to, n);
  } else {
    for (int64_t i = 0; i < n; ++i) to[i * to_stride] = from[i * from_stride];
  }
}

constexpr int64_t kShortLine = 64;  // bytes

// Copies `count` lines of `bytes` bytes, whose beginnings are so many bytes apart.
using ShortLines = void (*)(const char* from, int64_t from_step, char* to, int64_t to_step, int64_t count,
                            size_t bytes);

// Two moves of a word, which may overlap, for lines of one to two words.
template <size_t word>
void CopyByWords(const char* from, int64_t from_step, char* to, int64_t to_step, int64_t count, size_t bytes) {
  const size_t last = bytes - word;
  for (int64_t i = 0; i < count; ++i, from += from_step, to += to_step) {
    std::memcpy(to, from, word);
    std::memcpy(to + last, from + last, word);
  }
}

// Of lines of one byte to kShortLine.
inline ShortLines ShortLinesOf(size_t bytes) {
  if (bytes > 32) return CopyByWords<32>;
  if (bytes > 16) return CopyByWords<16>;
  if (bytes >= 8) return CopyByWords<8>;
  if (bytes >= 4) return CopyByWords<4>;
  return bytes >= 2 ? CopyByWords<2> : CopyByWords<1>;
}

}  // namespace plumb::fast::cpu

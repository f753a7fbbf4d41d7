// Many blocks of Philox at once, in vectors.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "fastpath/formulas/philox.h"

namespace plumb::fast::cpu {

// Four words, of each pair the first one in the lower half.
using WordPairs = std::array<uint64_t, 2>;
inline Philox::Block WordsOf(const WordPairs& pairs) { return std::bit_cast<Philox::Block>(pairs); }

// The next block of `first`, and that of each `step` blocks later, `count` in all.
void PhiloxBlocks(const Philox& first, uint64_t step, int64_t count, WordPairs* blocks);

// Calls use(i, blocks) for i in [begin, end): `kEach` consecutive blocks, of which the first lies i·step behind the
// next of `start`.
template <size_t kEach, class F>
void ForPhiloxBlocks(const Philox& start, uint64_t step, int64_t begin, int64_t end, const F& use) {
  constexpr int64_t kMany = 64;
  std::array<std::array<WordPairs, kMany>, kEach> rows;
  for (int64_t at = begin; at < end; at += kMany) {
    const int64_t count = std::min(kMany, end - at);
    Philox generator = start;
    generator.Skip(static_cast<uint64_t>(at) * step);
    for (auto& row : rows) {
      PhiloxBlocks(generator, step, count, row.data());
      generator.Skip(1);
    }
    for (int64_t i = 0; i < count; ++i) {
      std::array<Philox::Block, kEach> blocks;
      for (size_t k = 0; k < kEach; ++k) blocks[k] = WordsOf(rows[k][static_cast<size_t>(i)]);
      use(at + i, blocks);
    }
  }
}

}  // namespace plumb::fast::cpu

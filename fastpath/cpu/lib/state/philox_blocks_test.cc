#include "fastpath/cpu/lib/state/philox_blocks.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace plumb::fast::cpu {
namespace {

// One after the other.
Philox::Block BlockAt(Philox generator, uint64_t blocks) {
  generator.Skip(blocks);
  return generator.Next();
}

void ExpectBlocks(const Philox& first) {
  for (const uint64_t step : {1, 256}) {
    for (int64_t count = 0; count <= 35; ++count) {
      std::vector<WordPairs> blocks(static_cast<size_t>(count) + 1, WordPairs{7, 7});
      PhiloxBlocks(first, step, count, blocks.data());
      for (int64_t i = 0; i < count; ++i) {
        ASSERT_EQ(WordsOf(blocks[static_cast<size_t>(i)]), BlockAt(first, static_cast<uint64_t>(i) * step));
      }
      ASSERT_EQ(blocks.back(), (WordPairs{7, 7}));
    }
  }
}

TEST(PhiloxBlocks, AreThoseOfOneGenerator) {
  ExpectBlocks(Philox(12345, 67890));
  ExpectBlocks(PhiloxAt(~uint64_t{0}, ~uint64_t{0} >> 32, ~uint64_t{0}));  // a carry into the second word
  ExpectBlocks(PhiloxAt(3, ~uint64_t{0} - 5, ~uint64_t{0} >> 32));         // and one into the upper half
}

TEST(PhiloxBlocks, ComeInOrderFromAnyPlace) {
  const Philox start(1, 2);
  for (const auto& [begin, end] : {std::pair<int64_t, int64_t>{0, 1}, {3, 70}, {60, 200}}) {
    int64_t next = begin;
    ForPhiloxBlocks<2>(start, 4, begin, end, [&](int64_t i, const std::array<Philox::Block, 2>& blocks) {
      ASSERT_EQ(i, next++);
      ASSERT_EQ(blocks[0], BlockAt(start, static_cast<uint64_t>(4 * i)));
      ASSERT_EQ(blocks[1], BlockAt(start, static_cast<uint64_t>(4 * i + 1)));
    });
    EXPECT_EQ(next, end);
  }
}

}  // namespace
}  // namespace plumb::fast::cpu

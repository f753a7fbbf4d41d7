#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/kernel_harness.h"
#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

// R78.
TEST(RandomShuffle, PermutesRowsByTheWordsOfTheStream) {
  KernelHarness harness;
  const AttrMap attrs = {{"seed", 1}, {"seed2", 2}};
  const Tensor rows = MakeTensor<int32_t>({3, 2}, {0, 0, 1, 1, 2, 2});
  std::vector<int32_t> order = {0, 1, 2};
  std::swap(order[0], order[0xe73404cfu % 3]);
  std::swap(order[1], order[1 + 0x8cedc5d3u % 2]);
  std::vector<int32_t> expected;
  for (const int32_t row : order) expected.insert(expected.end(), {row, row});
  EXPECT_EQ(Values<int32_t>(harness.Value("RandomShuffle", {In(rows)}, attrs)), expected);
  const Tensor one = MakeTensor<std::string>({1, 2}, {"a", "b"});
  EXPECT_TRUE(harness.Value("RandomShuffle", {In(one)}, attrs).BitwiseEquals(one));
}

}  // namespace
}  // namespace plumb::fast::cpu

#include "reference/numbers/philox.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plumb::reference {
namespace {

using ::testing::ElementsAre;

// R75.
TEST(Philox, KnownAnswers) {
  EXPECT_THAT(Philox(0, 0).Next(), ElementsAre(0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8));
  EXPECT_THAT(Philox(1, 2).Next(), ElementsAre(0xe73404cf, 0x8cedc5d3, 0x3f071736, 0x0a0afddd));
  EXPECT_THAT(Philox(12345, 67890).Next(), ElementsAre(0x4f1c872f, 0x1e4639ba, 0x413ae3bc, 0xbd67db05));
  EXPECT_THAT(Philox(87654321, 0).Next(), ElementsAre(0x158ce911, 0x56fc2e6d, 0xe46ca44e, 0x4a862e15));
}

TEST(Philox, SkippingIsDrawing) {
  Philox drawn(1, 2), skipped(1, 2);
  for (int i = 0; i < 5; ++i) drawn.Next();
  skipped.Skip(5);
  EXPECT_EQ(drawn.Next(), skipped.Next());
}

TEST(Philox, TheCounterCarries) {
  Philox twice(1, 0), carried(1, 1);  // seed2 is the counter's upper half
  twice.Skip(UINT64_MAX);
  twice.Skip(1);
  EXPECT_EQ(twice.Next(), carried.Next());
}

TEST(Philox, WordsComeInTheOrderOfBlocks) {
  Philox blocks(3, 4);
  PhiloxWords words((Philox(3, 4)));
  for (int block = 0; block < 3; ++block) {
    for (const uint32_t word : blocks.Next()) EXPECT_EQ(words.Next(), word);
  }
}

}  // namespace
}  // namespace plumb::reference

#include "fastpath/formulas/philox.h"

#include <gtest/gtest.h>

namespace plumb::fast {
namespace {

// R75.
TEST(Philox, GivesThePublishedWords) {
  using Block = Philox::Block;
  EXPECT_EQ(Philox().Next(), (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(Philox(1, 2).Next(), (Block{0xe73404cf, 0x8cedc5d3, 0x3f071736, 0x0a0afddd}));
  EXPECT_EQ(Philox(12345, 67890).Next(), (Block{0x4f1c872f, 0x1e4639ba, 0x413ae3bc, 0xbd67db05}));
  EXPECT_EQ(Philox(87654321, 0).Next(), (Block{0x158ce911, 0x56fc2e6d, 0xe46ca44e, 0x4a862e15}));
}

TEST(Philox, SkippingEqualsDrawing) {
  Philox drawn(3, 4), skipped(3, 4);
  for (int i = 0; i < 5; ++i) drawn.Next();
  skipped.Skip(5);
  EXPECT_EQ(drawn.Next(), skipped.Next());
  Philox once(3, 4), twice(3, 4);  // the carry out of the low word
  once.Skip((uint64_t{1} << 32) + 1);
  twice.Skip(0xffffffff);
  twice.Skip(2);
  EXPECT_EQ(once.Next(), twice.Next());
}

}  // namespace
}  // namespace plumb::fast

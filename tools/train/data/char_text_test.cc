#include "tools/train/data/char_text.h"

#include <gtest/gtest.h>

namespace plumb::tools {
namespace {

std::vector<int32_t> Numbers(const Tensor& tensor) {
  return {tensor.data<int32_t>().begin(), tensor.data<int32_t>().end()};
}

TEST(Alphabet, NumbersTheCharactersInByteOrder) {
  const Alphabet alphabet("banana");
  EXPECT_EQ(alphabet.size(), 3);
  EXPECT_EQ(alphabet.Encode("nab"), (std::vector<int32_t>{2, 0, 1}));
  EXPECT_THROW(alphabet.Encode("x"), Error);
}

TEST(TextStreams, ReadsStreamsSideBySide) {
  TextStreams streams({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 2, 2);  // streams 0…4 and 5…9
  EXPECT_EQ(streams.steps_per_pass(), 2);
  const auto first = streams.Next();
  EXPECT_TRUE(first.starts_over);
  EXPECT_EQ(Numbers(first.inputs), (std::vector<int32_t>{0, 5, 1, 6}));
  EXPECT_EQ(Numbers(first.targets), (std::vector<int32_t>{1, 6, 2, 7}));
  const auto second = streams.Next();
  EXPECT_FALSE(second.starts_over);
  EXPECT_EQ(Numbers(second.inputs), (std::vector<int32_t>{2, 7, 3, 8}));
  EXPECT_TRUE(streams.Next().starts_over);
}

TEST(TextStreams, RefusesATextThatIsTooShort) {
  EXPECT_THROW(TextStreams({0, 1, 2, 3}, 2, 2), Error);
  EXPECT_THROW(TextStreams({0, 1, 2, 3}, 0, 2), Error);
}

}  // namespace
}  // namespace plumb::tools

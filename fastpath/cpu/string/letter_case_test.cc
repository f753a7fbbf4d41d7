#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using ::testing::ElementsAre;

TEST(StringLower, KnowsAsciiOrUnicode) {
  const Tensor texts = MakeVector<std::string>({"Ab-Z", "ÄB"});
  EXPECT_THAT(Values<std::string>(RunKernel1("StringLower", {texts})), ElementsAre("ab-z", "Äb"));
  EXPECT_THAT(Values<std::string>(RunKernel1("StringLower", {texts}, {{"encoding", "utf-8"}})),
              ElementsAre("ab-z", "äb"));
  EXPECT_THAT(
      Values<std::string>(RunKernel1("StringUpper", {MakeVector<std::string>({"aß"})}, {{"encoding", "utf-8"}})),
      ElementsAre("ASS"));
  EXPECT_EQ(CodeOfKernel("StringLower", {texts}, {{"encoding", "latin"}}), Code::kInvalidArgument);
  const Tensor nul = MakeVector<std::string>({std::string("A\0B", 3)});
  EXPECT_THAT(Values<std::string>(RunKernel1("StringLower", {nul})), ElementsAre(std::string("a\0b", 3)));
  EXPECT_THAT(Values<std::string>(RunKernel1("StringLower", {nul}, {{"encoding", "utf-8"}})), ElementsAre("a"))
      << "as TensorFlow 2.12.1 answers";
}

TEST(StringNGrams, PadsRows) {
  const auto ngrams = [](int64_t pads) {
    return RunKernel("StringNGrams", {MakeVector<std::string>({"a", "b", "c"}), MakeVector<int64_t>({0, 2, 3})},
                     {{"separator", "|"},
                      {"ngram_widths", std::vector<int64_t>{2}},
                      {"left_pad", "<"},
                      {"right_pad", ">"},
                      {"pad_width", pads},
                      {"preserve_short_sequences", true}});
  };
  EXPECT_THAT(Values<std::string>(ngrams(-1)[0]), ElementsAre("<|a", "a|b", "b|>", "<|c", "c|>"));
  EXPECT_THAT(Values<int64_t>(ngrams(-1)[1]), ElementsAre(0, 3, 5));
  EXPECT_THAT(Values<std::string>(ngrams(0)[0]), ElementsAre("a|b", "c"));
}

}  // namespace
}  // namespace plumb::fast::cpu

// Hashes, base64 and regular expressions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using ::testing::ElementsAre;

Tensor Texts(std::initializer_list<std::string> texts) { return MakeVector<std::string>(texts); }

// "abc…zabc…", of this length.
std::string Letters(int count) {
  std::string letters;
  for (int i = 0; i < count; ++i) letters += static_cast<char>('a' + i % 26);
  return letters;
}

// Computed with FarmHash's own code, on both sides of each length from which it is another formula.
TEST(Hash, OfEveryLengthIsFarmHash) {
  const Tensor texts = Texts({"", Letters(3), Letters(4), Letters(7), Letters(8), Letters(16), Letters(17), Letters(32),
                              Letters(33), Letters(64), Letters(65), Letters(128), Letters(129)});
  EXPECT_THAT(Values<int64_t>(RunKernel1("StringToHashBucketFast", {texts}, {{"num_buckets", 1000}})),
              ElementsAre(263, 385, 985, 229, 497, 621, 400, 610, 594, 578, 154, 66, 628));
}

TEST(Hash, TheStrongOneHasAKeyOfTwoNumbers) {
  const auto key = [](std::vector<int64_t> numbers) {
    return AttrMap{{"num_buckets", 10}, {"key", std::move(numbers)}};
  };
  const Tensor texts = Texts({"a", "b", "c"});
  EXPECT_THAT(Values<int64_t>(RunKernel1("StringToHashBucketStrong", {texts}, key({98765, 132}))),
              ElementsAre(4, 2, 8));
  EXPECT_EQ(CodeOfKernel("StringToHashBucketStrong", {texts}, key({1})), Code::kInvalidArgument);
  EXPECT_THAT(Values<int64_t>(RunKernel1("StringToHashBucket", {texts}, {{"num_buckets", 10}})), ElementsAre(8, 0, 7));
}

TEST(Base64, HasLettersForUrls) {
  EXPECT_THAT(
      Values<std::string>(RunKernel1("EncodeBase64", {Texts({"\xfb\xef\xfe", "\xff", "ab", ""})}, {{"pad", true}})),
      ElementsAre("--_-", "_w==", "YWI=", ""));
  EXPECT_THAT(Values<std::string>(RunKernel1("DecodeBase64", {Texts({"--_-", "_w==", "_w", "YWI=", "YWI", ""})})),
              ElementsAre("\xfb\xef\xfe", "\xff", "\xff", "ab", "ab", ""));
  for (const char* text : {"a", "ab+=", "a===", "====", "ab=", "abcd="}) {
    EXPECT_EQ(CodeOfKernel("DecodeBase64", {Texts({text})}), Code::kInvalidArgument) << text;
  }
}

TEST(Regex, ReplacesAndMatches) {
  const auto replace = [](std::string rewrite, bool global) {
    return Values<std::string>(
        RunKernel1("StaticRegexReplace", {Texts({"aba"})},
                   {{"pattern", "a"}, {"rewrite", std::move(rewrite)}, {"replace_global", global}}));
  };
  EXPECT_THAT(replace("<\\0>", true), ElementsAre("<a>b<a>"));
  EXPECT_THAT(replace("x", false), ElementsAre("xba"));
  EXPECT_EQ(CodeOfKernel("RegexFullMatch", {Texts({"a"}), MakeScalar<std::string>("a[")}), Code::kInvalidArgument);
  EXPECT_THAT(Values<bool>(RunKernel1("StaticRegexFullMatch", {Texts({"ab", "abc"})}, {{"pattern", "a."}})),
              ElementsAre(true, false));
}

TEST(StringStrip, TakesWhiteSpaceOffBothEnds) {
  EXPECT_THAT(Values<std::string>(RunKernel1("StringStrip", {Texts({" a b\n", "\t ", "c"})})),
              ElementsAre("a b", "", "c"));
}

}  // namespace
}  // namespace plumb::fast::cpu

#include <gmock/gmock.h>

#include "reference/kernel/kernel_testing.h"
#include "reference/ops/string/unicode_text.h"

namespace plumb::reference {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Tensor Texts(std::initializer_list<std::string> texts) { return MakeVector<std::string>(texts); }

std::vector<std::string> Strings(const Value& value) {
  const auto data = value.tensor.data<std::string>();
  return {data.begin(), data.end()};
}

TEST(ReduceJoin, WalksTheFirstNamedAxisFirst) {
  const Tensor matrix = MakeTensor<std::string>({2, 2}, {"a", "b", "c", "d"});
  const auto join = [&](Tensor axes) {
    return KernelCall{"ReduceJoin", {matrix, axes}, {{"keep_dims", false}, {"separator", ""}}, {DType::kString}};
  };
  EXPECT_THAT(Strings(join(Ints({0, 1}))()), ElementsAre("acbd"));
  EXPECT_THAT(Strings(join(Ints({1, 0}))()), ElementsAre("abcd"));
  EXPECT_THAT(Strings(join(Ints({-2}))()), ElementsAre("ac", "bd"));
  EXPECT_EQ(join(Ints({2})).Fails(), Code::kOutOfRange);
  EXPECT_EQ(join(Ints({0, -2})).Fails(), Code::kInvalidArgument);
}

TEST(UnsortedSegmentJoin, PutsTheSeparatorBehindWhatIsThere) {
  const KernelCall join{"UnsortedSegmentJoin",
                        {Texts({"a", "", "c", "d"}), Ints({1, 0, 0, 1}), Int(3)},
                        {{"separator", "-"}},
                        {DType::kString}};
  EXPECT_THAT(Strings(join()), ElementsAre("c", "a-d", ""));
  const KernelCall deep{
      "UnsortedSegmentJoin", {Texts({"a"}), MakeTensor<int32_t>({1, 1}, {0}), Int(1)}, {{"separator", "-"}}};
  EXPECT_EQ(deep.Fails(), Code::kOutOfRange) << "segment ids of more dimensions than the strings have";
}

std::vector<std::string> Cut(std::string text, int pos, int len, std::string unit) {
  const KernelCall call{
      "Substr", {Texts({std::move(text)}), Int(pos), Int(len)}, {{"unit", std::move(unit)}}, {DType::kString}};
  return call.Fails() == Code::kOk ? Strings(call()) : std::vector<std::string>{};
}

TEST(Substr, CountsBytesOrCharacters) {
  EXPECT_THAT(Cut("graph", 1, 2, "BYTE"), ElementsAre("ra"));
  EXPECT_THAT(Cut("graph", -2, 9, "BYTE"), ElementsAre("ph"));
  EXPECT_THAT(Cut("graph", 1, -1, "BYTE"), ElementsAre("raph"));
  EXPECT_THAT(Cut("graph", 6, 1, "BYTE"), IsEmpty());
  EXPECT_THAT(Cut("a\xc3\xbc\xc3\xb6z", 1, 2, "UTF8_CHAR"), ElementsAre("\xc3\xbc\xc3\xb6"));
  EXPECT_THAT(Cut("a\xc3\xbc\xc3\xb6z", -3, 1, "UTF8_CHAR"), ElementsAre("\xc3\xbc"));
  EXPECT_THAT(Cut("abc", 1, -1, "UTF8_CHAR"), ElementsAre(""));
  EXPECT_THAT(Cut("abc", -1, -1, "UTF8_CHAR"), IsEmpty());
}

std::vector<int32_t> CodePoints(const std::string& text, Encoding encoding) {
  std::vector<int32_t> code_points;
  for (const Character& c : Characters(text, encoding)) code_points.push_back(c.malformed ? -c.bytes : c.code_point);
  return code_points;
}

// Unicode 13, section 3.9, "U+FFFD substitution of maximal subparts".
TEST(Unicode, TheLongestBeginningOfACharacterIsMalformedAsAWhole) {
  EXPECT_THAT(CodePoints("\xc0\xaf\xe0\x80\xbf\xf0\x81\x82\x41", Encoding::kUtf8),
              ElementsAre(-1, -1, -1, -1, -1, -1, -1, -1, 0x41));
  EXPECT_THAT(CodePoints("\xe1\x80\xe2\xf0\x91\x92\xf1\xbf\x41", Encoding::kUtf8), ElementsAre(-2, -1, -3, -2, 0x41));
  EXPECT_THAT(CodePoints("\xed\xa0\x80\xf0\x9f\x98\x80", Encoding::kUtf8), ElementsAre(-1, -1, -1, 0x1f600));
  for (const char* lead : {"\xc2", "\xe1", "\xec", "\xf1"}) {
    EXPECT_THAT(CodePoints(std::string(lead) + "\x7f\x80", Encoding::kUtf8), ElementsAre(-1, 0x7f, -1));
  }
}

// As TensorFlow 2.12 answers.
TEST(Unicode, ReadsCodePages) {
  const auto transcode = [](std::string errors) {
    return KernelCall{"UnicodeTranscode",
                      {Texts({"a\x83\xff\x62\x83\x65"})},
                      {{"input_encoding", "sjis"},
                       {"output_encoding", "UTF-8"},
                       {"errors", std::move(errors)},
                       {"replacement_char", 63},
                       {"replace_control_characters", false}}};
  };
  EXPECT_THAT(Strings(transcode("replace")()), ElementsAre("a??b\xe3\x83\x86"));
  EXPECT_THAT(Strings(transcode("ignore")()), ElementsAre("ab\xe3\x83\x86"));
  EXPECT_EQ(transcode("strict").Fails(), Code::kInvalidArgument);
  const std::vector<Character> read = Characters("\xa4\xa2\xa4z", InputEncoding("EUC-JP"));
  ASSERT_EQ(read.size(), 3u);
  EXPECT_EQ(read[0].code_point, 0x3042);
  EXPECT_EQ(read[0].bytes, 2);
  EXPECT_TRUE(read[1].malformed);
  EXPECT_EQ(read[2].code_point, 'z');
  EXPECT_THROW(InputEncoding("nonsense"), Error);
}

TEST(Unicode, MarksOfOrderArePassedOver) {
  EXPECT_THAT(CodePoints(std::string("\xff\xfe\x61\0", 4), Encoding::kUtf16), ElementsAre(0x61));
  EXPECT_THAT(CodePoints(std::string("\xfe\xff\0\x61", 4), Encoding::kUtf16Be), ElementsAre(0xfeff, 0x61));
  EXPECT_EQ(Characters(std::string("\xff\xfe\x61\0", 4), Encoding::kUtf16)[0].bytes, 4);
  EXPECT_THAT(CodePoints(std::string("\xd8\x3d\xde\0\xdc\0\x61", 7), Encoding::kUtf16Be), ElementsAre(0x1f600, -2, -1));
}

TEST(Unicode, WritesPairsOfSurrogatesAsOneCharacter) {
  EXPECT_EQ(Encoded({0xd83d, 0xde00}, Encoding::kUtf8), "\xf0\x9f\x98\x80");
  EXPECT_EQ(Encoded({0xd83d, 0x61}, Encoding::kUtf8), "\xef\xbf\xbd\x61");
  EXPECT_EQ(Encoded({0x1f600}, Encoding::kUtf16Be), "\xd8\x3d\xde" + std::string(1, '\0'));
}

TEST(StringFormat, PrintsTheEndsOfEachAxis) {
  const KernelCall format{"StringFormat",
                          {Ints({1, 2, 3, 4, 5}), MakeScalar<std::string>("a\"\n")},
                          {{"template", "%s, %s."}, {"placeholder", "%s"}, {"summarize", 2}},
                          {DType::kString}};
  EXPECT_THAT(Strings(format()), ElementsAre("[1 2 ... 4 5], \"a\\\"\\n\"."));
  const KernelCall nested{"StringFormat",
                          {MakeTensor<float>({2, 1}, {0.1f, 1e10f})},
                          {{"template", "%s"}, {"placeholder", "%s"}, {"summarize", 3}},
                          {DType::kString}};
  EXPECT_THAT(Strings(nested()), ElementsAre("[[0.1]\n [1e+10]]"));
}

TEST(AsString, WritesLikePrintf) {
  const auto write = [](Tensor tensor, int64_t width, std::string fill) {
    return KernelCall{
        "AsString",
        {std::move(tensor)},
        {{"precision", -1}, {"scientific", false}, {"shortest", false}, {"width", width}, {"fill", std::move(fill)}},
        {DType::kString}};
  };
  EXPECT_THAT(Strings(write(Ints({-7}), 4, "0")()), ElementsAre("-007"));
  EXPECT_THAT(Strings(write(Vector({0.5f}), -1, "")()), ElementsAre("0.500000"));
  EXPECT_EQ(write(Vector({0.5f}), int64_t{INT32_MIN} - 1, "").Fails(), Code::kInvalidArgument);
  EXPECT_EQ(write(Ints({1}), 4, "x").Fails(), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::reference

// Strings cut, joined along axes, written, and read as characters.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"
#include "fastpath/cpu/string/text_codec.h"

namespace plumb::fast::cpu {
namespace {

using ::testing::ElementsAre;

Tensor Text(std::string text) { return MakeScalar(std::move(text)); }
Tensor Texts(std::initializer_list<std::string> texts) { return MakeVector<std::string>(texts); }
Tensor Int(int32_t value) { return MakeScalar(value); }

TEST(ReduceJoin, WalksTheFirstNamedAxisFirst) {
  const Tensor matrix = MakeTensor<std::string>({2, 2}, {"a", "b", "c", "d"});
  const auto join = [&](Tensor axes) { return Values<std::string>(RunKernel1("ReduceJoin", {matrix, axes})); };
  EXPECT_THAT(join(MakeVector<int32_t>({0, 1})), ElementsAre("acbd"));
  EXPECT_THAT(join(MakeVector<int32_t>({1, 0})), ElementsAre("abcd"));
  EXPECT_THAT(join(MakeVector<int32_t>({-2})), ElementsAre("ac", "bd"));
  EXPECT_EQ(CodeOfKernel("ReduceJoin", {matrix, MakeVector<int32_t>({2})}), Code::kOutOfRange);
}

TEST(UnsortedSegmentJoin, PutsTheSeparatorBehindWhatIsThere) {
  const Tensor joined =
      RunKernel1("UnsortedSegmentJoin", {Texts({"a", "", "c", "d"}), MakeVector<int32_t>({1, 0, 0, 1}), Int(3)},
                 {{"separator", "-"}});
  EXPECT_THAT(Values<std::string>(joined), ElementsAre("c", "a-d", ""));
  EXPECT_EQ(CodeOfKernel("UnsortedSegmentJoin", {Texts({"a"}), MakeVector<int32_t>({-1}), Int(3)}),
            Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("UnsortedSegmentJoin", {Texts({"a"}), MakeTensor<int32_t>({1, 1}, {0}), Int(1)}),
            Code::kOutOfRange);
}

TEST(Substr, CountsBytesOrCharacters) {
  const auto cut = [](std::string text, int pos, int len, std::string unit) {
    return RunKernel1("Substr", {Text(std::move(text)), Int(pos), Int(len)}, {{"unit", std::move(unit)}})
        .scalar<std::string>();
  };
  EXPECT_EQ(cut("graph", -2, 9, "BYTE"), "ph");
  EXPECT_EQ(cut("graph", 1, -1, "BYTE"), "raph");
  EXPECT_EQ(cut("a\xc3\xbc\xc3\xb6z", 1, 2, "UTF8_CHAR"), "\xc3\xbc\xc3\xb6");
  EXPECT_EQ(cut("a\xc3\xbc\xc3\xb6z", -3, 1, "UTF8_CHAR"), "\xc3\xbc");
  EXPECT_THROW(cut("graph", 6, 1, "BYTE"), Error);
  EXPECT_THROW(cut("abc", -1, -1, "UTF8_CHAR"), Error);
}

// More than one chunk of rows that broadcast.
TEST(Substr, BroadcastsInChunks) {
  Tensor texts(DType::kString, {700, 1});
  for (int i = 0; i < 700; ++i) texts.mutable_data<std::string>()[i] = std::to_string(1000 + i);
  const Tensor parts =
      RunKernel1("Substr", {texts, MakeVector<int32_t>({0, 1, 2}), MakeVector<int32_t>({1, 2, 2})}, {}, 3);
  ASSERT_EQ(parts.shape(), Shape({700, 3}));
  for (int i = 0; i < 700; ++i) {
    ASSERT_EQ(parts.data<std::string>()[3 * i + 1], std::to_string(1000 + i).substr(1, 2));
  }
}

std::vector<int32_t> CodePoints(std::string_view text, Encoding encoding) {
  std::vector<int32_t> code_points;
  for (TextReader reader(text, encoding); reader.Next();) {
    code_points.push_back(reader.malformed() ? -1 : reader.code_point());
  }
  return code_points;
}

// Unicode 13, section 3.9, "U+FFFD substitution of maximal subparts".
TEST(Unicode, TheLongestBeginningOfACharacterIsMalformedAsAWhole) {
  EXPECT_THAT(CodePoints("\xe1\x80\xe2\xf0\x91\x92\xf1\xbf\x41", Encoding::kUtf8), ElementsAre(-1, -1, -1, -1, 0x41));
  EXPECT_THAT(CodePoints("\xed\xa0\x80\xf0\x9f\x98\x80", Encoding::kUtf8), ElementsAre(-1, -1, -1, 0x1f600));
}

// As TensorFlow 2.12 answers.
TEST(Unicode, ReadsCodePages) {
  const std::string text = "a\x83\xff\x62\x83\x65";
  const auto transcoded = [&](std::string errors) {
    return RunKernel1("UnicodeTranscode", {Text(text)},
                      {{"input_encoding", "sjis"},
                       {"output_encoding", "UTF-8"},
                       {"errors", std::move(errors)},
                       {"replacement_char", 63}})
        .scalar<std::string>();
  };
  EXPECT_EQ(transcoded("replace"), "a??b\xe3\x83\x86");
  EXPECT_EQ(transcoded("ignore"), "ab\xe3\x83\x86");
  EXPECT_THROW(transcoded("strict"), Error);
  const auto decoded = RunKernel("UnicodeDecodeWithOffsets", {Texts({"\xa4\xa2\xa4", "", "z"})},
                                 {{"input_encoding", "EUC-JP"}, {"errors", "ignore"}});
  EXPECT_THAT(Values<int64_t>(decoded[0]), ElementsAre(0, 1, 1, 2));
  EXPECT_THAT(Values<int32_t>(decoded[1]), ElementsAre(0x3042, 'z'));
  EXPECT_THAT(Values<int64_t>(decoded[2]), ElementsAre(0, 0));
  EXPECT_EQ(CodeOfKernel("UnicodeDecode", {Texts({"a"})}, {{"input_encoding", "nonsense"}}), Code::kInvalidArgument);
}

TEST(Unicode, StartsAreThoseOfTheBytes) {
  const auto decoded = RunKernel("UnicodeDecodeWithOffsets", {Texts({std::string("\xff\xfe\x61\0\x62\0", 6), ""})},
                                 {{"input_encoding", "UTF-16"}});
  EXPECT_THAT(Values<int64_t>(decoded[0]), ElementsAre(0, 2, 2));
  EXPECT_THAT(Values<int32_t>(decoded[1]), ElementsAre(0x61, 0x62));
  EXPECT_THAT(Values<int64_t>(decoded[2]), ElementsAre(0, 4));
}

TEST(Unicode, WritesPairsOfSurrogatesAsOneCharacter) {
  const auto written = [](std::vector<int32_t> code_points, Encoding encoding) {
    std::string text;
    TextWriter writer(text, encoding);
    for (const int32_t c : code_points) writer.Add(c);
    writer.Flush();
    return text;
  };
  EXPECT_EQ(written({0xd83d, 0xde00}, Encoding::kUtf8), "\xf0\x9f\x98\x80");
  EXPECT_EQ(written({0xd83d, 0x61, 0xdc00}, Encoding::kUtf8), "\xef\xbf\xbd\x61\xef\xbf\xbd");
  EXPECT_EQ(written({0x1f600}, Encoding::kUtf16Be), "\xd8\x3d\xde" + std::string(1, '\0'));
}

TEST(StringFormat, PrintsTheEndsOfEachAxis) {
  const AttrMap two = {{"template", "%s, %s."}, {"summarize", 2}};
  EXPECT_EQ(
      RunKernel1("StringFormat", {MakeVector<int32_t>({1, 2, 3, 4, 5}), Text("a\"\n")}, two).scalar<std::string>(),
      "[1 2 ... 4 5], \"a\\\"\\n\".");
  EXPECT_EQ(RunKernel1("StringFormat", {MakeTensor<float>({2, 1}, {0.1f, 1e10f})}).scalar<std::string>(),
            "[[0.1]\n [1e+10]]");
}

TEST(AsString, WritesLikePrintf) {
  EXPECT_THAT(Values<std::string>(RunKernel1("AsString", {MakeVector<int32_t>({-7})}, {{"width", 4}, {"fill", "0"}})),
              ElementsAre("-007"));
  EXPECT_THAT(Values<std::string>(RunKernel1("AsString", {MakeVector<float>({0.5f})}, {{"precision", 80}})),
              ElementsAre("0.5" + std::string(79, '0')));
  EXPECT_EQ(CodeOfKernel("AsString", {MakeVector<int32_t>({1})}, {{"fill", "x"}}), Code::kInvalidArgument);
  for (const char* attr : {"width", "precision"}) {
    EXPECT_EQ(CodeOfKernel("AsString", {MakeVector<float>({1})}, {{attr, int64_t{INT32_MIN} - 1}}),
              Code::kInvalidArgument);
  }
}

}  // namespace
}  // namespace plumb::fast::cpu

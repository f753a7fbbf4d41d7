#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using ::testing::ElementsAre;

Tensor Texts(std::initializer_list<std::string> texts) { return MakeVector<std::string>(texts); }

std::vector<float> Float(std::string text) {
  return Values<float>(RunKernel1("StringToNumber", {Texts({std::move(text)})}));
}

TEST(StringToNumber, ReadsDecimalAndHexadecimalDigits) {
  EXPECT_THAT(Float(" -1.5e1 "), ElementsAre(-15));
  EXPECT_THAT(Float("0xF"), ElementsAre(15));
  EXPECT_THAT(Float("-INF"), ElementsAre(-INFINITY));
  EXPECT_THAT(Float("  "), ElementsAre(0));
  for (const char* text : {"", "1x", "infinity", "1e", ".", "--1", "0x", "00000000000000000000000000000001"}) {
    EXPECT_EQ(CodeOfKernel("StringToNumber", {Texts({text})}), Code::kInvalidArgument) << text;
  }
  for (const char* text : {"", "2147483648", "+1", "1.0", "0x1", "- 1"}) {
    EXPECT_EQ(CodeOfKernel("StringToNumber", {Texts({text})}, {{"out_type", DType::kInt32}}), Code::kInvalidArgument);
  }
}

// What from_chars leaves open: whether a number is too large or too small.
TEST(StringToNumber, RoundsToInfinityAndToZero) {
  for (const char* text : {"1e400", "123e400", "0.001e80", "1e9223372036854775807", "1e99999999999999999999"}) {
    EXPECT_THAT(Float(text), ElementsAre(INFINITY)) << text;
  }
  for (const char* text :
       {"1e-400", "123e-400", "0.00001e-60", "0.001e-9223372036854775808", "1e-99999999999999999999"}) {
    EXPECT_THAT(Float(text), ElementsAre(0)) << text;
  }
}

std::vector<Tensor> Csv(std::string record, std::vector<int64_t> selected = {}) {
  return RunKernel("DecodeCSV", {Texts({std::move(record)}), MakeVector<int32_t>({7}), Tensor(DType::kString, {0})},
                   {{"na_value", "NA"}, {"select_cols", std::move(selected)}});
}

TEST(DecodeCsv, ReadsFields) {
  EXPECT_THAT(Values<int32_t>(Csv("3,a")[0]), ElementsAre(3));
  EXPECT_THAT(Values<int32_t>(Csv("NA,a")[0]), ElementsAre(7));
  EXPECT_THAT(Values<std::string>(Csv("3,\"a,\"\"b\"")[1]), ElementsAre("a,\"b"));
  EXPECT_THAT(Values<std::string>(Csv("x,3,y,z", {1, 3})[1]), ElementsAre("z"));
  for (const char* record : {"", "3", "3,", "3,a,b", "x,a", "3,\"a", "3,a\"", "3,\"a\"b", "3,a\n", "\"3\"\"\",a"}) {
    EXPECT_THROW(Csv(record), Error) << record;
  }
  EXPECT_THROW(Csv("1,2,3", {1, 1}), Error);
}

TEST(DecodeRaw, ReadsBytesInEitherOrder) {
  const Tensor text = Texts({std::string("\1\0\2\0", 4)});
  const auto raw = [&](bool little) {
    return Values<int16_t>(RunKernel1("DecodeRaw", {text}, {{"out_type", DType::kInt16}, {"little_endian", little}}));
  };
  EXPECT_THAT(raw(true), ElementsAre(1, 2));
  EXPECT_THAT(raw(false), ElementsAre(256, 512));
  EXPECT_EQ(CodeOfKernel("DecodeRaw", {Texts({"abc"})}, {{"out_type", DType::kInt16}}), Code::kInvalidArgument);
  const auto big = [](DType type) {
    const Tensor numbers = Texts({std::string("\0\0\0\0\0\0\0\1\0\0\0\0\0\0\1\0", 16)});
    return RunKernel1("DecodeRaw", {numbers}, {{"out_type", type}, {"little_endian", false}});
  };
  EXPECT_THAT(Values<int32_t>(big(DType::kInt32)), ElementsAre(0, 1, 0, 256));
  EXPECT_THAT(Values<int64_t>(big(DType::kInt64)), ElementsAre(1, 256));
  EXPECT_THAT(Values<uint8_t>(big(DType::kUint8)), testing::Contains(1).Times(2));
  EXPECT_THAT(Values<int16_t>(RunKernel1("DecodePaddedRaw", {Texts({"\1", "\1\1\1"}), MakeScalar<int32_t>(2)},
                                         {{"out_type", DType::kInt16}, {"little_endian", false}})),
              ElementsAre(256, 257));
}

}  // namespace
}  // namespace plumb::fast::cpu

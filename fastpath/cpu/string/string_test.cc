#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Tensor Text(std::string text) { return MakeScalar(std::move(text)); }
Tensor Texts(std::initializer_list<std::string> texts) { return MakeVector<std::string>(texts); }

TEST(StringJoin, JoinsElementByElement) {
  const AttrMap dash = {{"separator", "-"}};
  EXPECT_THAT(Values<std::string>(RunKernel1("StringJoin", {Text("x"), Texts({"a", ""}), Texts({"c", "d"})}, dash)),
              ElementsAre("x-a-c", "x--d"));
  const Tensor scalar = RunKernel1("StringJoin", {Text("x"), Text("y")});
  EXPECT_EQ(scalar.rank(), 0);
  EXPECT_EQ(scalar.scalar<std::string>(), "xy");
  EXPECT_EQ(CodeOfKernel("StringJoin", {Texts({"a"}), Texts({"b", "c"})}), Code::kInvalidArgument);
}

// More than one chunk: nothing depends on who joins what.
TEST(StringJoin, JoinsManyOnSeveralThreads) {
  Tensor many(DType::kString, {5000});
  for (int64_t i = 0; i < 5000; ++i) many.mutable_data<std::string>()[i] = std::to_string(i);
  const Tensor joined = RunKernel1("StringJoin", {many, many}, {{"separator", ","}}, 3);
  for (int64_t i = 0; i < 5000; ++i) {
    ASSERT_EQ(joined.data<std::string>()[i], std::to_string(i) + "," + std::to_string(i));
  }
}

std::vector<std::string> Cut(std::string text, std::string separator, int max_cuts = -1) {
  return Values<std::string>(
      RunKernel("StringSplitV2", {Texts({std::move(text)}), Text(std::move(separator))}, {{"maxsplit", max_cuts}})[1]);
}
std::vector<std::string> CutOld(std::string text, std::string delimiters, bool skip_empty) {
  return Values<std::string>(RunKernel("StringSplit", {Texts({std::move(text)}), Text(std::move(delimiters))},
                                       {{"skip_empty", skip_empty}})[1]);
}

TEST(StringSplit, GivesASparseMatrix) {
  const auto outputs = RunKernel("StringSplitV2", {Texts({"a b", "", "c"}), Text("")});
  EXPECT_THAT(Values<int64_t>(outputs[0]), ElementsAre(0, 0, 0, 1, 2, 0));
  EXPECT_EQ(outputs[0].shape(), Shape({3, 2}));
  EXPECT_THAT(Values<std::string>(outputs[1]), ElementsAre("a", "b", "c"));
  EXPECT_THAT(Values<int64_t>(outputs[2]), ElementsAre(3, 2));
  EXPECT_EQ(CodeOfKernel("StringSplitV2", {Text("a"), Text("")}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("StringSplit", {Texts({"a"}), Texts({""})}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("StringSplitV2", {Texts({"a"}), Text("")}, {{"maxsplit", int64_t{1} << 31}}),
            Code::kInvalidArgument);
}

TEST(StringSplit, CutsAtASeparatorOrAtWhiteSpace) {
  EXPECT_THAT(Cut("1<>2<><>3", "<>"), ElementsAre("1", "2", "", "3"));
  EXPECT_THAT(Cut("", ","), ElementsAre(""));
  EXPECT_THAT(Cut("1,2,3", ",", 1), ElementsAre("1", "2,3"));
  EXPECT_THAT(Cut("  1 \t2\r\n 3 ", ""), ElementsAre("1", "2", "3"));
  EXPECT_THAT(Cut("  ", ""), IsEmpty());
  EXPECT_THAT(Cut(" 1  2 3 ", "", 1), ElementsAre("1", "2 3 "));
  EXPECT_THAT(Cut("1 ", "", 1), ElementsAre("1", ""));
  EXPECT_THAT(Cut(" 1 ", "", 0), ElementsAre(" 1 "));
}

TEST(StringSplit, TheOldFormCutsAtAnyOfSeveralBytes) {
  EXPECT_THAT(CutOld("a.,b,", ".,", true), ElementsAre("a", "b"));
  EXPECT_THAT(CutOld("a.,b,", ".,", false), ElementsAre("a", "", "b", ""));
  EXPECT_THAT(CutOld("", ",", false), IsEmpty());
  EXPECT_THAT(CutOld("abc", "", true), ElementsAre("a", "b", "c"));
}

// Texts of the bytes (7 i + n) mod 251, as TensorFlow 2.12.1 answers.
TEST(SdcaFprint, IsAFingerprintOf128Bits) {
  struct Case {
    int size;
    int64_t low, high;
  };
  for (const auto& [size, low, high] : {Case{0, 4463240938071824939, 4374473821787594281},
                                        {1, -3031513573221019310, -4975547386205173904},
                                        {4, 373797687616831961, 5484855694044555683},
                                        {8, -6278997919919160156, -5454354129141503731},
                                        {15, 185489846221326583, -7427985263623917396},
                                        {16, -143878671975529173, -1001422539681817232},
                                        {17, -297878190495770457, 497097386691029322},
                                        {32, -5226905447997941029, 6013129464268260807},
                                        {33, 7857404423184014609, -519618524723518248},
                                        {143, -8045364741799038458, 6689976358370531348},
                                        {144, 1949739595699992074, 322736429137357748},
                                        {271, -122607092019279799, 8174854124340098644},
                                        {272, -3966872462504586974, -908866103132303193},
                                        {300, 4393927632115293758, -7610244557406730863},
                                        {500, -8743643538536598481, 7733738374109102320}}) {
    std::string text;
    for (int i = 0; i < size; ++i) text += static_cast<char>((7 * i + size) % 251);
    const Tensor prints = RunKernel1("SdcaFprint", {MakeVector<std::string>({text})});
    EXPECT_EQ(prints.shape(), Shape({1, 2}));
    EXPECT_EQ(Values<int64_t>(prints), (std::vector<int64_t>{low, high})) << size;
  }
  EXPECT_EQ(CodeOfKernel("SdcaFprint", {MakeScalar<std::string>("a")}), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu

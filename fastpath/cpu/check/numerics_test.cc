#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using testing::HasSubstr;

constexpr float kInf = std::numeric_limits<float>::infinity();

TEST(Checks, FailOnWhatTheyWatchFor) {
  EXPECT_EQ(CodeOfKernel("Assert", {MakeScalar(true), MakeScalar(1)}), Code::kOk);
  EXPECT_EQ(CodeOfKernel("Assert", {MakeScalar(false), MakeScalar(1)}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("Assert", {MakeVector<bool>({true}), MakeScalar(1)}), Code::kInvalidArgument);
  const AttrMap message = {{"message", "here"}};
  EXPECT_EQ(CodeOfKernel("CheckNumerics", {MakeVector<float>({1, -2})}, message), Code::kOk);
  EXPECT_EQ(CodeOfKernel("CheckNumerics", {MakeVector<float>({1, kInf})}, message), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("CheckNumerics", {MakeVector<double>({1, std::nan("")})}, message), Code::kInvalidArgument);
}

std::string WordsOf(const char* op, std::initializer_list<float> values) {
  try {
    RunKernel(op, {MakeVector<float>(values)}, {{"message", "here"}});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Checks, NameWhatTheyFound) {  // as TensorFlow's messages do
  const float nan = std::nanf("");
  EXPECT_THAT(WordsOf("CheckNumerics", {nan, kInf, -kInf}), HasSubstr("here : Tensor had Inf and NaN values"));
  EXPECT_THAT(WordsOf("CheckNumericsV2", {nan}), HasSubstr("here : Tensor had NaN values"));
  EXPECT_THAT(WordsOf("CheckNumericsV2", {-kInf, 1}), HasSubstr("here : Tensor had -Inf values"));
  EXPECT_THAT(WordsOf("CheckNumericsV2", {nan, kInf}), HasSubstr("here : Tensor had +Inf and NaN values"));
  EXPECT_THAT(WordsOf("CheckNumericsV2", {nan, kInf, -kInf}),
              HasSubstr("here : Tensor had -Inf, +Inf, and NaN values"));
  EXPECT_EQ(WordsOf("CheckNumericsV2", {1, 2}), "");
}

}  // namespace
}  // namespace plumb::fast::cpu

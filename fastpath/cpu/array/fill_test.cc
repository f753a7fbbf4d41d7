#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/int_tensors.h"

namespace plumb::fast::cpu {
namespace {

using I = std::vector<int32_t>;

TEST(Fills, MakeTensorsOfFewValues) {
  EXPECT_EQ(Ints(RunKernel1("Fill", {Vector({2, 2}), MakeScalar(7)})), (I{7, 7, 7, 7}));
  EXPECT_EQ(CodeOfKernel("Fill", {Vector({-1}), MakeScalar(7)}), Code::kInvalidArgument);
  EXPECT_EQ(Ints(RunKernel1("Range", {MakeScalar(7), MakeScalar(0), MakeScalar(-3)})), (I{7, 4, 1}));
  EXPECT_EQ(RunKernel1("Range", {MakeScalar(0.0f), MakeScalar(1.0f), MakeScalar(0.3f)}).elements(), 4);
  EXPECT_EQ(CodeOfKernel("Range", {MakeScalar(0), MakeScalar(1), MakeScalar(0)}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("Range", {MakeScalar(0), MakeScalar(-1), MakeScalar(1)}), Code::kInvalidArgument);
  EXPECT_EQ(Ints(RunKernel1("OneHot", {Vector({1, -1, 5}), MakeScalar(2), MakeScalar(9), MakeScalar(0)})),
            (I{0, 9, 0, 0, 0, 0}));
  EXPECT_EQ(
      Ints(RunKernel1("OneHot", {Vector({1, 0}), MakeScalar(2), MakeScalar(9), MakeScalar(0)}, {{"axis", int64_t{0}}})),
      (I{0, 9, 9, 0}));
  EXPECT_EQ(RunKernel1("OnesLike", {Zeros(DType::kDouble, {3})}).data<double>()[2], 1);
  EXPECT_EQ(Ints(RunKernel1("ZerosLike", {Iota({3})})), (I{0, 0, 0}));
  for (const bool init : {false, true}) {
    EXPECT_EQ(Ints(RunKernel1("Empty", {Vector({2})}, {{"dtype", DType::kInt32}, {"init", init}})), (I{0, 0}));
  }
  const AttrMap floats = {{"dtype", DType::kFloat}};
  EXPECT_EQ(CodeOfKernel("Empty", {Vector({-1})}, floats), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("Empty", {MakeScalar(2)}, floats), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("Empty", {Vector({2})}, {{"dtype", DType::kInt8}}), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu

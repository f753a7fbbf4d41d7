#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "fastpath/cpu/lib/testing/optimizer_harness.h"

namespace plumb::fast::cpu {
namespace {

TEST(SparseOptimizers, ApplyRowsInOrderRepeatedOnesTwice) {  // R68
  KernelHarness harness;
  const Entry v = harness.Ref(MakeTensor<double>({2, 1}, {0, 1})), a = harness.Ref(MakeTensor<double>({2, 1}, {7, 9}));
  harness.Run("SparseApplyAdagrad",
              {v, a, Scalar(1), In(MakeTensor<double>({2, 1}, {3, 3})), In(MakeVector<int32_t>({0, 0}))});
  EXPECT_EQ(Values<double>(a), Doubles({25, 9}));
  EXPECT_EQ(Values<double>(v), Doubles({0.0 - 3.0 / 4 - 3.0 / 5, 1}));
  const auto code = [&](std::initializer_list<int64_t> indices, const Tensor& gradient) {
    return harness.CodeOf("SparseApplyAdagrad", {v, a, Scalar(1), In(gradient), In(MakeVector<int64_t>(indices))});
  };
  const Tensor two(DType::kDouble, {2, 1});
  EXPECT_EQ(code({0, 2}, two), Code::kInvalidArgument);  // R69
  EXPECT_EQ(code({-1, 0}, two), Code::kInvalidArgument);
  EXPECT_EQ(code({0}, two), Code::kInvalidArgument);
  EXPECT_EQ(code({0, 1}, Tensor(DType::kDouble, {2, 3})), Code::kInvalidArgument);
  EXPECT_EQ(Values<double>(a), Doubles({25, 9}));
}

TEST(Optimizers, CheckShapesScalarsAndInitialisation) {
  KernelHarness harness;
  const Entry v = Slot(harness, {1, 2}), a = Slot(harness, {1, 2}), small = Slot(harness, {1});
  const auto code = [&](const Entry& slot, const Entry& lr, const Entry& gradient) {
    return harness.CodeOf("ApplyAdagrad", {v, slot, lr, gradient});
  };
  EXPECT_EQ(code(a, Scalar(1), Gradient({1, 2})), Code::kOk);
  EXPECT_EQ(code(small, Scalar(1), Gradient({1, 2})), Code::kInvalidArgument);
  EXPECT_EQ(code(a, Gradient({1}), Gradient({1, 2})), Code::kInvalidArgument);
  EXPECT_EQ(code(a, Scalar(1), Gradient({1})), Code::kInvalidArgument);
  EXPECT_EQ(code(harness.UninitializedRef(DType::kDouble, {2}), Scalar(1), Gradient({1, 2})),
            Code::kFailedPrecondition);
}

TEST(Optimizers, WriteIntoTheBuffer) {  // R32
  KernelHarness harness;
  const Entry v = Slot(harness, {1});
  const Tensor alias = v.ref->Read("test");
  harness.Run("ApplyGradientDescent", {v, Scalar(1), Gradient({1})});
  EXPECT_EQ(alias.data<double>()[0], 0);
  EXPECT_EQ(Values<double>(v), Doubles({0}));
}

template <class T>
void ExpectGradientDescent() {
  KernelHarness harness;
  const Entry v = harness.Ref(MakeVector<T>({T(3)}));
  harness.Run("ApplyGradientDescent", {v, In(MakeScalar<T>(T(0.5))), In(MakeVector<T>({T(2)}))});
  EXPECT_TRUE(v.ref->Read("test").BitwiseEquals(MakeVector<T>({T(2)})));
}

TEST(Optimizers, KnowTheirTypes) {
  ExpectGradientDescent<float>();
  ExpectGradientDescent<Half>();
  ExpectGradientDescent<BFloat16>();
  ExpectGradientDescent<std::complex<float>>();
  ExpectGradientDescent<std::complex<double>>();
  KernelHarness harness;
  const Entry v = harness.Ref(MakeVector<int32_t>({1}));
  EXPECT_EQ(harness.CodeOf("ApplyGradientDescent", {v, In(MakeScalar(1)), In(MakeVector<int32_t>({1}))}),
            Code::kInvalidArgument);
}

// v − alpha·g of all numbers of a type, one after the other and in vectors alike.
template <class T>
void ExpectRoundedSteps(float v) {
  constexpr int64_t kAll = 1 << 16;
  const float alpha = static_cast<float>(T(0.3F));
  Tensor start(DTypeOf<T>, {kAll}), gradient(DTypeOf<T>, {kAll});
  for (int64_t i = 0; i < kAll; ++i) {
    start.mutable_data<T>()[i] = T(v);
    gradient.mutable_data<T>()[i].bits = static_cast<uint16_t>(i);
  }
  KernelHarness harness;
  const Entry variable = harness.Ref(start);
  harness.Run("ApplyGradientDescent", {variable, In(MakeScalar<T>(T(alpha))), In(gradient)});
  const Tensor moved = variable.ref->Read("test");
  for (int64_t i = 0; i < kAll; ++i) {
    const float step = static_cast<float>(T(alpha * static_cast<float>(gradient.data<T>()[i])));
    const float expected = static_cast<float>(T(v - step)), got = static_cast<float>(moved.data<T>()[i]);
    ASSERT_TRUE(got == expected || (std::isnan(got) && std::isnan(expected))) << i << ": " << got << ", " << expected;
  }
}
TEST(Optimizers, RoundEachStepToSixteenBits) {  // N22
  ExpectRoundedSteps<Half>(0);
  ExpectRoundedSteps<Half>(1);
  ExpectRoundedSteps<BFloat16>(1);
}

TEST(Optimizers, TheResourceFormsShareTheFormula) {
  KernelHarness harness;
  const auto handle = [&](const char* name) {
    return harness.Run("VarHandleOp", {},
                       {{"dtype", DType::kDouble}, {"shape", PartialShape()}, {"shared_name", name}})[0];
  };
  const Entry v = handle("v"), a = handle("a");
  const AttrMap type = {{"T", DType::kDouble}};
  const std::vector<Entry> inputs = {v, a, Scalar(0.5), Gradient({2}), Scalar(0.25)};
  EXPECT_EQ(harness.CodeOf("ResourceApplyMomentum", inputs, type), Code::kInternal);  // R46
  harness.Run("AssignVariableOp", {v, Gradient({1})});
  harness.Run("AssignVariableOp", {a, Gradient({4})});
  harness.Run("ResourceApplyMomentum", inputs, type);
  harness.Run("ResourceApplyGradientDescent", {v, Scalar(0.5), Gradient({1})}, type);
  const auto read = [&](const Entry& from) {
    return Values<double>(harness.Value("ReadVariableOp", {from}, {{"dtype", DType::kDouble}}));
  };
  EXPECT_EQ(read(a), Doubles({3}));
  EXPECT_EQ(read(v), Doubles({-1}));
}

TEST(Optimizers, DoNotDependOnThreadsOrOnWhereAnElementLies) {
  const int64_t n = 100003;
  Tensor start(DType::kFloat, {n}), gradient(DType::kFloat, {n});
  for (int64_t i = 0; i < n; ++i) {
    start.mutable_data<float>()[i] = static_cast<float>(i % 97) / 7;
    gradient.mutable_data<float>()[i] = static_cast<float>(i % 89) / 11 - 3;
  }
  std::vector<Tensor> results;
  for (const int threads : {1, 3}) {
    KernelHarness harness(threads);
    const Entry v = harness.Ref(start.Clone()), m = harness.Ref(start.Clone()), s = harness.Ref(start.Clone());
    const auto scalar = [](float value) { return In(MakeScalar<float>(value)); };
    harness.Run("ApplyAdam", {v, m, s, scalar(0.9f), scalar(0.99f), scalar(0.01f), scalar(0.9f), scalar(0.99f),
                              scalar(1e-7f), In(gradient)});
    results.push_back(CopyOf(v.ref->Read("test")));
  }
  EXPECT_TRUE(results[0].BitwiseEquals(results[1]));
}

}  // namespace
}  // namespace plumb::fast::cpu

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "fastpath/cpu/lib/testing/kernel_harness.h"
#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using Floats = std::vector<float>;
Tensor Vector(std::initializer_list<float> values) { return MakeVector<float>(values); }

TEST(Scatter, RepeatedIndicesAccumulateAndScalarsReachEveryRow) {
  KernelHarness harness;
  const Entry v = harness.Ref(MakeTensor<float>({3, 2}, {0, 0, 0, 0, 0, 0}));
  harness.Run("ScatterAdd", {v, In(MakeVector<int32_t>({2, 0, 2})), In(MakeTensor<float>({3, 2}, {1, 2, 3, 4, 5, 6}))});
  EXPECT_EQ(Values<float>(v), Floats({3, 4, 0, 0, 6, 8}));
  harness.Run("ScatterSub", {v, In(MakeVector<int64_t>({1})), In(MakeScalar<float>(7))});
  EXPECT_EQ(Values<float>(v), Floats({3, 4, -7, -7, 6, 8}));
}

TEST(Scatter, RowsOfTheVariableItselfShowWhatWasWrittenBefore) {  // R23
  KernelHarness harness;
  const Entry v = harness.Ref(Vector({1, 2, 3}));
  harness.Run("ScatterAdd", {v, In(MakeVector<int32_t>({1, 2, 0})), In(v.ref->Read("test"))});
  EXPECT_EQ(Values<float>(v), Floats({7, 3, 6}));
}

TEST(Scatter, ANumberOfTheVariableItselfIsReadBeforeEachRow) {  // R23
  KernelHarness harness;
  const Entry v = harness.Ref(Vector({2}));
  const Tensor number = v.ref->Read("test").Reshaped(Shape());
  harness.Run("ScatterAdd", {v, In(MakeVector<int32_t>({0, 0})), In(number)});
  EXPECT_EQ(Values<float>(v), Floats({8}));
}

TEST(Scatter, BadIndicesAndShapesChangeNothing) {
  KernelHarness harness;
  const Entry v = harness.Ref(Vector({1, 2}));
  for (const int32_t bad : {-1, 2}) {
    EXPECT_EQ(harness.CodeOf("ScatterAdd", {v, In(MakeVector<int32_t>({0, bad})), In(Vector({1, 1}))}),
              Code::kInvalidArgument);
  }
  EXPECT_EQ(harness.CodeOf("ScatterAdd", {v, In(MakeVector<int32_t>({0})), In(Vector({1, 1}))}),
            Code::kInvalidArgument);
  EXPECT_EQ(harness.CodeOf("ScatterAdd",
                           {harness.Ref(MakeScalar<float>(1)), In(MakeScalar<int32_t>(0)), In(MakeScalar<float>(1))}),
            Code::kInvalidArgument);
  EXPECT_EQ(Values<float>(v), Floats({1, 2}));
}

TEST(Scatter, EveryKindCombinesInOrder) {  // R23
  KernelHarness harness;
  const auto after = [&](const char* op, std::initializer_list<int32_t> updates) {
    const Entry v = harness.Ref(MakeVector<int32_t>({10, 10}));
    harness.Run(op, {v, In(MakeVector<int32_t>({1, 1})), In(MakeVector<int32_t>(updates))});
    return Values<int32_t>(v)[1];
  };
  EXPECT_EQ(after("ScatterUpdate", {4, 2}), 2);
  EXPECT_EQ(after("ScatterMul", {4, 2}), 80);
  EXPECT_EQ(after("ScatterDiv", {4, 2}), 1);
  EXPECT_EQ(after("ScatterMin", {4, 2}), 2);
  EXPECT_EQ(after("ScatterMax", {4, 2}), 10);
}

TEST(Scatter, WhatIsNoNumberIsNeitherLessNorGreater) {  // R23
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  for (const char* const op : {"ScatterMin", "ScatterMax"}) {
    KernelHarness harness;
    const Entry v = harness.Ref(MakeVector<float>({1, kNan}));
    harness.Run(op, {v, In(MakeVector<int32_t>({0, 1})), In(MakeVector<float>({kNan, 2}))});
    EXPECT_EQ(Values<float>(v)[0], 1) << op;
    EXPECT_TRUE(std::isnan(Values<float>(v)[1])) << op;
  }
}

TEST(Scatter, IntegersAreDividedWithoutTraps) {
  KernelHarness harness;
  const Entry v = harness.Ref(MakeVector<int32_t>({INT32_MIN}));
  const Entry first = In(MakeVector<int32_t>({0}));
  harness.Run("ScatterDiv", {v, first, In(MakeVector<int32_t>({-1}))});
  EXPECT_EQ(Values<int32_t>(v)[0], INT32_MIN);
  EXPECT_EQ(harness.CodeOf("ScatterDiv", {v, first, In(MakeVector<int32_t>({0}))}), Code::kInvalidArgument);
  EXPECT_EQ(Values<int32_t>(v)[0], INT32_MIN);
}

TEST(Scatter, TextsAreReplaced) {
  KernelHarness harness;
  const Entry v = harness.Ref(MakeVector<std::string>({"a", "b", "c"}));
  harness.Run("ScatterUpdate", {v, In(MakeVector<int32_t>({2, 0})), In(MakeScalar<std::string>("x"))});
  EXPECT_EQ(Values<std::string>(v), (std::vector<std::string>{"x", "b", "x"}));
}

TEST(Scatter, OfAScalarResourceTakesScalars) {  // R45
  KernelHarness harness;
  const Entry v = harness.Run("VarHandleOp", {}, {{"dtype", DType::kFloat}, {"shape", PartialShape()}})[0];
  harness.Run("AssignVariableOp", {v, In(MakeScalar(1.0F))});
  const Entry first = In(MakeVector<int32_t>({0})), second = In(MakeVector<int32_t>({1})), two = In(MakeScalar(2.0F));
  harness.Run("ResourceScatterAdd", {v, first, two});
  harness.Run("ResourceScatterAdd", {v, In(MakeScalar<int32_t>(0)), two});
  EXPECT_EQ(harness.CodeOf("ResourceScatterAdd", {v, second, two}), Code::kInvalidArgument);
  EXPECT_EQ(harness.CodeOf("ResourceScatterAdd", {v, first, In(Vector({2}))}), Code::kInvalidArgument);
  EXPECT_EQ(harness.Value("ReadVariableOp", {v}, {{"dtype", DType::kFloat}}).scalar<float>(), 5);
}

TEST(Scatter, OfAResourceLooksAtShapesOnlyWhereItWrites) {  // R45
  KernelHarness harness;
  const AttrMap declared = {{"dtype", DType::kFloat}, {"shape", PartialShape()}};
  const Entry v = harness.Run("VarHandleOp", {}, declared)[0];
  const Entry none = In(MakeVector<int32_t>({})), second = In(MakeVector<int32_t>({1}));
  EXPECT_EQ(harness.CodeOf("ResourceScatterAdd", {v, second, In(Vector({1}))}), Code::kNotFound);
  harness.Run("AssignVariableOp", {v, In(Vector({1, 2}))});
  harness.Run("ResourceScatterAdd", {v, second, In(Vector({5}))});
  EXPECT_EQ(harness.CodeOf("ResourceScatterAdd", {v, none, In(Vector({5, 6}))}), Code::kOk);
  EXPECT_EQ(harness.CodeOf("ResourceScatterAdd", {v, second, In(Vector({5, 6}))}), Code::kInvalidArgument);
  EXPECT_EQ(harness.CodeOf("ResourceScatterDiv", {v, second, In(Vector({0}))}), Code::kInvalidArgument);
  const Tensor value = harness.Value("ReadVariableOp", {v}, {{"dtype", DType::kFloat}});
  EXPECT_EQ(Values<float>(value), Floats({1, 7}));
}

}  // namespace
}  // namespace plumb::fast::cpu

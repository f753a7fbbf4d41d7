#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/kernel_harness.h"
#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using Floats = std::vector<float>;
Tensor Vector(std::initializer_list<float> values) { return MakeVector<float>(values); }

AttrMap VariableAttrs(DType dtype, PartialShape shape, std::string shared_name = "", std::string container = "") {
  return {{"dtype", dtype}, {"shape", shape}, {"shared_name", shared_name}, {"container", container}};
}

TEST(RefVariable, NodesWithOneSharedNameShareTheirVariable) {
  KernelHarness harness;
  const AttrMap attrs = VariableAttrs(DType::kFloat, {2}, "v");
  const Entry a = harness.Run("VariableV2", {}, attrs)[0], b = harness.Run("VariableV2", {}, attrs)[0];
  EXPECT_EQ(a.ref, b.ref);
  EXPECT_NE(a.ref, harness.Run("VariableV2", {}, VariableAttrs(DType::kFloat, {2}))[0].ref);
  EXPECT_EQ(harness.CodeOf("VariableV2", {}, VariableAttrs(DType::kInt32, {2}, "v")), Code::kInternal);  // R4
}

TEST(RefVariable, NamesAndShapesAreChecked) {
  KernelHarness harness;
  EXPECT_EQ(harness.CodeOf("VariableV2", {}, VariableAttrs(DType::kFloat, {-1})), Code::kInvalidArgument);       // R12
  EXPECT_EQ(harness.CodeOf("VariableV2", {}, VariableAttrs(DType::kFloat, {1}, "_v")), Code::kInvalidArgument);  // R2
  EXPECT_EQ(harness.CodeOf("VariableV2", {}, VariableAttrs(DType::kFloat, {1}, "v", "a b")), Code::kInvalidArgument);
  EXPECT_EQ(harness.CodeOf("VariableV2", {}, VariableAttrs(DType::kFloat, {1}, "v", "-a")), Code::kInvalidArgument);
}

TEST(RefVariable, OfUnknownRankStartsAsAScalarSlot) {  // R12
  KernelHarness harness;
  const Entry v = harness.Run("VariableV2", {}, VariableAttrs(DType::kFloat, PartialShape()))[0];
  EXPECT_EQ(harness.CodeOf("Assign", {v, In(Vector({1, 2}))}), Code::kInvalidArgument);
  EXPECT_EQ(harness.CodeOf("Assign", {v, In(Vector({1, 2}))}, {{"validate_shape", false}}), Code::kOk);
}

TEST(RefVariable, IsInitializedOnceAssignedOrEmptyFromBirth) {
  KernelHarness harness;
  const Entry fresh = harness.UninitializedRef(DType::kFloat, {2});
  EXPECT_FALSE(harness.Value("IsVariableInitialized", {fresh}).scalar<bool>());
  EXPECT_EQ(harness.CodeOf("AssignAdd", {fresh, In(Vector({1, 2}))}), Code::kFailedPrecondition);
  harness.Run("Assign", {fresh, In(Vector({1, 2}))});
  EXPECT_TRUE(harness.Value("IsVariableInitialized", {fresh}).scalar<bool>());
  const Entry empty = harness.UninitializedRef(DType::kFloat, {3, 0});  // R11
  EXPECT_TRUE(harness.Value("IsVariableInitialized", {empty}).scalar<bool>());
  EXPECT_EQ(harness.CodeOf("AssignAdd", {empty, In(Tensor(DType::kFloat, {3, 0}))}), Code::kOk);
}

TEST(RefVariable, AssignChecksTheShapeUnlessToldNotTo) {
  KernelHarness harness;
  const Entry v = harness.Ref(Vector({1, 2}));
  EXPECT_EQ(harness.CodeOf("Assign", {v, In(Vector({1, 2, 3}))}), Code::kInvalidArgument);
  EXPECT_EQ(Values<float>(v), Floats({1, 2}));
  EXPECT_EQ(harness.Run("Assign", {v, In(Vector({1, 2, 3}))}, {{"validate_shape", false}})[0].ref, v.ref);
  EXPECT_EQ(Values<float>(v), Floats({1, 2, 3}));
}

TEST(RefVariable, UpdatesShowInAliases) {  // R31, R32
  KernelHarness harness;
  const Entry v = harness.Ref(Vector({1, 2}));
  const Tensor alias = v.ref->Read("test");
  harness.Run("AssignAdd", {v, In(Vector({10, 20}))});
  harness.Run("AssignSub", {v, In(Vector({1, 1}))});
  EXPECT_EQ(Values<float>(v), Floats({10, 21}));
  EXPECT_EQ(Values<float>(alias), Floats({10, 21}));
  EXPECT_EQ(harness.CodeOf("AssignAdd", {v, In(MakeScalar<float>(1))}), Code::kInvalidArgument);
}

TEST(RefVariable, IntegersWrapAndHalvesRoundOnce) {
  KernelHarness harness;
  const Entry bytes = harness.Ref(MakeVector<int8_t>({127}));
  harness.Run("AssignAdd", {bytes, In(MakeVector<int8_t>({1}))});
  EXPECT_EQ(Values<int8_t>(bytes)[0], -128);
  const Entry half = harness.Ref(MakeVector<Half>({Half(2048)}));  // 2049 lies half way: ties go to even
  harness.Run("AssignAdd", {half, In(MakeVector<Half>({Half(1)}))});
  EXPECT_EQ(static_cast<float>(Values<Half>(half)[0]), 2048);
}

TEST(RefVariable, OnlyNumbersCanBeAdded) {
  KernelHarness harness;
  const Entry words = harness.Ref(MakeVector<Qint8>({Qint8{1}}));
  EXPECT_EQ(harness.CodeOf("AssignAdd", {words, In(MakeVector<Qint8>({Qint8{1}}))}), Code::kInvalidArgument);
  EXPECT_EQ(harness.CodeOf("AssignAddVariableOp", {In(Tensor(DType::kResource, Shape())), In(MakeScalar(true))}),
            Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu

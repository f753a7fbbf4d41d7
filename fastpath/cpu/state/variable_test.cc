#include <gtest/gtest.h>

#include <utility>

#include "fastpath/cpu/lib/kernel_harness.h"

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

TEST(RefVariable, UpdatesLeaveSnapshotsAlone) {
  KernelHarness harness;
  const Entry v = harness.Ref(Vector({1, 2}));
  const Tensor before = v.ref->tensor;
  harness.Run("AssignAdd", {v, In(Vector({10, 20}))});
  harness.Run("AssignSub", {v, In(Vector({1, 1}))});
  EXPECT_EQ(Values<float>(v), Floats({10, 21}));
  EXPECT_EQ(Values<float>(before), Floats({1, 2}));
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

TEST(CountUpTo, CountsUntilTheLimit) {
  KernelHarness harness;
  const Entry v = harness.Ref(MakeScalar<int32_t>(0));
  const AttrMap attrs = {{"limit", 2}};
  EXPECT_EQ(harness.Value("CountUpTo", {v}, attrs).scalar<int32_t>(), 0);
  EXPECT_EQ(harness.Value("CountUpTo", {v}, attrs).scalar<int32_t>(), 1);
  EXPECT_EQ(harness.CodeOf("CountUpTo", {v}, attrs), Code::kOutOfRange);
  EXPECT_EQ(Values<int32_t>(v)[0], 2);
}

TEST(Scatter, RepeatedIndicesAccumulateAndScalarsReachEveryRow) {
  KernelHarness harness;
  const Entry v = harness.Ref(MakeTensor<float>({3, 2}, {0, 0, 0, 0, 0, 0}));
  harness.Run("ScatterAdd", {v, In(MakeVector<int32_t>({2, 0, 2})), In(MakeTensor<float>({3, 2}, {1, 2, 3, 4, 5, 6}))});
  EXPECT_EQ(Values<float>(v), Floats({3, 4, 0, 0, 6, 8}));
  harness.Run("ScatterSub", {v, In(MakeVector<int64_t>({1})), In(MakeScalar<float>(7))});
  EXPECT_EQ(Values<float>(v), Floats({3, 4, -7, -7, 6, 8}));
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

Entry Handle(KernelHarness& harness, std::string shared_name, DType dtype = DType::kFloat) {
  return harness.Run("VarHandleOp", {}, VariableAttrs(dtype, {2}, std::move(shared_name)))[0];
}

TEST(ResourceVariable, ExistsFromItsFirstAssignmentOn) {
  KernelHarness harness;
  const Entry v = Handle(harness, "v");
  const AttrMap read = {{"dtype", DType::kFloat}};
  EXPECT_FALSE(harness.Value("VarIsInitializedOp", {v}).scalar<bool>());
  EXPECT_EQ(harness.CodeOf("ReadVariableOp", {v}, read), Code::kFailedPrecondition);           // R42
  EXPECT_EQ(harness.CodeOf("AssignAddVariableOp", {v, In(Vector({1, 2}))}), Code::kNotFound);  // R43
  harness.Run("AssignVariableOp", {v, In(Vector({1, 2}))});
  EXPECT_TRUE(harness.Value("VarIsInitializedOp", {v}).scalar<bool>());
  EXPECT_EQ(Values<float>(harness.Value("ReadVariableOp", {Handle(harness, "v")}, read)), Floats({1, 2}));
}

TEST(ResourceVariable, AHandleTakesAnyName) {  // R2
  KernelHarness harness;
  const Entry v = harness.Run("VarHandleOp", {}, VariableAttrs(DType::kFloat, {2}, "_v", "!"))[0];
  harness.Run("AssignVariableOp", {v, In(Vector({1, 2}))});
  EXPECT_EQ(Values<float>(harness.Value("ReadVariableOp", {v}, {{"dtype", DType::kFloat}})), Floats({1, 2}));
}

TEST(ResourceVariable, ReadsAreSnapshots) {
  KernelHarness harness;
  const Entry v = Handle(harness, "v");
  const AttrMap read = {{"dtype", DType::kFloat}};
  harness.Run("AssignVariableOp", {v, In(Vector({1, 2}))});
  const Tensor before = harness.Value("ReadVariableOp", {v}, read);
  harness.Run("AssignAddVariableOp", {v, In(Vector({1, 1}))});
  EXPECT_EQ(Values<float>(harness.Value("ReadVariableOp", {v}, read)), Floats({2, 3}));
  harness.Run("AssignVariableOp", {v, In(Vector({7}))});  // R41: any shape
  EXPECT_EQ(Values<float>(harness.Value("ReadVariableOp", {v}, read)), Floats({7}));
  EXPECT_EQ(Values<float>(before), Floats({1, 2}));
}

TEST(ResourceVariable, TypesAndShapesAreChecked) {
  KernelHarness harness;
  const Entry v = Handle(harness, "v");
  harness.Run("AssignVariableOp", {v, In(Vector({1, 2}))});
  EXPECT_EQ(harness.CodeOf("ReadVariableOp", {v}, {{"dtype", DType::kInt32}}), Code::kInvalidArgument);
  EXPECT_EQ(harness.CodeOf("AssignVariableOp", {v, In(MakeVector<int32_t>({1, 2}))}), Code::kInvalidArgument);
  EXPECT_EQ(harness.CodeOf("AssignVariableOp", {Handle(harness, "w"), In(MakeVector<int32_t>({1}))}),
            Code::kInvalidArgument);
  EXPECT_EQ(harness.CodeOf("AssignAddVariableOp", {v, In(Vector({1}))}), Code::kInvalidArgument);
  Tensor other(DType::kResource, Shape());
  other.mutable_data<ResourceHandle>()[0].type_name = "Stack";
  EXPECT_EQ(harness.CodeOf("ReadVariableOp", {In(other)}, {{"dtype", DType::kFloat}}), Code::kInvalidArgument);  // R7
}

TEST(ResourceVariable, HandlesWithoutANameAreOneVariable) {  // R3
  KernelHarness harness;
  harness.Run("AssignVariableOp", {Handle(harness, ""), In(Vector({1, 2}))});
  EXPECT_TRUE(harness.Value("VarIsInitializedOp", {Handle(harness, "")}).scalar<bool>());
}

TEST(ResourceVariable, AKernelForgetsAVariableThatWasDropped) {  // R5
  KernelHarness harness;
  const Entry v = Handle(harness, "v");
  harness.Run("AssignVariableOp", {v, In(Vector({1, 2}))});
  const auto initialized = [&] { return harness.Run("is", "VarIsInitializedOp", {v})[0].tensor.scalar<bool>(); };
  EXPECT_TRUE(initialized());
  harness.resources().Remove<ResourceVariable>("localhost", "v");
  EXPECT_FALSE(initialized());
}

TEST(ResourceGather, TakesRowsWithinBatches) {
  KernelHarness harness;
  const Entry v = Handle(harness, "v");
  harness.Run("AssignVariableOp", {v, In(MakeTensor<float>({2, 3}, {1, 2, 3, 4, 5, 6}))});
  const AttrMap attrs = {{"dtype", DType::kFloat}};
  const Tensor rows = harness.Value("ResourceGather", {v, In(MakeVector<int32_t>({1, 0, 1}))}, attrs);
  EXPECT_EQ(rows.shape(), Shape({3, 3}));
  EXPECT_EQ(Values<float>(rows), Floats({4, 5, 6, 1, 2, 3, 4, 5, 6}));
  AttrMap batched = attrs;
  batched["batch_dims"] = 1;
  const Tensor picked = harness.Value("ResourceGather", {v, In(MakeTensor<int64_t>({2, 1}, {2, 0}))}, batched);
  EXPECT_EQ(Values<float>(picked), Floats({3, 4}));
  EXPECT_EQ(harness.CodeOf("ResourceGather", {v, In(MakeVector<int32_t>({2}))}, attrs), Code::kInvalidArgument);
  EXPECT_EQ(harness.CodeOf("ResourceGather", {v, In(MakeVector<int32_t>({-1}))}, attrs), Code::kInvalidArgument);
  AttrMap deep = attrs;
  deep["batch_dims"] = 10;
  EXPECT_EQ(harness.CodeOf("ResourceGather", {v, In(MakeVector<int32_t>({0}))}, deep), Code::kInvalidArgument);
  EXPECT_EQ(harness.CodeOf("ResourceGather", {Handle(harness, "w"), In(MakeVector<int32_t>({0}))}, attrs),
            Code::kNotFound);
}

}  // namespace
}  // namespace plumb::fast::cpu

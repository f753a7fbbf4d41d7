#include <gtest/gtest.h>

#include <utility>

#include "fastpath/cpu/lib/testing/kernel_harness.h"
#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using Floats = std::vector<float>;
Tensor Vector(std::initializer_list<float> values) { return MakeVector<float>(values); }

AttrMap VariableAttrs(DType dtype, PartialShape shape, std::string shared_name = "", std::string container = "") {
  return {{"dtype", dtype}, {"shape", shape}, {"shared_name", shared_name}, {"container", container}};
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

TEST(ResourceVariable, IsThereForAHint) {
  KernelHarness harness;
  const Entry v = Handle(harness, "v");
  EXPECT_EQ(harness.CodeOf("DisableCopyOnRead", {v}), Code::kFailedPrecondition);
  harness.Run("AssignVariableOp", {v, In(Vector({1, 2}))});
  EXPECT_EQ(harness.CodeOf("DisableCopyOnRead", {v}), Code::kOk);
  EXPECT_EQ(Values<float>(harness.Value("ReadVariableOp", {v}, {{"dtype", DType::kFloat}})), Floats({1, 2}));
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
  EXPECT_EQ(harness.CodeOf("AssignAddVariableOp", {v, In(Vector({1}))}), Code::kInvalidArgument);
  Tensor other(DType::kResource, Shape());
  other.mutable_data<ResourceHandle>()[0].type_name = "Stack";
  EXPECT_EQ(harness.CodeOf("ReadVariableOp", {In(other)}, {{"dtype", DType::kFloat}}), Code::kInvalidArgument);  // R7
}

TEST(ResourceVariable, TheTypeOfAVariableIsItsOwnAndNotItsHandles) {  // R7
  KernelHarness harness;
  const Entry floats = Handle(harness, "v"), ints = Handle(harness, "v", DType::kInt32);
  const AttrMap read_int = {{"dtype", DType::kInt32}}, read_float = {{"dtype", DType::kFloat}};
  EXPECT_EQ(harness.CodeOf("ReadVariableOp", {floats}, read_int), Code::kFailedPrecondition);
  harness.Run("AssignVariableOp", {floats, In(MakeVector<int32_t>({1, 2}))});
  EXPECT_EQ(Values<int32_t>(harness.Value("ReadVariableOp", {floats}, read_int)), (std::vector<int32_t>{1, 2}));
  EXPECT_EQ(Values<int32_t>(harness.Value("ReadVariableOp", {ints}, read_int)), (std::vector<int32_t>{1, 2}));
  EXPECT_EQ(harness.CodeOf("ReadVariableOp", {floats}, read_float), Code::kInvalidArgument);
  EXPECT_EQ(harness.CodeOf("AssignVariableOp", {floats, In(Vector({1}))}), Code::kInvalidArgument);
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
  harness.resources().Remove<ResourceVariable>({"", "localhost", "v"});
  EXPECT_FALSE(initialized());
}

}  // namespace
}  // namespace plumb::fast::cpu

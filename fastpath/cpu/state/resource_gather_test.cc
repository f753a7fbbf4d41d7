#include <gtest/gtest.h>

#include <utility>

#include "fastpath/cpu/lib/testing/kernel_harness.h"
#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using Floats = std::vector<float>;

AttrMap VariableAttrs(DType dtype, PartialShape shape, std::string shared_name = "", std::string container = "") {
  return {{"dtype", dtype}, {"shape", shape}, {"shared_name", shared_name}, {"container", container}};
}

Entry Handle(KernelHarness& harness, std::string shared_name, DType dtype = DType::kFloat) {
  return harness.Run("VarHandleOp", {}, VariableAttrs(dtype, {2}, std::move(shared_name)))[0];
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

#include "spec/ops/shape_inputs.h"

#include <gtest/gtest.h>

#include "spec/ops/catalogue.h"
#include "spec/ops/default_attrs.h"

namespace plumb {
namespace {

std::vector<bool> ShapeInputsOf(const char* name, AttrMap attrs, int inputs) {
  const OpDef& op = *FindOp(name);
  AddDefaults(op, attrs);
  return FindShapeInputs(op, attrs, inputs, static_cast<int>(op.outputs.size()));
}
using Flags = std::vector<bool>;

// Sizes, axes and permutations, not data.
TEST(ShapeInputs, AreThoseThatTheShapeRuleLooksAt) {
  const AttrMap type = {{"T", DType::kFloat}};
  EXPECT_EQ(ShapeInputsOf("Reshape", type, 2), (Flags{false, true}));
  EXPECT_EQ(ShapeInputsOf("Sum", type, 2), (Flags{false, true}));
  EXPECT_EQ(ShapeInputsOf("Transpose", type, 2), (Flags{false, true}));
  EXPECT_EQ(ShapeInputsOf("Slice", {{"T", DType::kFloat}, {"Index", DType::kInt32}}, 3), (Flags{false, true, true}));
  EXPECT_EQ(ShapeInputsOf("Fill", type, 2), (Flags{true, false}));
  EXPECT_EQ(ShapeInputsOf("Range", {}, 3), (Flags{true, true, true}));
  EXPECT_EQ(
      ShapeInputsOf("GatherV2", {{"Tparams", DType::kFloat}, {"Tindices", DType::kInt32}, {"Taxis", DType::kInt32}}, 3),
      (Flags{false, false, true}));
  AttrMap several = type;
  several["num_split"] = int64_t{2};
  several["Index"] = several["Tlen"] = DType::kInt32;
  EXPECT_EQ(ShapeInputsOf("SplitV", several, 3), (Flags{false, true, true}));
  EXPECT_EQ(ShapeInputsOf("StridedSlice", several, 4), (Flags{false, true, true, true}));
  EXPECT_EQ(ShapeInputsOf("StridedSliceGrad", several, 5), (Flags{true, true, true, true, false}));
  EXPECT_EQ(ShapeInputsOf("SpaceToBatchND", type, 3), (Flags{false, true, true}));
  EXPECT_EQ(ShapeInputsOf("MatrixDiagV3", type, 5), (Flags{false, true, true, true, false}));
  EXPECT_EQ(ShapeInputsOf("RandomUniformInt", {{"T", DType::kInt32}, {"Tout", DType::kInt32}}, 3),
            (Flags{true, true, true}));
  EXPECT_EQ(ShapeInputsOf("MatMul", type, 2), (Flags{false, false}));
  EXPECT_EQ(ShapeInputsOf("Add", type, 2), (Flags{false, false}));
}

}  // namespace
}  // namespace plumb

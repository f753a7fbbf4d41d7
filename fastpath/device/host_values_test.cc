#include "fastpath/device/host_values.h"

#include <gtest/gtest.h>

#include "spec/ops/catalogue.h"

namespace plumb::fast {
namespace {

Node NodeWith(const char* op, AttrMap types, bool stays = false) {
  Node node;
  node.op = FindOp(op);
  node.attrs = std::move(types);
  if (stays) node.attrs[kStaysOnHost] = true;
  return node;
}

bool Computes(const char* op, AttrMap types) { return ComputesOnHost(NodeWith(op, std::move(types))); }

// What TensorFlow 2.12 registers for GPUs with all arguments in the host's memory.
TEST(HostValues, AreOfInt32AndOfWhatComparesIt) {
  for (const char* const op : {"Add", "AddV2", "Sub", "Mul", "FloorDiv", "FloorMod", "Maximum", "Less", "GreaterEqual",
                               "Neg", "Pack", "ConcatV2", "Slice", "StridedSlice", "Sum", "Prod", "Reshape", "Fill"}) {
    AttrMap types = {{"T", DType::kInt32},
                     {"Index", DType::kInt32},
                     {"Tidx", DType::kInt32},
                     {"Tshape", DType::kInt32},
                     {"index_type", DType::kInt32}};
    EXPECT_TRUE(Computes(op, types)) << op;
    for (const DType type : {DType::kFloat, DType::kInt64}) {
      types["T"] = type;
      EXPECT_FALSE(Computes(op, types)) << op << " of " << DTypeName(type);
    }
  }
  EXPECT_TRUE(Computes("Range", {{"Tidx", DType::kInt32}}));
  EXPECT_FALSE(Computes("Range", {{"Tidx", DType::kFloat}}));
  EXPECT_TRUE(Computes("ConcatOffset", {}));
  EXPECT_TRUE(Computes("Shape", {{"T", DType::kInt32}, {"out_type", DType::kInt32}}));
}

TEST(HostValues, AreNotWhereGpusComputeOrProductsAreAddedUpOrSomethingHasEffects) {
  EXPECT_FALSE(Computes("MatMul", {{"T", DType::kInt32}}));
  EXPECT_FALSE(Computes("LogicalAnd", {}));
  EXPECT_FALSE(Computes("Cast", {{"SrcT", DType::kInt32}, {"DstT", DType::kFloat}}));
  EXPECT_FALSE(Computes("RandomUniformInt", {{"T", DType::kInt32}, {"Tout", DType::kInt32}}));
  EXPECT_FALSE(Computes("VariableV2", {{"dtype", DType::kInt32}}));
  EXPECT_FALSE(Computes("Assign", {{"T", DType::kInt32}}));
  EXPECT_FALSE(Computes("Add", {}));  // of no type
}

// What GPUs have kernels for is the host's where a pass has said so.
TEST(HostValues, AreThereWhereANodeIsToStay) {
  EXPECT_FALSE(ComputesOnHost(NodeWith("DynamicStitch", {{"T", DType::kInt32}})));
  EXPECT_TRUE(ComputesOnHost(NodeWith("DynamicStitch", {{"T", DType::kInt32}}, true)));
  EXPECT_FALSE(ComputesOnHost(NodeWith("DynamicStitch", {{"T", DType::kFloat}}, true)));
}

}  // namespace
}  // namespace plumb::fast

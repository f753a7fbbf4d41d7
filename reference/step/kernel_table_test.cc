// Rule A7: which types a kernel takes is said by its row; a check of its own refuses those that do not go together.
#include <gtest/gtest.h>

#include "reference/kernel/op_context.h"
#include "spec/ops/catalogue.h"
#include "spec/validate/some_node_testing.h"

namespace plumb::reference {
namespace {

bool HasNoKernel(std::string_view op, AttrMap types) {
  const Node node = ResolveNode(SomeNode(GetOp(op), std::move(types)).value());
  try {
    FindCheck(op)(node);
  } catch (const Error& error) {
    EXPECT_EQ(error.status().code(), Code::kInvalidArgument) << op;
    return error.status().reason() == Reason::kNoKernel;
  }
  return false;
}

TEST(KernelTable, TypesThatDoNotGoTogetherHaveNoKernel) {
  const auto float32 = DType::kFloat, float64 = DType::kDouble, narrow = DType::kComplex64, wide = DType::kComplex128;
  EXPECT_TRUE(HasNoKernel("Real", {{"T", wide}, {"Tout", float32}}));
  EXPECT_FALSE(HasNoKernel("Real", {{"T", wide}, {"Tout", float64}}));
  EXPECT_TRUE(HasNoKernel("Complex", {{"T", float32}, {"Tout", wide}}));
  EXPECT_FALSE(HasNoKernel("Complex", {{"T", float32}, {"Tout", narrow}}));
  for (const char* op : {"RFFT", "IRFFT2D"}) {
    EXPECT_TRUE(HasNoKernel(op, {{"Treal", float32}, {"Tcomplex", wide}})) << op;
    EXPECT_TRUE(HasNoKernel(op, {{"Treal", float64}, {"Tcomplex", narrow}})) << op;
    EXPECT_FALSE(HasNoKernel(op, {{"Treal", float64}, {"Tcomplex", wide}})) << op;
  }
  EXPECT_TRUE(HasNoKernel("Eig", {{"T", float32}, {"Tout", wide}}));
  EXPECT_FALSE(HasNoKernel("Eig", {{"T", narrow}, {"Tout", narrow}}));
  EXPECT_TRUE(HasNoKernel("BatchMatMulV3", {{"Ta", float32}, {"Tb", float32}, {"Tout", float64}}));
  EXPECT_FALSE(HasNoKernel("BatchMatMulV3", {{"Ta", float32}, {"Tb", float32}, {"Tout", float32}}));
  EXPECT_TRUE(HasNoKernel("QuantizedRelu", {{"Tinput", DType::kQuint8}, {"out_type", DType::kQint32}}));
  EXPECT_FALSE(HasNoKernel("QuantizedRelu", {{"Tinput", DType::kQint32}, {"out_type", DType::kQint32}}));
}

}  // namespace
}  // namespace plumb::reference

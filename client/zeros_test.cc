#include "client/zeros.h"

#include <gtest/gtest.h>

#include "spec/graph/builder.h"

namespace plumb {
namespace {

// As TensorFlow's zeros: a constant of less than a thousand elements, and for others how to make them.
TEST(Zeros, AreWrittenDownWhereTheyAreFew) {
  const auto op_of = [](const Shape& shape) {
    GraphBuilder builder;
    const Endpoint zeros = ZerosOf(builder, shape, DType::kFloat);
    EXPECT_EQ(builder.shape(zeros), PartialShape(shape));
    return builder.graph().node(zeros.node).op->name;
  };
  EXPECT_EQ(op_of({27, 37}), "Const");
  EXPECT_EQ(op_of({1000}), "Fill");
  EXPECT_EQ(op_of({1000, 0}), "Const");
}

}  // namespace
}  // namespace plumb

#include "spec/validate/shapes.h"

#include <gtest/gtest.h>

namespace plumb {
namespace {

PartialShape ShapeOfPlaceholder(int producer, PartialShape declared) {
  GraphDef def;
  def.versions.producer = producer;
  def.nodes.push_back({.name = "p",
                       .op = "Placeholder",
                       .inputs = {},
                       .device = {},
                       .attrs = {{"dtype", DType::kFloat}, {"shape", std::move(declared)}},
                       .debug_info = {}});
  return InferGraphShapes(Graph::Load(def))[0][0];
}

TEST(GraphShapes, AnOldPlaceholderOfNoDimensionsHasAnUnknownShape) {  // rule V4
  const PartialShape scalar = Shape();
  EXPECT_EQ(ShapeOfPlaceholder(21, scalar), PartialShape::Unknown());
  EXPECT_EQ(ShapeOfPlaceholder(22, scalar), scalar);
  EXPECT_EQ(ShapeOfPlaceholder(21, {3}), PartialShape({3}));
}

}  // namespace
}  // namespace plumb

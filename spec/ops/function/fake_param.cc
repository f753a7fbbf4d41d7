#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes DeclaredShapes(const ShapeContext& c) { return OfShapeAttr(c); }

}  // namespace

std::span<const OpRow> FunctionFakeParam() {
  static const OpRow rows[] = {
      {.signature = "FakeParam() -> (output: dtype)",
       .attrs = "dtype: type; shape: shape",
       .doc =
           "What stands in the branch of a conditional for a value that only another branch has: nobody looks at its "
           "elements, which are zero here. Dimensions that the attribute leaves open have the size 0.",
       .shape_fn = DeclaredShapes,
       .samples = {"shape=[2 3]: ", "shape=[]: "}},
  };
  return rows;
}

}  // namespace plumb::topics

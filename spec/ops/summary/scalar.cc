#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes ScalarShapes(const ShapeContext&) { return {PartialShape(Shape())}; }

}  // namespace

std::span<const OpRow> SummaryScalar() {
  static const OpRow rows[] = {
      {.signature = "ScalarSummary(tags: string, values: T) -> (summary: string)",
       .attrs = "T: type in [float32, float64, int32, uint8, int16, int8, int64, bfloat16, uint16, float16, uint32, "
                "uint64]",
       .doc = "A summary with each of values, as a float, under its tag (Z13).",
       .shape_fn = ScalarShapes,
       .gradient = BlocksGradient(),
       .samples = {"[d...] [d...]", "{'loss', 'rate'} [2]", "'one' []"}},
      {.signature = "MergeSummary(inputs: string*N) -> (summary: string)",
       .attrs = "N: int >= 1",
       .doc = "The values of all summaries in one; no tag may occur twice (Z13).",
       .shape_fn = ScalarShapes,
       .gradient = BlocksGradient(),
       .samples = {"(x'0a080a01631500002041')", "(x'0a080a01631500002041' {x'0a080a01641500002041', ''})", "('' '')"}},
  };
  return rows;
}

}  // namespace plumb::topics

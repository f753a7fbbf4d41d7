#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// The input's shape only has to agree with the attribute, which may be less precise and is the answer.
Shapes PlaceholderWithDefaultShapes(const ShapeContext& c) {
  const PartialShape& declared = c.attr<PartialShape>("shape");
  MergeShapes(c, c.input(0), declared);
  return {declared};
}

Values PlaceholderWithDefaultGradient(Gradient& g) { return {g.raw_dy()}; }

}  // namespace

std::span<const OpRow> ArrayPlaceholder() {
  static const OpRow rows[] = {
      {.signature = "Placeholder() -> (output: dtype)",
       .attrs = "dtype: type; shape: shape = ?",
       .doc = "Stands for a value that is fed. Running it unfed is an error (rule F11); `shape` is a promise "
              "about the value.",
       .kind = OpKind::kPlaceholder,
       .shape_fn = OfShapeAttr,
       .samples = {"-: the executor itself"}},
      {.signature = "PlaceholderV2() -> (output: dtype)",
       .attrs = "dtype: type; shape: shape",
       .doc = "Placeholder whose shape must be given.",
       .kind = OpKind::kPlaceholder,
       .shape_fn = OfShapeAttr,
       .samples = {"-: the executor itself"},
       .deprecated = {23, "Placeholder now behaves the same as PlaceholderV2."}},
      {.signature = "PlaceholderWithDefault(input: dtype) -> (output: dtype) hands_on",
       .attrs = "dtype: type; shape: shape",
       .doc = "Gives its input unless another value is fed in its place.",
       .kind = OpKind::kPlaceholderWithDefault,
       .shape_fn = PlaceholderWithDefaultShapes,
       .strictness = Strictness::kRepeatsDeclaration,
       .gradient = PlaceholderWithDefaultGradient,
       .samples = {"shape=?: [d...]", "shape=[2 3]: [2 3]"}},
  };
  return rows;
}

}  // namespace plumb::topics

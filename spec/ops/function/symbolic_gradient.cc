#include "spec/ops/op_def.h"

namespace plumb::topics {
namespace {

// D8: a gradient has the shape of what it is the gradient of.
std::vector<PartialShape> OfArguments(const ShapeContext& c) {
  std::vector<PartialShape> shapes;
  for (int i = 0; i < c.num_outputs(); ++i) shapes.push_back(i < c.num_inputs() ? c.input(i) : PartialShape());
  return shapes;
}

}  // namespace

std::span<const OpRow> FunctionSymbolicGradient() {
  static const OpRow rows[] = {
      {.signature = "SymbolicGradient(input: list(Tin)) -> (output: list(Tout)) differentiates_body",
       .attrs = "Tin: list(type) >= 1; Tout: list(type) >= 1; f: func",
       .doc = "The gradients of the arguments of f, from its arguments and the gradients of its results (rule FN8).",
       .kind = OpKind::kSymbolicGradient,
       .shape_fn = OfArguments,
       .strictness = Strictness::kRepeatsDeclaration,
       .samples = {"-: it needs a function"}},
  };
  return rows;
}

}  // namespace plumb::topics

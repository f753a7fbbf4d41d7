#include "spec/graph/function_gradient.h"
#include "spec/ops/op_def.h"
#include "spec/ops/output_shapes.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// A turn may change any shape.
std::vector<PartialShape> NothingKnown(const ShapeContext& c) {
  for (int i = 0; i < 3; ++i) RequireScalar(c, i);
  return std::vector<PartialShape>(static_cast<size_t>(c.num_outputs()));
}

constexpr char kAttrs[] =
    "T: list(type) >= 0; cond: func; body: func; output_shapes: list(shape) = []; parallel_iterations: int = 10";

}  // namespace

std::span<const OpRow> FunctionWhileLoop() {
  static const OpRow rows[] = {
      {.signature = "While(input: list(T)) -> (output: list(T)) stateful",
       .attrs = kAttrs,
       .doc = "Replaces its inputs by what body makes of them as long as cond says so (rule FN7).",
       .kind = OpKind::kWhile,
       .shape_fn = OfOutputShapes,
       .strictness = Strictness::kRepeatsDeclaration,
       .gradient = LoopGradient(),
       .gradient_trial = {.untried = "it needs functions"},
       .samples = {"-: it needs functions"}},
      {.signature = "StatelessWhile(input: list(T)) -> (output: list(T))",
       .attrs = kAttrs,
       .doc = "While of functions without effects.",
       .kind = OpKind::kWhile,
       .shape_fn = OfOutputShapes,
       .strictness = Strictness::kRepeatsDeclaration,
       .gradient = LoopGradient(),
       .gradient_trial = {.untried = "it needs functions"},
       .samples = {"-: it needs functions"}},
      {.signature = "For(start: int32, limit: int32, delta: int32, input: list(T)) -> (output: list(T)) counts_turns",
       .attrs = "T: list(type) >= 0; body: func",
       .doc = "Replaces its inputs by what body makes of the count and of them, for each count from start in steps of "
              "delta to before limit (rule FN7).",
       .kind = OpKind::kWhile,
       .shape_fn = NothingKnown,
       .samples = {"-: it needs a function"}},
  };
  return rows;
}

}  // namespace plumb::topics

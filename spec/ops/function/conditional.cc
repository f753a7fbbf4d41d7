#include "spec/graph/function_calls.h"
#include "spec/graph/function_gradient.h"
#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/output_shapes.h"

namespace plumb::topics {
namespace {

// FN8: the same choice between the gradients of the branches.
Values ChoiceGradient(Gradient& g, AttrMap branches) {
  std::vector<Endpoint> inputs = g.op().inputs;
  std::vector<DType> types(g.op().input_types.begin() + 1, g.op().input_types.end());
  for (DType& type : types) type = Base(type);
  for (int i = 0; i < g.num_outputs(); ++i) inputs.push_back(g.dy(i));
  branches.emplace("Tout", types);
  const NodeId node = g.Add(g.op().op->name, inputs, std::move(branches));
  Values dxs(1);
  for (int i = 0; i < static_cast<int>(types.size()); ++i) {
    dxs.push_back(HasGradient(types[static_cast<size_t>(i)]) ? Endpoint{node, i} : GradientValue::None());
  }
  return dxs;
}

Values IfGradient(Gradient& g) {
  return ChoiceGradient(g, {{"then_branch", GradientRef(g.attr<FunctionRef>("then_branch"))},
                            {"else_branch", GradientRef(g.attr<FunctionRef>("else_branch"))}});
}

Values CaseGradient(Gradient& g) {
  std::vector<FunctionRef> branches = g.attr<std::vector<FunctionRef>>("branches");
  for (FunctionRef& branch : branches) branch = GradientRef(branch);
  return ChoiceGradient(g, {{"branches", std::move(branches)}});
}

constexpr char kIfAttrs[] =
    "Tcond: type; Tin: list(type) >= 0; Tout: list(type) >= 0; then_branch: func; else_branch: func; "
    "output_shapes: list(shape) = []";
constexpr char kCaseAttrs[] =
    "Tin: list(type) >= 0; Tout: list(type) >= 0; branches: list(func) >= 1; output_shapes: list(shape) = []";

}  // namespace

std::span<const OpRow> FunctionConditional() {
  static const OpRow rows[] = {
      {.signature = "If(cond: Tcond, input: list(Tin)) -> (output: list(Tout)) stateful",
       .attrs = kIfAttrs,
       .doc = "Calls then_branch or else_branch with `input`, as cond says (rule FN7).",
       .kind = OpKind::kIf,
       .shape_fn = OfOutputShapes,
       .strictness = Strictness::kRepeatsDeclaration,
       .gradient = IfGradient,
       .gradient_trial = {.untried = "it needs functions"},
       .samples = {"-: it needs functions"}},
      {.signature = "StatelessIf(cond: Tcond, input: list(Tin)) -> (output: list(Tout))",
       .attrs = kIfAttrs,
       .doc = "If between functions without effects.",
       .kind = OpKind::kIf,
       .shape_fn = OfOutputShapes,
       .strictness = Strictness::kRepeatsDeclaration,
       .gradient = IfGradient,
       .gradient_trial = {.untried = "it needs functions"},
       .samples = {"-: it needs functions"}},
      {.signature = "Case(branch_index: int32, input: list(Tin)) -> (output: list(Tout)) stateful",
       .attrs = kCaseAttrs,
       .doc = "Calls the branch of this index with `input`; the last one when there is none (rule FN7).",
       .kind = OpKind::kCase,
       .shape_fn = OfOutputShapes,
       .strictness = Strictness::kRepeatsDeclaration,
       .gradient = CaseGradient,
       .gradient_trial = {.untried = "it needs functions"},
       .samples = {"-: it needs functions"}},
      {.signature = "StatelessCase(branch_index: int32, input: list(Tin)) -> (output: list(Tout))",
       .attrs = kCaseAttrs,
       .doc = "Case of functions without effects.",
       .kind = OpKind::kCase,
       .shape_fn = OfOutputShapes,
       .strictness = Strictness::kRepeatsDeclaration,
       .gradient = CaseGradient,
       .gradient_trial = {.untried = "it needs functions"},
       .samples = {"-: it needs functions"}},
  };
  return rows;
}

}  // namespace plumb::topics

// Ref variables (rules R10–R22).
#include "reference/kernel/op_context.h"
#include "reference/kernel/variables.h"
#include "reference/ops/lib/variable_update.h"

namespace plumb::reference {
namespace {

// R10: running the op only yields a reference. R3: a variable without a shared name is called as its node.
void DeclareVariable(OpContext& c, const Shape& declared) {
  const std::string shared_name = SharedNameOf(c.node);
  const ResourceName name = {c.node.device, ContainerOf(c.node), shared_name.empty() ? c.node.name : shared_name};
  c.resources.FindOrCreate<Variable>(name).Declare(c.output_type(0), declared);
  c.outputs[0].ref = c.resources.Share<Variable>(name);
}

// R12: an unknown rank is taken for a scalar, which an Assign that does not validate shapes may change.
void MakeVariable(OpContext& c) {
  const PartialShape& shape = c.attr<PartialShape>("shape");
  DeclareVariable(c, shape.has_rank() ? shape.ToShape() : Shape());
}
void CheckVariable(const Node& node) {  // A7
  const auto& shape = GetAttr<PartialShape>(node.attrs, "shape");
  Require(!shape.has_rank() || shape.IsFullyDefined(), "the shape ", shape.ToString(),
          " of a variable must be fully defined");
}

void RefIdentity(OpContext& c) { c.outputs[0] = c.inputs[0]; }

void IsVariableInitialized(OpContext& c) { c.Output(0, MakeScalar<bool>(c.ref(0).IsInitialized())); }

// R20.
void Assign(OpContext& c) {
  Variable& variable = c.ref(0);
  if (!c.tensor(1).IsSet()) throw Internal("the value that is assigned is a variable that is not initialized");
  const Shape& shape = c.tensor(1).shape();
  Require(!c.attr<bool>("validate_shape") || shape == variable.shape(),
          "Assign requires shapes of both tensors to match: ", variable.shape().ToString(), " of the variable, ",
          shape.ToString(), " of the value");
  variable.Assign(c.input(1));
  c.outputs[0] = c.inputs[0];
}

template <Update update>
void AssignUpdate(OpContext& c) {
  c.ref(0).Update(UpdatedValue(update, c.input(0), c.input(1)));
  c.outputs[0] = c.inputs[0];
}

constexpr KernelRow kRows[] = {
    {"Variable", MakeVariable, CheckVariable},
    {"VariableV2", MakeVariable, CheckVariable},
    {"RefIdentity", RefIdentity},
    {"IsVariableInitialized", IsVariableInitialized},
    {"Assign", Assign},
    {"AssignAdd", AssignUpdate<Update::kAdd>},
    {"AssignSub", AssignUpdate<Update::kSubtract>},
};

}  // namespace

namespace topics {
std::span<const KernelRow> StateVariable() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

// Variables: ref variables (facts 3.2, 3.3) and resource variables (facts 3.5). Values are immutable; an update puts a
// new value into the slot, so that whoever read the old one keeps it (rules E3, R32).
#include "reference/op_context.h"
#include "reference/variables.h"

namespace plumb::reference {
namespace {

// R10: running the op only yields a reference. R3: a variable without a shared name is called as its node.
void DeclareVariable(OpContext& c, PartialShape declared) {
  Require(declared.IsFullyDefined(), "the shape ", declared.ToString(), " of a variable must be fully defined");
  const std::string container = ContainerOf(c.node);
  const std::string shared_name = SharedNameOf(c.node);
  const std::string& name = shared_name.empty() ? c.node.name : shared_name;
  Slot& slot = c.resources.FindOrCreate<Slot>(container, name);
  if (slot.dtype == DType::kInvalid) {
    slot.dtype = c.output_type(0);
    slot.declared = std::move(declared);
  }
  c.outputs[0].ref = c.resources.Share<Slot>(container, name);
}

void VariableV2(OpContext& c) { DeclareVariable(c, c.attr<PartialShape>("shape")); }

// R12: the old op takes an unknown rank for a scalar.
void Variable(OpContext& c) {
  const PartialShape& shape = c.attr<PartialShape>("shape");
  DeclareVariable(c, shape.has_rank() ? shape : PartialShape(Shape()));
}

void IsVariableInitialized(OpContext& c) { c.Output(0, MakeScalar<bool>(c.ref(0).IsInitialized())); }

Shape ShapeOf(const Slot& slot) { return slot.value ? slot.value->tensor.shape() : slot.declared.ToShape(); }

// R20.
void Assign(OpContext& c) {
  Slot& slot = c.ref(0);
  const Shape& shape = c.tensor(1).shape();
  Require(!c.attr<bool>("validate_shape") || shape == ShapeOf(slot),
          "Assign requires shapes of both tensors to match: ", ShapeOf(slot).ToString(), " of the variable, ",
          shape.ToString(), " of the value");
  slot.value = c.input(1);
  c.outputs[0] = c.inputs[0];
}

// R3, R40: the handle's name is the shared name, be it empty; no variable exists yet.
void VarHandleOp(OpContext& c) {
  ResourceHandle handle;
  handle.container = ContainerOf(c.node);
  handle.name = SharedNameOf(c.node);
  handle.type_name = kVariableType;
  handle.dtype = c.attr<DType>("dtype");
  handle.shape_text = c.attr<PartialShape>("shape").ToString();
  c.Output(0, MakeScalar(std::move(handle)));
}

void VarIsInitializedOp(OpContext& c) {
  const Slot* slot = FindVariable(c, 0);
  c.Output(0, MakeScalar<bool>(slot != nullptr && slot->value.has_value()));
}

void CheckVariableType(const Slot& slot, DType wanted) {
  Require(slot.dtype == wanted, "the resource variable holds ", DTypeName(slot.dtype), ", not ", DTypeName(wanted));
}

// R42.
void ReadVariableOp(OpContext& c) {
  Slot& slot = GetVariable(c, 0, Code::kFailedPrecondition);
  CheckVariableType(slot, c.output_type(0));
  c.Output(0, InitializedValue(slot, c.node.name));
}

// R41: creates or replaces the value.
void AssignVariableOp(OpContext& c) {
  const ResourceHandle& handle = HandleInput(c, 0, kVariableType);
  const Value& value = c.input(1);
  Slot& slot = c.resources.FindOrCreate<HandleVariable>(handle.container, handle.name);
  if (slot.dtype == DType::kInvalid) slot.dtype = value.tensor.dtype();
  CheckVariableType(slot, value.tensor.dtype());
  Require(!GetAttrOr<bool>(c.node.attrs, "validate_shape", false) || !slot.value ||
              slot.value->tensor.shape() == value.tensor.shape(),
          "the variable's shape is not the value's, ", value.tensor.shape().ToString());
  slot.value = value;
}

}  // namespace

std::span<const KernelRow> StateKernels() {
  static constexpr KernelRow rows[] = {
      {"VariableV2", VariableV2},
      {"Variable", Variable},
      {"IsVariableInitialized", IsVariableInitialized},
      {"Assign", Assign},
      {"VarHandleOp", VarHandleOp},
      {"VarIsInitializedOp", VarIsInitializedOp},
      {"ReadVariableOp", ReadVariableOp},
      {"AssignVariableOp", AssignVariableOp},
  };
  return rows;
}

}  // namespace plumb::reference

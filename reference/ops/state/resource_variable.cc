// Resource variables (rules R40–R49).
#include "reference/ops/lib/resource_variable.h"

#include "reference/kernel/op_context.h"
#include "reference/kernel/variables.h"
#include "reference/ops/lib/variable_update.h"
#include "spec/session/anonymous_name.h"

namespace plumb::reference {
namespace {

// R2, R3, R40: the handle's names are the attributes as they stand, be they empty; no variable exists yet.
void VarHandleOp(OpContext& c) {
  ResourceHandle handle;
  handle.device = c.node.device;
  handle.container = GetAttrOr<std::string>(c.node.attrs, "container", "");
  if (handle.container.empty()) handle.container = kDefaultContainer;
  handle.name = GetAttrOr<std::string>(c.node.attrs, "shared_name", "");
  if (handle.name == kAnonymousName) {
    handle.container = kAnonymousContainer;
    handle.name = Str(c.node.name, "_", c.execution);
  }
  handle.type_name = kVariableType;
  handle.dtype = c.attr<DType>("dtype");
  handle.shape_text = c.attr<PartialShape>("shape").ToString();
  c.Output(0, MakeScalar(std::move(handle)));
}

void VarIsInitializedOp(OpContext& c) {
  const HandleVariable* variable = FindVariable(c, 0);
  c.Output(0, MakeScalar<bool>(variable != nullptr && variable->IsInitialized()));
}

// R42.
void ReadVariableOp(OpContext& c) {
  const HandleVariable& variable = GetVariable(c, 0, Code::kFailedPrecondition);
  CheckVariableType(variable, c.output_type(0));
  c.Output(0, variable.Read(c.node.name));
}

// R48.
void VariableShape(OpContext& c) {
  const HandleVariable& variable = GetVariable(c, 0, Code::kNotFound);
  const std::vector<int64_t> dims = variable.Read(c.node.name).tensor.shape().ToVector();
  Tensor shape(c.output_type(0), {static_cast<int64_t>(dims.size())});
  for (size_t i = 0; i < dims.size(); ++i) {
    if (shape.dtype() == DType::kInt64) {
      shape.mutable_data<int64_t>()[i] = dims[i];
    } else {
      Require(dims[i] <= INT32_MAX, "the variable's dimension ", dims[i], " does not fit into int32");
      shape.mutable_data<int32_t>()[i] = static_cast<int32_t>(dims[i]);
    }
  }
  c.Output(0, std::move(shape));
}

// R41: creates or replaces the value; it may be an alias.
void AssignVariableOp(OpContext& c) {
  const ResourceHandle& handle = ResourceInput(c, 0, kVariableType);
  const Value& value = c.input(1);
  HandleVariable& variable = VariablesOf(c, handle).FindOrCreate<HandleVariable>(NameIn(handle));
  if (variable.IsInitialized()) {
    CheckVariableType(variable, value.tensor.dtype());
    Require(!GetAttrOr<bool>(c.node.attrs, "validate_shape", false) ||
                variable.Read(c.node.name).tensor.shape() == value.tensor.shape(),
            "the variable's shape is not the value's, ", value.tensor.shape().ToString());
  }
  variable.Assign(value);
}

template <Update update>
void AssignVariableUpdate(OpContext& c) {
  HandleVariable& variable = GetVariable(c, 0);
  CheckVariableType(variable, c.tensor(1).dtype());
  variable.Update(UpdatedValue(update, variable.Read(c.node.name), c.input(1)));
}

// A hint that changes no value.
void DisableCopyOnRead(OpContext& c) { GetVariable(c, 0, Code::kFailedPrecondition); }

// R47.
void DestroyResourceOp(OpContext& c) {
  const ResourceHandle& handle = ResourceInput(c, 0, kVariableType);
  const bool removed = VariablesOf(c, handle).Remove<HandleVariable>(NameIn(handle));
  if (!removed && !c.attr<bool>("ignore_lookup_error")) {
    throw NotFound("the resource variable '", handle.name, "' has not been assigned");
  }
}

constexpr KernelRow kRows[] = {
    {"VarHandleOp", VarHandleOp},
    {"VarIsInitializedOp", VarIsInitializedOp},
    {"ReadVariableOp", ReadVariableOp},
    {"VariableShape", VariableShape},
    {"AssignVariableOp", AssignVariableOp},
    {"AssignAddVariableOp", AssignVariableUpdate<Update::kAdd>},
    {"AssignSubVariableOp", AssignVariableUpdate<Update::kSubtract>},
    {"DisableCopyOnRead", DisableCopyOnRead},
    {"DestroyResourceOp", DestroyResourceOp},
};

}  // namespace

namespace topics {
std::span<const KernelRow> StateResourceVariable() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

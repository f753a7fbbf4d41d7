// Variables that live no longer than their step (rule R14).
#include "reference/kernel/op_context.h"

namespace plumb::reference {
namespace {

ResourceName TemporaryName(OpContext& c) {
  const std::string& given = c.attr<std::string>("var_name");
  return {"", "_temporary_variables", given.empty() ? c.node.name : given};
}

void CheckTemporaryVariable(const Node& node) {  // A7
  const auto& shape = GetAttr<PartialShape>(node.attrs, "shape");
  Require(shape.IsFullyDefined(), "the shape ", shape.ToString(), " of a temporary variable must be fully defined");
}

void TemporaryVariable(OpContext& c) {
  const auto& shape = c.attr<PartialShape>("shape");
  const ResourceName name = TemporaryName(c);
  if (c.step.Find<Variable>(name) != nullptr) {
    throw Error(Code::kAlreadyExists, Str("there is a temporary variable '", name.name, "' in this step already"));
  }
  const DType type = c.output_type(0);
  Variable& variable = c.step.FindOrCreate<Variable>(name);
  variable.Declare(type, shape.ToShape());
  variable.Assign(Zeros(type, shape.ToShape()));
  c.outputs[0].ref = c.step.Share<Variable>(name);
}

void DestroyTemporaryVariable(OpContext& c) {
  const ResourceName name = TemporaryName(c);
  c.Output(0, c.ref(0).Read(c.node.name));
  if (!c.step.Remove<Variable>(name)) throw NotFound("there is no temporary variable '", name.name, "' in this step");
}

constexpr KernelRow kRows[] = {
    {"TemporaryVariable", TemporaryVariable, CheckTemporaryVariable},
    {"DestroyTemporaryVariable", DestroyTemporaryVariable},
};

}  // namespace

namespace topics {
std::span<const KernelRow> StateTemporaryVariable() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

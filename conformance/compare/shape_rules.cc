#include "conformance/compare/shape_rules.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace plumb::conformance {
namespace {

using reference::Item;
using reference::NodeRun;
using VariableName = std::tuple<std::string, std::string, std::string>;
using Variables = std::map<VariableName, VariableType>;

// R1.
VariableName NameOf(const ResourceHandle& handle) { return {handle.device, handle.container, handle.name}; }

enum class Knowledge { kValues, kShapes, kNothing };

// Null for what is dead, or a reference to a variable without a value.
const Tensor* TensorOf(const Item& item) { return item.value.tensor.IsSet() ? &item.value.tensor : nullptr; }
// The shape of what a kernel left: behind a reference, of the variable afterwards.
std::optional<Shape> ResultShape(const reference::Token& token) {
  if (token.dead) return std::nullopt;
  if (token.item.ref == nullptr) return token.item.value.tensor.shape();
  if (!token.item.ref->IsInitialized()) return std::nullopt;
  return token.item.ref->shape();
}

class Context : public ShapeContext {
 public:
  Context(const NodeRun& run, const Variables& variables, Knowledge knowledge)
      : run_(run), variables_(variables), knowledge_(knowledge), shapes_(run.inputs.size()) {
    for (size_t i = 0; i < shapes_.size() && knowledge != Knowledge::kNothing; ++i) {
      if (const Tensor* tensor = TensorOf(run.inputs[i])) shapes_[i] = PartialShape(tensor->shape());
    }
  }
  const OpDef& op() const override { return *run_.node.op; }
  const AttrMap& attrs() const override { return run_.node.attrs; }
  int num_inputs() const override { return static_cast<int>(shapes_.size()); }
  int num_outputs() const override { return static_cast<int>(run_.node.output_types.size()); }
  const PartialShape& input(int i) const override { return shapes_[static_cast<size_t>(i)]; }
  const Tensor* constant(int i) const override {
    return knowledge_ == Knowledge::kValues ? TensorOf(run_.inputs[static_cast<size_t>(i)]) : nullptr;
  }
  std::optional<VariableType> variable(int i) const override {
    const Tensor* handle = TensorOf(run_.inputs[static_cast<size_t>(i)]);
    if (handle == nullptr || handle->dtype() != DType::kResource || handle->elements() != 1) return std::nullopt;
    const auto found = variables_.find(NameOf(handle->scalar<ResourceHandle>()));
    return found == variables_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  const NodeRun& run_;
  const Variables& variables_;
  const Knowledge knowledge_;
  std::vector<PartialShape> shapes_;
};

// Nothing where the rule refuses what the kernel took, and may.
std::optional<std::vector<PartialShape>> Inferred(const NodeRun& run, const Variables& variables, Knowledge knowledge) {
  try {
    return InferShapes(Context(run, variables, knowledge));
  } catch (const Error& error) {
    if (run.node.op->strictness == Strictness::kStricterThanKernel) return std::nullopt;
    throw Internal("the shape rule of ", run.node.op->name, " refuses what its kernel did at node '", run.node.name,
                   "': ", error.what());
  }
}

}  // namespace

void ShapeRules::Check(const NodeRun& run) {
  const reference::Rule rule = run.step_node.rule;
  if (run.dead || rule == reference::Rule::kFeed || rule == reference::Rule::kFetch) return;
  if (run.node.op->strictness != Strictness::kRepeatsDeclaration) CheckOutputs(run);
  if (run.node.op->HandleKind(0) != "Variable" || run.outputs[0].dead) return;
  variables_[NameOf(TensorOf(run.outputs[0].item)->scalar<ResourceHandle>())] = {
      GetAttr<DType>(run.node.attrs, "dtype"), GetAttr<PartialShape>(run.node.attrs, "shape")};
}

void ShapeRules::CheckOutputs(const NodeRun& run) {
  for (const Knowledge knowledge : {Knowledge::kValues, Knowledge::kShapes, Knowledge::kNothing}) {
    const auto inferred = Inferred(run, variables_, knowledge);
    if (!inferred) return;  // with less knowledge the rule speaks of inputs that it would refuse
    const std::vector<PartialShape>& allowed = *inferred;
    for (size_t i = 0; i < run.outputs.size(); ++i) {
      const std::optional<Shape> shape = ResultShape(run.outputs[i]);
      if (!shape) continue;
      if (i >= allowed.size() || !allowed[i].IsCompatibleWith(PartialShape(*shape))) {
        throw Internal("the shape rule of ", run.node.op->name, " gives ",
                       i < allowed.size() ? allowed[i].ToString() : "nothing", " for output ", i, " of node '",
                       run.node.name, "', but its kernel gave ", shape->ToString());
      }
      if (knowledge == Knowledge::kValues && !allowed[i].IsFullyDefined()) open_.insert(run.node.op->name);
    }
  }
}

}  // namespace plumb::conformance

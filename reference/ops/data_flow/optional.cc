// Values that may be missing.
#include "reference/ops/lib/optional.h"

#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"
#include "spec/core/variant_codec.h"

namespace plumb::reference {
namespace {

const Optional& OptionalInput(const OpContext& c) {
  const Tensor& tensor = c.tensor(0);
  Require(tensor.rank() == 0, "an optional is a scalar, not of shape ", tensor.shape().ToString());
  const Variant& element = tensor.data<Variant>()[0];
  const auto* const optional = PayloadIn<Optional>(element);
  Require(optional != nullptr, "an optional is needed, not ",
          element.type_name.empty() ? "an empty variant" : element.type_name);
  return *optional;
}

void OptionalFromValue(OpContext& c) {
  Optional optional;
  optional.components.emplace();
  for (int i = 0; i < c.num_inputs(); ++i) optional.components->push_back(Detached(c.input(i)));
  c.Output(0, MakeScalar(AsVariant(std::move(optional))));
}

void OptionalNone(OpContext& c) { c.Output(0, MakeScalar(AsVariant(Optional()))); }

void OptionalHasValue(OpContext& c) { c.Output(0, MakeScalar<bool>(OptionalInput(c).components.has_value())); }

void CheckShapes(const Node& node) {
  const size_t shapes = GetAttr<std::vector<PartialShape>>(node.attrs, "output_shapes").size();
  Require(shapes == node.output_types.size(), "node '", node.name, "' has ", shapes, " output_shapes for ",
          node.output_types.size(), " output_types");
}

void OptionalGetValue(OpContext& c) {
  const Optional& optional = OptionalInput(c);
  Require(optional.components.has_value(), "the optional does not have a value");
  const std::vector<Value>& components = *optional.components;
  Require(components.size() == c.outputs.size(), "the optional has ", components.size(), " components, not ",
          c.outputs.size());
  const auto& shapes = c.attr<std::vector<PartialShape>>("output_shapes");
  for (size_t i = 0; i < components.size(); ++i) {
    const Tensor& tensor = components[i].tensor;
    const DType wanted = c.output_type(static_cast<int>(i));
    Require(tensor.dtype() == wanted, "component ", i, " is of type ", DTypeName(tensor.dtype()), ", not ",
            DTypeName(wanted));
    Require(shapes[i].IsCompatibleWith(tensor.shape()), "component ", i, " is of shape ", tensor.shape().ToString(),
            ", not ", shapes[i].ToString());
    c.Output(static_cast<int>(i), components[i]);
  }
}

constexpr KernelRow kRows[] = {
    {"OptionalFromValue", OptionalFromValue},
    {"OptionalNone", OptionalNone},
    {"OptionalHasValue", OptionalHasValue},
    {"OptionalGetValue", OptionalGetValue, CheckShapes},
};

}  // namespace

namespace topics {
std::span<const KernelRow> DataFlowOptional() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

// Values that are made of several tensors: their components, and what the metadata say of them.
#include "reference/kernel/op_context.h"
#include "reference/numbers/numbers_io.h"
#include "spec/core/variant_codec.h"
#include "spec/formats/type_spec.h"

namespace plumb::reference {
namespace {

struct CompositeTensor final : VariantPayload {
  static constexpr std::string_view kTypeName = kCompositeTensorTypeName;
  std::string metadata;
  std::vector<Value> components;

  std::string_view type_name() const override { return kTypeName; }
  EncodedVariant Encode() const override {
    EncodedVariant encoded{std::string(kTypeName), metadata, {}};
    for (const Value& component : components) encoded.tensors.push_back(component.tensor);
    return encoded;
  }
  static std::shared_ptr<const CompositeTensor> Decode(const EncodedVariant& encoded) {
    TypeSpecClass(encoded.metadata);  // refuses what says nothing
    auto composite = std::make_shared<CompositeTensor>();
    composite->metadata = encoded.metadata;
    composite->components.assign(encoded.tensors.begin(), encoded.tensors.end());
    return composite;
  }
  std::shared_ptr<const VariantPayload> Copy(const std::function<Tensor(const Tensor&)>& copy) const override {
    auto result = std::make_shared<CompositeTensor>(*this);
    for (Value& component : result->components) component.tensor = copy(component.tensor);
    return result;
  }
};

void CheckMetadata(const Node& node) { TypeSpecClass(GetAttr<std::string>(node.attrs, "metadata")); }

void FromComponents(OpContext& c) {
  CompositeTensor composite;
  composite.metadata = c.attr<std::string>("metadata");
  for (int i = 0; i < c.num_inputs(); ++i) composite.components.push_back(Detached(c.input(i)));
  Variant variant;
  variant.type_name = CompositeTensor::kTypeName;
  variant.payload = std::make_shared<const CompositeTensor>(std::move(composite));
  c.Output(0, MakeScalar(std::move(variant)));
}

void ToComponents(OpContext& c) {
  const Tensor& encoded = c.tensor(0);
  Require(encoded.elements() > 0, "a value is needed, not an empty tensor of shape ", encoded.shape().ToString());
  const Variant& variant = encoded.data<Variant>()[0];
  const auto* const composite = PayloadIn<CompositeTensor>(variant);
  Require(composite != nullptr, "a value made of several tensors is needed, not ",
          variant.type_name.empty() ? "an empty variant" : variant.type_name);
  const int held_class = TypeSpecClass(composite->metadata),
            wanted_class = TypeSpecClass(c.attr<std::string>("metadata"));
  Require(held_class == wanted_class, "the value is a ", TypeSpecClassName(held_class), ", not a ",
          TypeSpecClassName(wanted_class));
  const std::vector<Value>& components = composite->components;
  Require(components.size() == c.outputs.size(), "the value has ", components.size(), " components, not ",
          c.outputs.size());
  for (size_t i = 0; i < components.size(); ++i) {
    const DType held = components[i].tensor.dtype(), wanted = c.output_type(static_cast<int>(i));
    Require(held == wanted, "component ", i, " is of type ", DTypeName(held), ", not ", DTypeName(wanted));
    c.Output(static_cast<int>(i), components[i]);
  }
}

constexpr KernelRow kRows[] = {
    {"CompositeTensorVariantFromComponents", FromComponents, CheckMetadata},
    {"CompositeTensorVariantToComponents", ToComponents, CheckMetadata},
};

}  // namespace

namespace topics {
std::span<const KernelRow> DataFlowComposite() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

// The components of an element as one value: they are kept as they are.
#include "reference/kernel/op_context.h"
#include "reference/numbers/numbers_io.h"
#include "spec/core/variant_codec.h"

namespace plumb::reference {
namespace {

struct CompressedElement final : VariantPayload {
  static constexpr std::string_view kTypeName = "tensorflow.data.CompressedElement";
  std::vector<Value> components;

  std::string_view type_name() const override { return kTypeName; }
  EncodedVariant Encode() const override {
    EncodedVariant encoded{std::string(kTypeName), "", {}};
    for (const Value& component : components) encoded.tensors.push_back(component.tensor);
    return encoded;
  }
  static std::shared_ptr<const CompressedElement> Decode(const EncodedVariant& encoded) {
    // What TensorFlow writes is a message of its own in the metadata, and its components are compressed there.
    if (!encoded.metadata.empty()) throw Unimplemented("this element was compressed by TensorFlow");
    auto element = std::make_shared<CompressedElement>();
    element->components.assign(encoded.tensors.begin(), encoded.tensors.end());
    return element;
  }
  std::shared_ptr<const VariantPayload> Copy(const std::function<Tensor(const Tensor&)>& copy) const override {
    auto result = std::make_shared<CompressedElement>(*this);
    for (Value& component : result->components) component.tensor = copy(component.tensor);
    return result;
  }
};

void CompressElement(OpContext& c) {
  CompressedElement element;
  for (int i = 0; i < c.num_inputs(); ++i) element.components.push_back(Detached(c.input(i)));
  Variant variant;
  variant.type_name = CompressedElement::kTypeName;
  variant.payload = std::make_shared<const CompressedElement>(std::move(element));
  c.Output(0, MakeScalar(std::move(variant)));
}

void UncompressElement(OpContext& c) {
  const Tensor& compressed = c.tensor(0);
  Require(compressed.elements() == 1, "one compressed element is needed, not a tensor of shape ",
          compressed.shape().ToString());
  const Variant& variant = compressed.data<Variant>()[0];
  const auto* const element = PayloadIn<CompressedElement>(variant);
  Require(element != nullptr, "a compressed element is needed, not ",
          variant.type_name.empty() ? "an empty variant" : variant.type_name);
  const std::vector<Value>& components = element->components;
  if (components.size() != c.outputs.size()) {
    throw FailedPrecondition("the element has ", components.size(), " components, not ", c.outputs.size());
  }
  for (size_t i = 0; i < components.size(); ++i) {
    const DType held = components[i].tensor.dtype(), wanted = c.output_type(static_cast<int>(i));
    if (held != wanted) {
      throw FailedPrecondition("component ", i, " is of type ", DTypeName(held), ", not ", DTypeName(wanted));
    }
    c.Output(static_cast<int>(i), components[i]);
  }
}

constexpr KernelRow kRows[] = {
    {"CompressElement", CompressElement},
    {"UncompressElement", UncompressElement},
};

}  // namespace

namespace topics {
std::span<const KernelRow> DataFlowCompressed() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

// The components of an element as one value: shared, so that neither way copies anything.
#include <string>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/device/kernel.h"
#include "spec/core/variant_codec.h"

namespace plumb::fast::cpu {
namespace {

class Element final : public VariantPayload {
 public:
  static constexpr std::string_view kTypeName = "tensorflow.data.CompressedElement";

  explicit Element(std::vector<Tensor> components) : components_(std::move(components)) {}

  const std::vector<Tensor>& components() const { return components_; }
  std::string_view type_name() const override { return kTypeName; }
  EncodedVariant Encode() const override { return {std::string(kTypeName), "", components_}; }
  static std::shared_ptr<const Element> Decode(const EncodedVariant& encoded) {
    // TensorFlow's are all metadata: its own message, with a compressed block.
    if (!encoded.metadata.empty()) throw Unimplemented("an element that TensorFlow compressed");
    return std::make_shared<const Element>(encoded.tensors);
  }
  std::shared_ptr<const VariantPayload> Copy(const std::function<Tensor(const Tensor&)>& copy) const override {
    std::vector<Tensor> copies;
    for (const Tensor& component : components_) copies.push_back(copy(component));
    return std::make_shared<const Element>(std::move(copies));
  }

 private:
  std::vector<Tensor> components_;
};

class Compress final : public Kernel {
 public:
  explicit Compress(const Node&) {}
  void Run(KernelContext& context) override {
    std::vector<Tensor> components;
    for (int i = 0; i < context.num_inputs(); ++i) {
      context.Unalias(i);
      components.push_back(context.input(i));
    }
    context.AllocateOutput(0, DType::kVariant, Shape()).mutable_data<Variant>()[0] = {
        std::string(Element::kTypeName), "", std::make_shared<const Element>(std::move(components))};
  }
};

class Uncompress final : public Kernel {
 public:
  explicit Uncompress(const Node& node) : types_(node.output_types) {}

  void Run(KernelContext& context) override {
    const Tensor& tensor = context.input(0);
    Require(tensor.elements() == 1, "one compressed element is needed, not a tensor of shape ",
            Printed(tensor.shape()));
    const Variant& variant = tensor.data<Variant>()[0];
    const auto* const element = PayloadIn<Element>(variant);
    Require(element != nullptr, "a compressed element is needed, not a variant of type '", variant.type_name, "'");
    const std::vector<Tensor>& components = element->components();
    if (components.size() != types_.size()) {
      throw FailedPrecondition("the element has ", components.size(), " components, not ", types_.size());
    }
    for (size_t i = 0; i < types_.size(); ++i) {
      if (components[i].dtype() != types_[i]) {
        throw FailedPrecondition("component ", i, " is of type ", DTypeName(components[i].dtype()), ", not ",
                                 DTypeName(types_[i]));
      }
      context.SetOutput(static_cast<int>(i), components[i]);
    }
  }

 private:
  const std::vector<DType> types_;
};

constexpr KernelRow kRows[] = {
    {"CompressElement", Make<Compress>},
    {"UncompressElement", Make<Uncompress>},
};

}  // namespace

std::span<const KernelRow> DataFlowCompressed() { return kRows; }

}  // namespace plumb::fast::cpu

// Values that are made of several tensors: shared, so that neither way copies anything.
#include <string>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/device/kernel.h"
#include "spec/core/variant_codec.h"
#include "spec/formats/type_spec.h"

namespace plumb::fast::cpu {
namespace {

class Composite final : public VariantPayload {
 public:
  static constexpr std::string_view kTypeName = kCompositeTensorTypeName;

  Composite(std::string metadata, std::vector<Tensor> components)
      : metadata_(std::move(metadata)), class_(TypeSpecClass(metadata_)), components_(std::move(components)) {}

  int type_class() const { return class_; }
  const std::vector<Tensor>& components() const { return components_; }
  std::string_view type_name() const override { return kTypeName; }
  EncodedVariant Encode() const override { return {std::string(kTypeName), metadata_, components_}; }
  static std::shared_ptr<const Composite> Decode(const EncodedVariant& encoded) {
    return std::make_shared<const Composite>(encoded.metadata, encoded.tensors);
  }
  std::shared_ptr<const VariantPayload> Copy(const std::function<Tensor(const Tensor&)>& copy) const override {
    std::vector<Tensor> copies;
    for (const Tensor& component : components_) copies.push_back(copy(component));
    return std::make_shared<const Composite>(metadata_, std::move(copies));
  }

 private:
  const std::string metadata_;
  const int class_;
  const std::vector<Tensor> components_;
};

class FromComponents final : public Kernel {
 public:
  explicit FromComponents(const Node& node) : metadata_(GetAttr<std::string>(node.attrs, "metadata")) {
    TypeSpecClass(metadata_);  // refuses what says nothing
  }
  void Run(KernelContext& context) override {
    std::vector<Tensor> components;
    for (int i = 0; i < context.num_inputs(); ++i) {
      context.Unalias(i);
      components.push_back(context.input(i));
    }
    context.AllocateOutput(0, DType::kVariant, Shape()).mutable_data<Variant>()[0] = {
        std::string(Composite::kTypeName), "", std::make_shared<const Composite>(metadata_, std::move(components))};
  }

 private:
  const std::string metadata_;
};

class ToComponents final : public Kernel {
 public:
  explicit ToComponents(const Node& node)
      : class_(TypeSpecClass(GetAttr<std::string>(node.attrs, "metadata"))), types_(node.output_types) {}

  void Run(KernelContext& context) override {
    const std::vector<Tensor>& components = Taken(context).components();
    Require(components.size() == types_.size(), "the value has ", components.size(), " components, not ",
            types_.size());
    for (size_t i = 0; i < types_.size(); ++i) {
      Require(components[i].dtype() == types_[i], "component ", i, " is of type ", DTypeName(components[i].dtype()),
              ", not ", DTypeName(types_[i]));
      context.SetOutput(static_cast<int>(i), components[i]);
    }
  }

 private:
  const Composite& Taken(const KernelContext& context) const {
    const Tensor& tensor = context.input(0);
    Require(tensor.elements() > 0, "a value is needed, not an empty tensor of shape ", Printed(tensor.shape()));
    const Variant& variant = tensor.data<Variant>()[0];
    const auto* const composite = PayloadIn<Composite>(variant);
    Require(composite != nullptr, "a value made of several tensors is needed, not a variant of type '",
            variant.type_name, "'");
    Require(composite->type_class() == class_, "the value is a ", TypeSpecClassName(composite->type_class()),
            ", not a ", TypeSpecClassName(class_));
    return *composite;
  }

  const int class_;
  const std::vector<DType> types_;
};

constexpr KernelRow kRows[] = {
    {"CompositeTensorVariantFromComponents", Make<FromComponents>},
    {"CompositeTensorVariantToComponents", Make<ToComponents>},
};

}  // namespace

std::span<const KernelRow> DataFlowComposite() { return kRows; }

}  // namespace plumb::fast::cpu

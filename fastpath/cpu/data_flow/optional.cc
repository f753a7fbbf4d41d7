// Values that may be missing: shared, and never changed.
#include <string>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/state/optional_value.h"
#include "fastpath/device/kernel.h"
#include "fastpath/memory/inside.h"
#include "spec/core/variant_codec.h"

namespace plumb::fast::cpu {
namespace {

void Give(KernelContext& context, std::shared_ptr<const OptionalValue> optional) {
  context.AllocateOutput(0, DType::kVariant, Shape()).mutable_data<Variant>()[0] = AsVariant(std::move(optional));
}

const OptionalValue& Taken(const KernelContext& context) {
  const Tensor& tensor = context.input(0);
  Require(tensor.rank() == 0, "an optional is a scalar, not of shape ", Printed(tensor.shape()));
  const Variant& element = tensor.data<Variant>()[0];
  const auto* const optional = PayloadIn<OptionalValue>(element);
  Require(optional != nullptr, "an optional is needed, not a variant of type '", element.type_name, "'");
  return *optional;
}

class FromValue final : public Kernel {
 public:
  explicit FromValue(const Node&) {}
  void Run(KernelContext& context) override {
    std::vector<Tensor> components;
    for (int i = 0; i < context.num_inputs(); ++i) {
      context.Unalias(i);
      components.push_back(HeldOf(context.input(i)));
    }
    Give(context, std::make_shared<const OptionalValue>(std::move(components)));
  }
};

class None final : public Kernel {
 public:
  explicit None(const Node&) {}
  void Run(KernelContext& context) override { Give(context, std::make_shared<const OptionalValue>()); }
};

class HasValue final : public Kernel {
 public:
  explicit HasValue(const Node&) {}
  void Run(KernelContext& context) override {
    context.SetOutput(0, MakeScalar(Taken(context).has_value()));  // on the host, for whatever device
  }
};

class GetValue final : public Kernel {
 public:
  explicit GetValue(const Node& node)
      : types_(node.output_types), shapes_(GetAttr<std::vector<PartialShape>>(node.attrs, "output_shapes")) {
    Require(shapes_.size() == types_.size(), shapes_.size(), " output_shapes for ", types_.size(), " output_types");
  }

  void Run(KernelContext& context) override {
    const OptionalValue& optional = Taken(context);
    Require(optional.has_value(), "the optional holds nothing");
    const std::vector<Tensor>& components = optional.components();
    Require(components.size() == types_.size(), "the optional has ", components.size(), " components, not ",
            types_.size());
    for (size_t i = 0; i < components.size(); ++i) {
      Require(components[i].dtype() == types_[i], "component ", i, " is of type ", DTypeName(components[i].dtype()),
              ", not ", DTypeName(types_[i]));
      Require(shapes_[i].IsCompatibleWith(components[i].shape()), "component ", i, " is of shape ",
              Printed(components[i].shape()), ", not ", shapes_[i].ToString());
      context.SetOutput(static_cast<int>(i), SeenHere(components[i]));
    }
  }

 private:
  const std::vector<DType> types_;
  const std::vector<PartialShape> shapes_;
};

constexpr KernelRow kRows[] = {
    {"OptionalFromValue", Make<FromValue>},
    {"OptionalNone", Make<None>},
    {"OptionalHasValue", Make<HasValue>},
    {"OptionalGetValue", Make<GetValue>},
};

}  // namespace

std::span<const KernelRow> DataFlowOptional() { return kRows; }

}  // namespace plumb::fast::cpu

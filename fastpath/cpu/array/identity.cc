// Ops that hand on their input, or a copy of it.
#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/pass.h"
#include "fastpath/cpu/lib/strided_copy.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

class IdentityN : public Kernel {
 public:
  explicit IdentityN(const Node&) {}
  void Run(KernelContext& context) override {
    for (int i = 0; i < context.num_inputs(); ++i) context.SetOutput(i, context.input(i));
  }
  bool KeepsAliases() const override { return true; }
};

// For attributes that say the types twice.
class PassList final : public IdentityN {
 public:
  explicit PassList(const Node& node) : IdentityN(node) {
    const size_t count = node.input_types.size();
    if (count != node.output_types.size()) {
      throw Internal("node ", node.name, " has ", count, " inputs for ", node.output_types.size(), " outputs");
    }
    for (size_t i = 0; i < count; ++i) {
      const DType from = InputType(node, static_cast<int>(i)), to = OutputType(node, static_cast<int>(i));
      if (from != to) {
        throw Internal("input ", i, " is ", DTypeName(from), ", its output ", DTypeName(to));
      }
    }
  }
};

class EnsureShape final : public Kernel {
 public:
  explicit EnsureShape(const Node& node) : shape_(GetAttr<PartialShape>(node.attrs, "shape")) {}
  void Run(KernelContext& context) override {
    const Tensor& x = context.input(0);
    Require(shape_.IsCompatibleWith(x.shape()), "the input must have the shape ", shape_.ToString(), ", not ",
            x.shape().ToString());
    context.SetOutput(0, x);
  }
  bool KeepsAliases() const override { return true; }

 private:
  PartialShape shape_;
};

// The input's own memory where nobody else holds it.
class Copy final : public Kernel {
 public:
  explicit Copy(const Node& node) : type_(InputType(node, 0)) {}
  void Run(KernelContext& context) override {
    const Shape shape = context.input(0).shape();
    const Tensor x = context.TakeInput(0);
    if (x.unique() && !x.is_alias()) return context.SetOutput(0, x);
    Tensor& output = context.AllocateOutput(0, type_, shape);
    CopyPlan plan;
    plan.Append(shape.elements(), 1, 1);
    CopyStrided(context.pool(), type_, plan, x.raw(), output.mutable_raw());
  }

 private:
  DType type_;
};

constexpr KernelRow kRows[] = {
    {"Identity", Make<Pass>},       {"StopGradient", Make<Pass>},       {"PreventGradient", Make<Pass>},
    {"IdentityN", Make<IdentityN>}, {"EnsureShape", Make<EnsureShape>}, {"Snapshot", Make<Copy>},
    {"DeepCopy", Make<Copy>},       {"_ListToArray", Make<PassList>},   {"_ArrayToList", Make<PassList>},
};

}  // namespace

std::span<const KernelRow> ArrayIdentity() { return kRows; }

}  // namespace plumb::fast::cpu

// Ops that hand on a value, or nothing.
#include "fastpath/cpu/topics.h"
#include "fastpath/cpu/lib/dispatch.h"

namespace plumb::fast::cpu {
namespace {

class Const final : public Kernel {
 public:
  explicit Const(const Node& node) : value_(GetAttr<Tensor>(node.attrs, "value")) {
    const DType declared = GetAttr<DType>(node.attrs, "dtype");
    Require(value_.dtype() == declared, "the attribute dtype of ", node.name, " is ", DTypeName(declared),
            ", its value's type is ", DTypeName(value_.dtype()));
  }
  void Run(KernelContext& context) override { context.SetOutput(0, value_); }

 private:
  Tensor value_;
};

// F11: a placeholder runs only when it was not fed.
class Placeholder final : public Kernel {
 public:
  explicit Placeholder(const Node& node) : name_(node.name), type_(OutputType(node, 0)) {}
  void Run(KernelContext&) override {
    throw InvalidArgument("You must feed a value for placeholder tensor '", name_, "' with dtype ", DTypeName(type_));
  }

 private:
  std::string name_;
  DType type_;
};

class Pass final : public Kernel {
 public:
  explicit Pass(const Node&) {}
  void Run(KernelContext& context) override { context.SetOutput(0, context.input(0)); }
};

class Nothing final : public Kernel {
 public:
  explicit Nothing(const Node&) {}
  void Run(KernelContext&) override {}
};

}  // namespace

std::unique_ptr<Kernel> MakeConst(const Node& node) { return std::make_unique<Const>(node); }
std::unique_ptr<Kernel> MakePlaceholder(const Node& node) { return std::make_unique<Placeholder>(node); }
std::unique_ptr<Kernel> MakePass(const Node& node) { return std::make_unique<Pass>(node); }
std::unique_ptr<Kernel> MakeNothing(const Node& node) { return std::make_unique<Nothing>(node); }

}  // namespace plumb::fast::cpu

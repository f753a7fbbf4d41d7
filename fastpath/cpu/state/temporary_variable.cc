// Variables that live no longer than their step (R14).
#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/strided_copy.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

constexpr const char* kContainer = "_temporary_variables";

// A name that is in use. Who made it has the variable.
class TemporaryName : public Resource {
 public:
  // False when somebody else has taken it.
  bool Take() { return !is_taken_.exchange(true, std::memory_order_acq_rel); }

 private:
  std::atomic<bool> is_taken_ = false;
};

class TemporaryKernel : public Kernel {
 public:
  explicit TemporaryKernel(const Node& node)
      : node_(node.name), name_(GetAttrOr<std::string>(node.attrs, "var_name", "")) {
    if (name_.empty()) name_ = node.name;
  }

 protected:
  // A name is that of one iteration of one frame.
  std::string NameAt(const FrameIteration& place) const { return Str(name_, "/", PathOf(place), ";", place.number); }
  static ResourceKey KeyOf(const std::string& name) { return {"", kContainer, name}; }

  const std::string node_;
  std::string name_;
};

class MakeTemporaryKernel final : public TemporaryKernel {
 public:
  explicit MakeTemporaryKernel(const Node& node) : TemporaryKernel(node), dtype_(GetAttr<DType>(node.attrs, "dtype")) {
    const auto& shape = GetAttr<PartialShape>(node.attrs, "shape");
    Require(shape.IsFullyDefined(), "the shape ", Printed(shape), " of a temporary variable must be fully known");
    shape_ = shape.ToShape();
  }
  void Run(KernelContext& context) override {
    const std::string name = NameAt(context.place());
    if (!context.step_resources().FindOrCreate<TemporaryName>(KeyOf(name))->Take()) {
      throw Error(Code::kAlreadyExists, Str("there is a temporary variable '", name_, "' in this iteration already"));
    }
    auto variable = std::make_shared<Variable>();
    variable->Declare(dtype_, shape_);
    Tensor zeros = AllocateZeros(context.pool(), dtype_, shape_);
    variable->Assign(node_, std::move(zeros), /*keeps_shape=*/true);
    variable->ComeHere();
    context.SetOutputRef(0, std::move(variable));
  }

 private:
  const DType dtype_;
  Shape shape_;
};

class DestroyTemporaryKernel final : public TemporaryKernel {
 public:
  using TemporaryKernel::TemporaryKernel;
  void Run(KernelContext& context) override {
    context.SetOutput(0, context.ref(0).Read(node_));
    const std::string name = NameAt(context.place());
    if (!context.step_resources().Remove<TemporaryName>(KeyOf(name))) {
      throw NotFound("there is no temporary variable '", name_, "' in this iteration");
    }
  }
};

constexpr KernelRow kRows[] = {
    {"TemporaryVariable", Make<MakeTemporaryKernel>},
    {"DestroyTemporaryVariable", Make<DestroyTemporaryKernel>},
};

}  // namespace

std::span<const KernelRow> StateTemporaryVariable() { return kRows; }

}  // namespace plumb::fast::cpu

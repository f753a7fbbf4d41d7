// CountUpTo.
#include <limits>

#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/state/resource_kernel.h"
#include "fastpath/cpu/lib/types.h"
#include "fastpath/device/kernel.h"
#include "fastpath/device/variable_access.h"

namespace plumb::fast::cpu {
namespace {

// R25.
template <class T>
class Counter {
 public:
  explicit Counter(const Node& node) : limit_(GetAttr<int64_t>(node.attrs, "limit")) {
    Require(std::numeric_limits<T>::min() <= limit_ && limit_ <= std::numeric_limits<T>::max(), "the limit ", limit_,
            " is no ", DTypeName(DTypeOf<T>));
  }

  void CountUp(Tensor& before, VariableUpdate& update) const {
    const Tensor& value = update.Value();
    Require(value.dtype() == DTypeOf<T>, "the variable holds ", DTypeName(value.dtype()), ", not ",
            DTypeName(DTypeOf<T>));
    Require(value.rank() == 0, "a scalar is counted up, not shape ", Printed(value.shape()));
    const T count = value.data<T>()[0];
    if (count >= limit_) throw OutOfRange("Reached limit of ", limit_);
    before.mutable_data<T>()[0] = count;
    update.Writable().mutable_data<T>()[0] = count + 1;
  }

 private:
  const int64_t limit_;
};

template <class T>
class CountUpToKernel final : public Kernel {
 public:
  explicit CountUpToKernel(const Node& node) : node_(node.name), counter_(node) {}

  void Run(KernelContext& context) override {
    Tensor& before = context.AllocateOutput(0, DTypeOf<T>, Shape());
    VariableUpdate update(node_, context.ref(0));
    counter_.CountUp(before, update);
  }

 private:
  const std::string node_;
  const Counter<T> counter_;
};

template <class T>
class ResourceCountUpToKernel final : public ResourceKernel {
 public:
  explicit ResourceCountUpToKernel(const Node& node) : ResourceKernel(node), counter_(node) {}

  void Run(KernelContext& context) override {
    const auto variable = Existing(context);
    Tensor& before = context.AllocateOutput(0, DTypeOf<T>, Shape());
    VariableUpdate update(node_, *variable);
    counter_.CountUp(before, update);
  }

 private:
  const Counter<T> counter_;
};

constexpr KernelRow kRows[] = {
    {"CountUpTo", MakeFor<CountUpToKernel, IndexTypes>},
    {"ResourceCountUpTo", MakeFor<ResourceCountUpToKernel, IndexTypes>},
};

}  // namespace

std::span<const KernelRow> StateCountUpTo() { return kRows; }

}  // namespace plumb::fast::cpu

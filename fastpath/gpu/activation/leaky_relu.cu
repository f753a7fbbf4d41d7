// Leaky rectifiers: what is let through where the features are positive, else its alphath part. LeakyRelu lets through
// the features themselves.
#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/lib/words.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// `out` may lie in x's memory.
template <class T>
PLUMB_GPU_KERNEL Leak(Global<const T> x, Global<const T> features, Global<T> out, float alpha) {
  using V = typename Computed<T>::Type;
  const V part = sizeof(T) == 2 ? V(Computed<T>::Load(Computed<T>::Store(static_cast<V>(alpha)))) : V(alpha);
  for (int64_t i = First(); i < out.size; i += Stride()) {
    const V value = Computed<T>::Load(x[i]), gate = Computed<T>::Load(features[i]);
    out[i] = Computed<T>::Store(gate > V(0) ? value : value * part);
  }
}

template <class T>
class LeakyRelu final : public GpuKernel {
 public:
  explicit LeakyRelu(const Node& node)
      : alpha_(GetAttr<float>(node.attrs, "alpha")), gate_(static_cast<int>(node.input_types.size()) - 1) {}
  void Run(GpuContext& context) override {
    const Shape shape = context.input(0).shape();
    Require(shape == context.input(gate_).shape(), "gradients and features must have one shape, not ", shape.ToString(),
            " and ", context.input(gate_).shape().ToString());
    const Global<const T> x = context.In<T>(0), features = context.In<T>(gate_);
    Tensor out = context.ForwardOrAllocate(0, 0, shape);
    Launch(context.stream(), LoopOver(out.elements()), Leak<T>, x, features, context.ViewOf<T>(out), alpha_);
  }

 private:
  const float alpha_;
  const int gate_;
};

constexpr GpuKernelRow kRows[] = {
    {"LeakyRelu", MakeForType<LeakyRelu, Floats>},
    {"LeakyReluGrad", MakeForType<LeakyRelu, Floats>},
};

}  // namespace

std::span<const GpuKernelRow> ActivationLeakyRelu() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE

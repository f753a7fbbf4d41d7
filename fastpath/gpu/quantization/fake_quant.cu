// FakeQuantWithMinMaxArgs and FakeQuantWithMinMaxVars, the latter per channel or not, and their gradients.
#include <cmath>

#include "fastpath/gpu/lib/folds.h"
#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/reduce.h"
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

#define PLUMB_INLINE PLUMB_GPU_WORD
#include "fastpath/formulas/quantization/fake_quant-inl.h"
#undef PLUMB_INLINE

Steps StepsOf(const Node& node) {
  const auto bits = GetAttr<int64_t>(node.attrs, "num_bits");
  Require(bits >= 2 && bits <= 16, "num_bits must be in [2, 16], not ", bits);
  return {GetAttr<bool>(node.attrs, "narrow_range") ? 1.0F : 0.0F, static_cast<float>((1 << bits) - 1)};
}

PLUMB_GPU_KERNEL MakePlaces(Global<const float> min, Global<const float> max, Steps steps, Global<Places> places) {
  for (int64_t c = First(); c < places.size; c += Stride()) places[c] = PlacesBetween(min[c], max[c], steps);
}

// Channels are the last dimension.
PLUMB_GPU_KERNEL NearestLoop(Global<const float> x, Global<const Places> places, Global<float> y) {
  for (int64_t i = First(); i < y.size; i += Stride()) y[i] = places[i % places.size].Nearest(x[i]);
}
PLUMB_GPU_KERNEL InsideLoop(Global<const float> dy, Global<const float> x, Global<const Places> places,
                            Global<float> dx) {
  for (int64_t i = First(); i < dx.size; i += Stride()) dx[i] = dy[i] * places[i % places.size].Inside(x[i]);
}
PLUMB_GPU_KERNEL NearestOfOneLoop(Global<const float> x, Places places, Global<float> y) {
  for (int64_t i = First(); i < y.size; i += Stride()) y[i] = places.Nearest(x[i]);
}
PLUMB_GPU_KERNEL InsideOfOneLoop(Global<const float> dy, Global<const float> x, Places places, Global<float> dx) {
  for (int64_t i = First(); i < dx.size; i += Stride()) dx[i] = dy[i] * places.Inside(x[i]);
}

// The range is that of the attributes.
class ArgsKernel final : public GpuKernel {
 public:
  ArgsKernel(const Node& node, bool is_gradient) : is_gradient_(is_gradient) {
    const auto min = GetAttr<float>(node.attrs, "min"), max = GetAttr<float>(node.attrs, "max");
    Require(min < max, "min must be less than max, not ", min, " and ", max);
    places_ = PlacesBetween(min, max, StepsOf(node));
  }
  void Run(GpuContext& context) override {
    const Shape shape = context.input(0).shape();
    const Global<const float> first = context.In<float>(0);
    if (!is_gradient_) {
      Tensor y = context.ForwardOrAllocate(0, 0, shape);
      return Launch(context.stream(), LoopOver(y.elements()), NearestOfOneLoop, first, places_,
                    context.ViewOf<float>(y));
    }
    Require(context.input(1).shape() == shape, "gradients and inputs differ in shape: ", shape.ToString(), ", ",
            context.input(1).shape().ToString());
    const Global<const float> x = context.In<float>(1);
    Tensor dx = context.ForwardOrAllocate(0, 0, shape);
    Launch(context.stream(), LoopOver(dx.elements()), InsideOfOneLoop, first, x, places_, context.ViewOf<float>(dx));
  }

 private:
  const bool is_gradient_;
  Places places_;
};

// Gradients of numbers beyond an end of the range are that end's.
template <bool is_above>
struct EndFold : SumFold<float> {
  Global<const float> x;
  Global<const Places> places;
  PLUMB_GPU_INLINE float LoadAt(float dy, int64_t place, int64_t result) const {
    const Places& own = places[result];
    return own.empty ? 0.0F : dy * (is_above ? own.Above(x[place]) : own.Below(x[place]));
  }
};

class VarsKernel : public GpuKernel {
 public:
  VarsKernel(const Node& node, bool per_channel) : steps_(StepsOf(node)), per_channel_(per_channel) {}

 protected:
  // Of each channel: one for all where the range is of scalars. Bytes in the device's memory.
  Tensor PlacesOf(GpuContext& context, const Shape& shape, int min, int max) const {
    const Shape &low = context.input(min).shape(), &high = context.input(max).shape();
    if (per_channel_) {
      Require(shape.rank() >= 1, "inputs must have at least one dimension");
      const Shape channels = {shape[shape.rank() - 1]};
      Require(low == channels && high == channels, "min and max must have the shape ", channels.ToString(), ", not ",
              low.ToString(), " and ", high.ToString());
    } else {
      Require(low.rank() == 0 && high.rank() == 0, "min and max must be scalars, not of shape ", low.ToString(),
              " and ", high.ToString());
    }
    Tensor places = context.Scratch(DType::kUint8, Shape({low.elements() * static_cast<int64_t>(sizeof(Places))}));
    Launch(context.stream(), LoopOver(low.elements()), MakePlaces, context.In<float>(min), context.In<float>(max),
           steps_, Global<Places>(static_cast<Places*>(places.mutable_raw()), low.elements()));
    return places;
  }
  static Global<const Places> ViewOf(const Tensor& places) {
    return {static_cast<const Places*>(places.raw()), places.elements() / static_cast<int64_t>(sizeof(Places))};
  }

 private:
  const Steps steps_;
  const bool per_channel_;
};

class FakeQuant final : public VarsKernel {
 public:
  using VarsKernel::VarsKernel;
  void Run(GpuContext& context) override {
    const Shape shape = context.input(0).shape();
    const Tensor places = PlacesOf(context, shape, 1, 2);
    const Global<const float> x = context.In<float>(0);
    Tensor y = context.ForwardOrAllocate(0, 0, shape);
    Launch(context.stream(), LoopOver(y.elements()), NearestLoop, x, ViewOf(places), context.ViewOf<float>(y));
  }
};

class FakeQuantGradient final : public VarsKernel {
 public:
  using VarsKernel::VarsKernel;
  void Run(GpuContext& context) override {
    const Shape& shape = context.input(1).shape();
    Require(context.input(0).shape() == shape,
            "gradients and inputs differ in shape: ", context.input(0).shape().ToString(), ", ", shape.ToString());
    const Tensor memory = PlacesOf(context, shape, 2, 3);
    const Global<const Places> places = ViewOf(memory);
    const Global<const float> dy = context.In<float>(0), x = context.In<float>(1);
    Tensor dx = context.AllocateOutput(0, shape);
    Launch(context.stream(), LoopOver(dx.elements()), InsideLoop, dy, x, places, context.ViewOf<float>(dx));
    const int64_t rows = places.size == 0 ? 0 : shape.elements() / places.size;
    const FoldPlan plan = PlanFold(Shape({rows, places.size}), {true, false});
    QueueEnd<false>(context, 1, plan, places);
    QueueEnd<true>(context, 2, plan, places);
  }

 private:
  template <bool is_above>
  static void QueueEnd(GpuContext& context, int output, const FoldPlan& plan, Global<const Places> places) {
    EndFold<is_above> fold;
    fold.x = context.In<float>(1);
    fold.places = places;
    Tensor sums = context.AllocateOutput(output, context.input(2).shape());
    QueueFold(context, plan, context.In<float>(0), context.ViewOf<float>(sums), fold);
  }
};

template <class K, bool flag>
std::unique_ptr<GpuKernel> MakeQuant(const Node& node) {
  return std::make_unique<K>(node, flag);
}

constexpr GpuKernelRow kRows[] = {
    {"FakeQuantWithMinMaxArgs", MakeQuant<ArgsKernel, false>},
    {"FakeQuantWithMinMaxArgsGradient", MakeQuant<ArgsKernel, true>},
    {"FakeQuantWithMinMaxVars", MakeQuant<FakeQuant, false>},
    {"FakeQuantWithMinMaxVarsGradient", MakeQuant<FakeQuantGradient, false>},
    {"FakeQuantWithMinMaxVarsPerChannel", MakeQuant<FakeQuant, true>},
    {"FakeQuantWithMinMaxVarsPerChannelGradient", MakeQuant<FakeQuantGradient, true>},
};

}  // namespace

std::span<const GpuKernelRow> QuantizationFakeQuant() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE

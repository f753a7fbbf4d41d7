// LowerBound and UpperBound: where values could stand in sorted rows.
#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/lib/words.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// Halves what is left, in the steps of the C++ library: also among NaN, which have no order, both devices end alike.
template <class T, class Out>
PLUMB_GPU_KERNEL BoundLoop(Global<const T> rows, Global<const T> values, Global<Out> out, int64_t length, int64_t width,
                           bool is_upper) {
  for (int64_t i = First(); i < out.size; i += Stride()) {
    const auto value = Computed<T>::Load(values[i]);
    const int64_t row = i / width * length;
    int64_t begin = 0;
    for (int64_t left = length; left > 0;) {
      const int64_t half = left / 2;
      const auto middle = Computed<T>::Load(rows[row + begin + half]);
      const bool is_behind = is_upper ? !(value < middle) : middle < value;
      if (is_behind) begin += half + 1;
      left = is_behind ? left - half - 1 : half;
    }
    out[i] = static_cast<Out>(begin);
  }
}

template <class T, bool is_upper>
class Bound final : public GpuKernel {
 public:
  explicit Bound(const Node&) {}
  void Run(GpuContext& context) override {
    const Tensor &sorted = context.input(0), &values = context.input(1);
    const Shape shape = context.OutputShape(0);
    Require(sorted.dim(0) == values.dim(0), "sorted_inputs and values must have as many rows, not the shapes ",
            sorted.shape().ToString(), " and ", values.shape().ToString());
    Tensor result = context.AllocateOutput(0, shape);
    ForType(context.node(), result.dtype(), TypeList<int32_t, int64_t>(), [&](auto tag) {
      using Out = typename decltype(tag)::Type;
      const Global<Out> out = context.ViewOf<Out>(result);
      Launch(context.stream(), LoopOver(out.size), BoundLoop<T, Out>, context.In<T>(0), context.In<T>(1), out,
             sorted.dim(1), values.dim(1), is_upper);
      return true;
    });
  }
};

template <class T>
using LowerBound = Bound<T, false>;
template <class T>
using UpperBound = Bound<T, true>;
using Ordered = Join<Floats, TypeList<int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t>>;

constexpr GpuKernelRow kRows[] = {
    {"LowerBound", MakeForType<LowerBound, Ordered>},
    {"UpperBound", MakeForType<UpperBound, Ordered>},
};

}  // namespace

std::span<const GpuKernelRow> ArraySorted() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE

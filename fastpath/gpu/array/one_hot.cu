// OneHot: rows of one value, each with another at the place that an index names.
#include "fastpath/gpu/lib/axes.h"
#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// The result is [outer, depth, inner], the indices [outer, inner]; an index out of range is no place.
template <class T, class Index>
PLUMB_GPU_KERNEL OneHotLoop(Global<const Index> indices, Global<const T> on, Global<const T> off, Global<T> out,
                            int64_t depth, int64_t inner) {
  for (int64_t i = First(); i < out.size; i += Stride()) {
    const int64_t row = i / inner, index = indices[row / depth * inner + i % inner];
    out[i] = index == row % depth ? on[0] : off[0];
  }
}

template <class Index>
class OneHot final : public GpuKernel {
 public:
  explicit OneHot(const Node& node) : axis_(GetAttrOr<int64_t>(node.attrs, "axis", -1)) {}
  void Run(GpuContext& context) override {
    const Tensor& indices = context.input(0);
    Require(axis_ <= indices.rank(), "axis ", axis_, " is not in [-1, ", indices.rank(), "]");
    for (const int value : {2, 3}) Require(context.input(value).rank() == 0, "on_value and off_value must be scalars");
    const Shape shape = context.OutputShape(0);
    const int axis = FromFront(axis_, shape.rank());
    const int64_t inner = ElementsIn(shape, axis + 1, shape.rank());
    Tensor result = context.AllocateOutput(0, shape);
    ForSizeOf(context.node(), result.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const Global<T> out = context.ViewOf<T>(result);
      Launch(context.stream(), LoopOver(out.size), OneHotLoop<T, Index>, context.ViewOf<Index>(indices),
             context.ViewOf<T>(context.input(2)), context.ViewOf<T>(context.input(3)), out, shape[axis], inner);
    });
  }

 private:
  const int64_t axis_;
};

constexpr GpuKernelRow kRows[] = {
    {"OneHot", MakeForType<OneHot, TypeList<uint8_t, int8_t, int32_t, int64_t>>},
};

}  // namespace

std::span<const GpuKernelRow> ArrayOneHot() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE

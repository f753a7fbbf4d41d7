// Gather and GatherV2: rows picked by index.
#include "fastpath/gpu/lib/axes.h"
#include "fastpath/gpu/lib/coordinates.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// params is [batch, outer, limit, inner], indices [batch, count]; the result is [batch, outer, count, inner].
struct Sizes {
  int64_t outer = 1, limit = 0, count = 1, inner = 1;
};

template <class T, class Index>
PLUMB_GPU_KERNEL GatherLoop(Global<const T> params, Global<const Index> indices, Global<T> out, Sizes sizes,
                            Global<int64_t> slot) {
  for (int64_t i = First(); i < out.size; i += Stride()) {
    const int64_t row = i / sizes.inner, block = row / sizes.count;
    const int64_t place = block / sizes.outer * sizes.count + row % sizes.count;
    const int64_t index = indices[place];
    if (index < 0 || index >= sizes.limit) {
      AtomicCas(slot[0], int64_t{0}, place + 1);
      continue;
    }
    out[i] = params[(block * sizes.limit + index) * sizes.inner + i % sizes.inner];
  }
}

template <class Index>
class Gather final : public GpuKernel {
 public:
  explicit Gather(const Node& node) : batch_dims_(GetAttrOr<int64_t>(node.attrs, "batch_dims", 0)) {}

  void Run(GpuContext& context) override {
    const Tensor params = context.input(0), indices = context.input(1);
    const Shape shape = context.OutputShape(0);
    const int axis = context.num_inputs() > 2 ? FromFront(NumberIn(context.input(2)), params.rank()) : 0;
    const int batch = FromFront(batch_dims_, indices.rank());
    Tensor result = context.AllocateOutput(0, shape);
    if (shape.elements() == 0) return;
    Sizes sizes;
    sizes.outer = ElementsIn(params.shape(), batch, axis);
    sizes.limit = params.dim(axis);
    sizes.count = ElementsIn(indices.shape(), batch, indices.rank());
    sizes.inner = ElementsIn(params.shape(), axis + 1, params.rank());
    const Global<int64_t> slot = context.NewSlot([limit = sizes.limit](int64_t number) {
      return InvalidArgument("indices[", number - 1, "] is not in [0, ", limit, ")").status();
    });
    ForSizeOf(context.node(), params.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const Global<T> out = context.ViewOf<T>(result);
      Launch(context.stream(), LoopOver(out.size), GatherLoop<T, Index>, context.ViewOf<T>(params),
             context.ViewOf<Index>(indices), out, sizes, slot);
    });
  }

 private:
  const int64_t batch_dims_;
};

constexpr GpuKernelRow kRows[] = {
    {"Gather", MakeForIndices<Gather, 1>},
    {"GatherV2", MakeForIndices<Gather, 1>},
};

}  // namespace

std::span<const GpuKernelRow> ArrayGather() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE

// GatherNd: slices picked by coordinates.
#include "fastpath/gpu/lib/axes.h"
#include "fastpath/gpu/lib/coordinates.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

template <class T, class Index>
PLUMB_GPU_KERNEL GatherLoop(Global<const T> params, Global<const Index> indices, Global<T> out, Slices slices,
                            Global<int64_t> slot) {
  for (int64_t i = First(); i < out.size; i += Stride()) {
    const int64_t row = i / slices.inner, slice = slices.At(indices, row);
    if (slice < 0) {
      AtomicCas(slot[0], int64_t{0}, row + 1);
      continue;
    }
    out[i] = params[slice * slices.inner + i % slices.inner];
  }
}

template <class Index>
class GatherNd final : public GpuKernel {
 public:
  explicit GatherNd(const Node&) {}
  void Run(GpuContext& context) override {
    const Tensor params = context.input(0), indices = context.input(1);
    const Shape shape = context.OutputShape(0);
    const int batch = indices.rank() - 1;
    Tensor result = context.AllocateOutput(0, shape);
    if (ElementsIn(indices.shape(), 0, batch) == 0) return;
    Require(params.elements() > 0, "nothing can be taken from the shape ", params.shape().ToString());
    const Slices slices = SlicesOf(params.shape(), indices.dim(batch));
    const Global<int64_t> slot = context.NewSlot(OutsideOf(params.shape()));
    ForSizeOf(context.node(), params.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const Global<T> out = context.ViewOf<T>(result);
      Launch(context.stream(), LoopOver(out.size), GatherLoop<T, Index>, context.ViewOf<T>(params),
             context.ViewOf<Index>(indices), out, slices, slot);
    });
  }
};

constexpr GpuKernelRow kRows[] = {
    {"GatherNd", MakeForIndices<GatherNd, 1>},
};

}  // namespace

std::span<const GpuKernelRow> ArrayGatherNd() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE

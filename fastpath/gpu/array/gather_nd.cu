// GatherNd: slices picked by coordinates.
#include "fastpath/gpu/lib/axes.h"
#include "fastpath/gpu/lib/rows/gathered.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

class GatherNd final : public GpuKernel {
 public:
  explicit GatherNd(const Node&) {}
  void Run(GpuContext& context) override {
    const Tensor params = context.input(0), indices = context.input(1);
    Require(params.rank() > 0 && indices.rank() > 0, "params and indices must have one dimension at least, not ",
            params.shape().ToString(), " and ", indices.shape().ToString());
    const Shape shape = context.OutputShape(0);
    const int batch = indices.rank() - 1;
    Tensor result = context.AllocateOutput(0, shape);
    if (ElementsIn(indices.shape(), 0, batch) == 0) return;
    Require(params.elements() > 0, "nothing can be taken from the shape ", params.shape().ToString());
    GatherSlices(context, params, indices, SlicesOf(params.shape(), indices.dim(batch)), result);
  }
};

constexpr GpuKernelRow kRows[] = {
    {"GatherNd", Make<GatherNd>},
};

}  // namespace

std::span<const GpuKernelRow> ArrayGatherNd() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE

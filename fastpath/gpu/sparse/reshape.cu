// SparseReshape: places in row-major order, taken apart by the strides of another shape.
#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/strided_copy.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/sparse/elements.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// Coordinates outside of the shape are not refused: what they come to may wrap around.
PLUMB_GPU_KERNEL ReshapeLoop(Coordinates from, Global<const int64_t> sizes, Global<const int64_t> strides,
                             Global<int64_t> out) {
  for (int64_t row = First(); row * strides.size < out.size; row += Stride()) {
    uint64_t place = 0;
    for (int axis = 0; axis < from.rank; ++axis) {
      place = place * static_cast<uint64_t>(int64_t{sizes[axis]}) + static_cast<uint64_t>(from(row, axis));
    }
    auto rest = static_cast<int64_t>(place);
    for (int64_t axis = 0; axis < strides.size; ++axis) {
      out[row * strides.size + axis] = rest / strides[axis];
      rest %= strides[axis];
    }
  }
}

class Reshape final : public GpuKernel {
 public:
  explicit Reshape(const Node&) {}
  void Run(GpuContext& context) override {
    const Tensor& indices = context.input(0);
    const SparseSizes rows = SparseSizesOf(indices.shape());
    const std::vector<int64_t> from = ListedSizes(context.input(1), "input_shape");
    Require(std::ssize(from) == rows.rank, "there are ", rows.rank, " coordinates for each element, but ", from.size(),
            " sizes in input_shape");
    const Shape shape(from);
    const std::vector<int64_t> to = ReshapedSizes(ListedSizes(context.input(2), "new_shape"), shape.elements());
    context.SetOutput(1, OnHost(to));
    if (to == from) return SetUnaliased(context, 0, indices, indices.shape());
    Require(rows.count == 0 || shape.elements() > 0, "there are elements, but the shape ", shape.ToString(),
            " has none");
    const Shape new_shape(to);
    std::vector<int64_t> strides;
    for (int axis = 0; axis < new_shape.rank(); ++axis) strides.push_back(StrideAlong(new_shape, axis));
    Tensor out = context.AllocateOutput(0, Shape({rows.count, new_shape.rank()}));
    if (out.elements() == 0) return;
    const Tensor sizes_here = OnDevice(context, from), strides_here = OnDevice(context, strides);
    Launch(context.stream(), LoopOver(rows.count), ReshapeLoop, Coordinates{context.In<int64_t>(0), rows.rank},
           context.ViewOf<int64_t>(sizes_here), context.ViewOf<int64_t>(strides_here), context.ViewOf<int64_t>(out));
  }
};

constexpr GpuKernelRow kRows[] = {
    {"SparseReshape", Make<Reshape>, ByHost::kNo, "input_shape new_shape output_shape"},
};

}  // namespace

std::span<const GpuKernelRow> SparseReshape() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE

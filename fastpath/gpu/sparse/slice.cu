// SparseSlice: the elements within a box, for whose number the host waits.
#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/known_numbers.h"
#include "fastpath/gpu/lib/rows/dealt_rows.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/sparse/elements.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// Rows within the box go to list 0. How far a coordinate is from the start may be more than int64 counts: then it is
// not within.
PLUMB_GPU_KERNEL FindInside(Coordinates rows, Global<const int64_t> start, Global<const int64_t> size,
                            Global<int64_t> places) {
  for (int64_t row = First(); row < places.size; row += Stride()) {
    bool is_inside = true;
    for (int axis = 0; axis < rows.rank; ++axis) {
      const int64_t at = rows(row, axis), from = start[axis], limit = size[axis];
      const uint64_t offset = static_cast<uint64_t>(at) - static_cast<uint64_t>(from);
      is_inside = is_inside && at >= from && limit > 0 && offset < static_cast<uint64_t>(limit);
    }
    places[row] = is_inside ? 0 : -1;
  }
}

class Slice final : public GpuKernel {
 public:
  explicit Slice(const Node&) {}
  void Run(GpuContext& context) override {
    const SparseElements elements = SparseInput(context, 0);
    const int rank = elements.sizes.rank;
    const std::vector<int64_t> start = BoxOf(context.input(3), rank), size = BoxOf(context.input(4), rank);
    context.SetOutput(2, OnHost(SlicedSizes(Shape(ListedSizes(context.input(2))), start, size)));
    Tensor places = context.Scratch(DType::kInt64, Shape({elements.sizes.count}));
    const Tensor start_here = OnDevice(context, start), size_here = OnDevice(context, size);
    Launch(context.stream(), LoopOver(elements.sizes.count), FindInside, CoordinatesOf(context, elements),
           context.ViewOf<int64_t>(start_here), context.ViewOf<int64_t>(size_here), context.ViewOf<int64_t>(places));
    const DealtRows found = DealRows(context, context.ViewOf<int64_t>(places), 1);
    const int64_t count = BringNumbers(context, found.begins)[1];
    Tensor indices = context.AllocateOutput(0, Shape({count, rank}));
    Tensor values = context.AllocateOutput(1, Shape({count}));
    TakeElements(context, elements, found.rows, 0, start, indices, values);
  }

 private:
  static std::vector<int64_t> BoxOf(const Tensor& tensor, int rank) {
    Require(tensor.rank() == 1 && tensor.dim(0) == rank, "start and size must have ", rank, " elements, not the shape ",
            tensor.shape().ToString());
    return ToInt64s(tensor);
  }
};

constexpr GpuKernelRow kRows[] = {
    {"SparseSlice", Make<Slice>, ByHost::kNo, "shape start size output_shape"},
};

}  // namespace

std::span<const GpuKernelRow> SparseSlice() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE

// SparseConcat: all elements put down one part after the other, then put in order.
#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/sorted_order.h"
#include "fastpath/gpu/lib/strided_copy.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/sparse/elements.h"
#include "spec/graph/int32_attr.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// Where the coordinate along the axis begins anew.
PLUMB_GPU_KERNEL MoveLoop(Global<int64_t> indices, int rank, int axis, int64_t offset) {
  for (int64_t row = First(); row * rank < indices.size; row += Stride()) {
    const auto at = static_cast<uint64_t>(int64_t{indices[row * rank + axis]});
    indices[row * rank + axis] = static_cast<int64_t>(at + static_cast<uint64_t>(offset));
  }
}

class Concat final : public GpuKernel {
 public:
  explicit Concat(const Node& node)
      : parts_(static_cast<int>(GetAttr<int64_t>(node.attrs, "N"))), axis_(Int32Attr(node, "concat_dim")) {}
  void Run(GpuContext& context) override {
    std::vector<std::vector<int64_t>> sizes;
    int64_t count = 0;
    for (int i = 0; i < parts_; ++i) {
      const Tensor& shape = context.input(2 * parts_ + i);
      count += SparseSizesOf(context.input(i).shape(), context.input(parts_ + i).shape(), shape.shape()).count;
      sizes.push_back(ListedSizes(shape));
    }
    const JoinedSizes joined = JoinedSizesOf(sizes, axis_);
    context.SetOutput(2, OnHost(joined.sizes));
    const SparseElements all = Joined(context, joined, count);
    Tensor indices = context.AllocateOutput(0, all.indices.shape());
    Tensor values = context.AllocateOutput(1, all.values.shape());
    const Tensor order = InOrder(context, count, RowMajor{CoordinatesOf(context, all)});
    TakeElements(context, all, order, 0, {}, indices, values);
  }

 private:
  // One part after the other, each at its place along the axis.
  SparseElements Joined(GpuContext& context, const JoinedSizes& joined, int64_t count) const {
    const int rank = static_cast<int>(joined.sizes.size());
    SparseElements all{{count, rank},
                       context.Scratch(DType::kInt64, Shape({count, rank})),
                       context.Scratch(context.input(parts_).dtype(), Shape({count}))};
    int64_t first = 0;
    for (int i = 0; i < parts_; ++i) {
      const Tensor &indices = context.input(i), &values = context.input(parts_ + i);
      CopyRange(context, indices, 0, all.indices, first * rank, indices.elements());
      CopyRange(context, values, 0, all.values, first, values.elements());
      Launch(context.stream(), LoopOver(values.elements()), MoveLoop,
             context.ViewOf<int64_t>(all.indices).From(first * rank, indices.elements()), rank, joined.axis,
             joined.offsets[static_cast<size_t>(i)]);
      first += values.elements();
    }
    return all;
  }

  const int parts_;
  const int64_t axis_;
};

constexpr GpuKernelRow kRows[] = {
    {"SparseConcat", Make<Concat>, ByHost::kNo, "shapes output_shape"},
};

}  // namespace

std::span<const GpuKernelRow> SparseConcat() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE

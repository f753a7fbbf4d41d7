// Cutting a tensor apart along an axis.
#include <vector>

#include "fastpath/formulas/array/split_sizes.h"
#include "fastpath/gpu/lib/axes.h"
#include "fastpath/gpu/lib/strided_copy.h"
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

void CutApart(GpuContext& context, const Tensor& whole, int axis, const std::vector<int64_t>& sizes) {
  if (sizes.size() == 1) return context.SetOutput(0, whole);
  const int64_t rows = ElementsIn(whole.shape(), 0, axis), row = ElementsIn(whole.shape(), axis, whole.rank());
  const int64_t inner = ElementsIn(whole.shape(), axis + 1, whole.rank());
  std::vector<int64_t> dims = whole.shape().ToVector();
  int64_t first = 0;
  for (int i = 0; i < static_cast<int>(sizes.size()); ++i) {
    const int64_t size = dims[static_cast<size_t>(axis)] = sizes[static_cast<size_t>(i)];
    if (axis == 0 && SharesRows(whole)) {  // R31
      context.SetOutput(i, whole.Rows(first, size));
    } else {
      Tensor piece = context.AllocateOutput(i, Shape(dims));
      CopyRows(context, {rows, size * inner, row, size * inner}, whole, first * inner, piece, 0);
    }
    first += size;
  }
}

class Split final : public GpuKernel {
 public:
  explicit Split(const Node& node) : pieces_(node.output_types.size()) {}
  void Run(GpuContext& context) override {
    const Shape piece = context.OutputShape(0);
    const Tensor whole = context.input(1);
    const int axis = FromFront(NumberIn(context.input(0)), whole.rank());
    CutApart(context, whole, axis, std::vector<int64_t>(pieces_, piece[axis]));
  }

 private:
  const size_t pieces_;
};

class SplitV final : public GpuKernel {
 public:
  explicit SplitV(const Node& node) : pieces_(GetAttr<int64_t>(node.attrs, "num_split")) {
    Require(pieces_ >= 1, "num_split must be at least 1, and is ", pieces_);
  }
  void Run(GpuContext& context) override {
    const Tensor whole = context.input(0);
    const int axis = AxisOf(NumberIn(context.input(2)), whole.rank(), "split_dim");
    CutApart(context, whole, axis, SplitSizes(context.input(1), pieces_, whole.dim(axis)));
  }

 private:
  const int64_t pieces_;
};

constexpr GpuKernelRow kRows[] = {
    {"Split", Make<Split>},
    {"SplitV", Make<SplitV>},
};

}  // namespace

std::span<const GpuKernelRow> ArraySplit() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE

// Cutting a tensor apart along an axis. The row's shape rule refuses pieces that do not make up the whole.
#include <vector>

#include "fastpath/gpu/lib/axes.h"
#include "fastpath/gpu/lib/strided_copy.h"
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// The sizes of the pieces, of which one may be said by -1: what is left of `total`.
std::vector<int64_t> Settled(std::vector<int64_t> sizes, int64_t total) {
  int64_t sum = 0;
  for (const int64_t size : sizes) sum += size < 0 ? 0 : size;
  for (int64_t& size : sizes) size = size < 0 ? total - sum : size;
  return sizes;
}

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
  explicit SplitV(const Node&) {}
  void Run(GpuContext& context) override {
    context.OutputShape(0);  // refuses sizes that do not add up
    const Tensor whole = context.input(0);
    const int axis = FromFront(NumberIn(context.input(2)), whole.rank());
    const std::vector<int64_t> sizes = ToInt64s(context.input(1));
    Require(sizes.size() > 1 || sizes[0] == whole.dim(axis), "a single part has the size ", whole.dim(axis),
            " of the input, not ", sizes[0]);
    CutApart(context, whole, axis, Settled(sizes, whole.dim(axis)));
  }
};

constexpr GpuKernelRow kRows[] = {
    {"Split", Make<Split>},
    {"SplitV", Make<SplitV>},
};

}  // namespace

std::span<const GpuKernelRow> ArraySplit() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE

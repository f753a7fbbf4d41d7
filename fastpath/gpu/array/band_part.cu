// MatrixBandPart: zeros outside of a band around the main diagonal.
#include "fastpath/gpu/lib/coordinates.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

template <class T, class Number>
PLUMB_GPU_KERNEL BandLoop(Global<const T> in, Global<const Number> num_lower, Global<const Number> num_upper,
                          Global<T> out, int64_t rows, int64_t columns) {
  const int64_t lower = num_lower[0], upper = num_upper[0];
  for (int64_t i = First(); i < out.size; i += Stride()) {
    const int64_t column = i % columns, row = i / columns % rows;
    const bool is_inside = (lower < 0 || row - column <= lower) && (upper < 0 || column - row <= upper);
    out[i] = is_inside ? in[i] : T{};
  }
}

template <class Number>
PLUMB_GPU_KERNEL CheckBand(Global<const Number> num_lower, Global<const Number> num_upper, int64_t rows,
                           int64_t columns, Global<int64_t> slot) {
  const int64_t lower = num_lower[0], upper = num_upper[0];
  if (lower > rows || upper > columns) AtomicCas(slot[0], int64_t{0}, int64_t{1});
}

template <class Number>
class MatrixBandPart final : public GpuKernel {
 public:
  explicit MatrixBandPart(const Node&) {}
  void Run(GpuContext& context) override {
    const Tensor &x = context.input(0), &lower = context.input(1), &upper = context.input(2);
    Require(x.rank() >= 2, "the input must have two dimensions at least, not the shape ", x.shape().ToString());
    Require(lower.rank() == 0 && upper.rank() == 0, "num_lower and num_upper must be scalars");
    const Shape shape = x.shape();
    const int64_t rows = shape[shape.rank() - 2], columns = shape[shape.rank() - 1];
    const Global<int64_t> slot = context.NewSlot([rows, columns](int64_t) {
      return InvalidArgument("num_lower and num_upper must be negative or at most the sizes of a matrix, ", rows,
                             " and ", columns)
          .status();
    });
    const Global<const Number> below = context.ViewOf<Number>(lower), above = context.ViewOf<Number>(upper);
    Launch(context.stream(), GridSize{.blocks = 1, .threads = 1}, CheckBand<Number>, below, above, rows, columns, slot);
    ForSizeOf(context.node(), x.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const Global<const T> in = context.ViewOf<T>(x);
      Tensor y = context.ForwardOrAllocate(0, 0, shape);
      const Global<T> out = context.ViewOf<T>(y);
      Launch(context.stream(), LoopOver(out.size), BandLoop<T, Number>, in, below, above, out, rows, columns);
    });
  }
};

constexpr GpuKernelRow kRows[] = {
    {"MatrixBandPart", MakeForIndices<MatrixBandPart, 1>},
    {"BatchMatrixBandPart", MakeForIndices<MatrixBandPart, 1>},
};

}  // namespace

std::span<const GpuKernelRow> ArrayBandPart() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE

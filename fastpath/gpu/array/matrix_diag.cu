// Diagonals of matrices: taken out, put in, made into matrices.
#include <algorithm>
#include <string>
#include <vector>

#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// The diagonals `lower` to `upper` of matrices, counted from the main one, as rows of `longest` elements, the upper one
// first.
struct Band {
  int64_t lower = 0, upper = 0;
  int64_t rows = 0, columns = 0, longest = 0;
  bool upper_left = true, lower_left = true;  // where shorter diagonals stand in their rows

  PLUMB_GPU_WORD int64_t count() const { return upper - lower + 1; }
  PLUMB_GPU_WORD int64_t Length(int64_t d) const {
    const int64_t down = d < 0 ? rows + d : rows, across = d > 0 ? columns - d : columns;
    return down < across ? down : across;
  }
  // Where diagonal `d` begins in its row.
  PLUMB_GPU_WORD int64_t Start(int64_t d) const {
    const bool left = (d >= 0 && upper_left) || (d <= 0 && lower_left);
    return left ? 0 : longest - Length(d);
  }
  // Which element of the rows stands in a matrix at this place; -1: none.
  PLUMB_GPU_WORD int64_t ElementAt(int64_t row, int64_t column) const {
    const int64_t d = column - row;
    if (d < lower || d > upper) return -1;
    return (upper - d) * longest + Start(d) + (row < column ? row : column);
  }
};

// fill: one element for places without any; empty: zero.
template <class T>
PLUMB_GPU_KERNEL PartLoop(Global<const T> in, Global<const T> fill, Global<T> out, Band band) {
  for (int64_t i = First(); i < out.size; i += Stride()) {
    const int64_t line = i / band.longest, d = band.upper - line % band.count();
    const int64_t along = i % band.longest - band.Start(d);
    const int64_t row = d < 0 ? along - d : along, column = d > 0 ? along + d : along;
    if (along >= 0 && along < band.Length(d)) {
      out[i] = in[(line / band.count() * band.rows + row) * band.columns + column];
    } else {
      out[i] = fill.size > 0 ? fill[0] : T{};
    }
  }
}

// others: the matrices whose elements stand beside the diagonals; empty: `fill`, as above.
template <class T>
PLUMB_GPU_KERNEL SetLoop(Global<const T> diagonals, Global<const T> others, Global<const T> fill, Global<T> out,
                         Band band) {
  for (int64_t i = First(); i < out.size; i += Stride()) {
    const int64_t column = i % band.columns, line = i / band.columns;
    const int64_t element = band.ElementAt(line % band.rows, column);
    if (element >= 0) {
      out[i] = diagonals[line / band.rows * band.count() * band.longest + element];
    } else if (others.size > 0) {
      out[i] = others[i];
    } else {
      out[i] = fill.size > 0 ? fill[0] : T{};
    }
  }
}

// The diagonals that input `i` names, the main one where the op has no such input, of these matrices. The row's shape
// rule has found that they fit.
Band BandOf(const GpuContext& context, int i, const Shape& matrices) {
  Band band;
  if (i < context.num_inputs()) {
    const std::vector<int64_t> named = ToInt64s(context.input(i));
    band.lower = named.front();
    band.upper = named.back();
  }
  band.rows = matrices[matrices.rank() - 2];
  band.columns = matrices[matrices.rank() - 1];
  const auto align = GetAttrOr<std::string>(context.node().attrs, "align", "LEFT_LEFT");
  band.upper_left = align == "LEFT_LEFT" || align == "LEFT_RIGHT";
  band.lower_left = align == "LEFT_LEFT" || align == "RIGHT_LEFT";
  return band;
}

// Throws kInvalidArgument where diagonals of this shape are not those of the band in these matrices.
void RequireDiagonals(const Shape& matrices, const Band& band, const Shape& diagonals) {
  std::vector<int64_t> dims(matrices.dims().begin(), matrices.dims().end() - 2);
  if (band.count() > 1) dims.push_back(band.count());
  dims.push_back(
      std::min(band.rows + std::min<int64_t>(band.upper, 0), band.columns - std::max<int64_t>(band.lower, 0)));
  const Shape wanted(dims);
  Require(diagonals == wanted, "the diagonals must have the shape ", wanted.ToString(), ", not ", diagonals.ToString());
}

// The value of input `i`, if there is one, around what is put in or taken out.
template <class T>
Global<const T> FillOf(const GpuContext& context, int i) {
  if (i >= context.num_inputs()) return {};
  Require(context.input(i).elements() == 1, "padding_value must be a scalar, not of shape ",
          context.input(i).shape().ToString());
  return context.In<T>(i);
}

// The dimensions but for the last ones. Throws kInvalidArgument where there are fewer.
std::vector<int64_t> DimsBut(int last, const Shape& shape) {
  Require(shape.rank() >= last, "the input must have at least ", last, " dimensions, not the shape ", shape.ToString());
  return {shape.dims().begin(), shape.dims().end() - last};
}

// Of the result of an op of one matrix or diagonal and no other argument, of whose older name no rule says the shape.
Shape ShapeOfParts(const Shape& matrices) {
  std::vector<int64_t> dims = DimsBut(2, matrices);
  dims.push_back(std::min(matrices[matrices.rank() - 2], matrices[matrices.rank() - 1]));
  return Shape(dims);
}
Shape ShapeAround(const Shape& diagonals) {
  std::vector<int64_t> dims = DimsBut(1, diagonals);
  dims.resize(dims.size() + 2, diagonals.rank() > 0 ? diagonals[diagonals.rank() - 1] : 0);
  return Shape(dims);
}

class MatrixDiagPart final : public GpuKernel {
 public:
  explicit MatrixDiagPart(const Node&) {}
  void Run(GpuContext& context) override {
    const Tensor& x = context.input(0);
    const Shape shape = context.num_inputs() == 1 ? ShapeOfParts(x.shape()) : context.OutputShape(0, 2);
    Band band = BandOf(context, 1, x.shape());
    band.longest = shape[shape.rank() - 1];
    Tensor y = context.AllocateOutput(0, shape);
    ForSizeOf(context.node(), x.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const Global<T> out = context.ViewOf<T>(y);
      Launch(context.stream(), LoopOver(out.size), PartLoop<T>, context.ViewOf<T>(x), FillOf<T>(context, 2), out, band);
    });
  }
};

class MatrixDiag final : public GpuKernel {
 public:
  explicit MatrixDiag(const Node&) {}
  void Run(GpuContext& context) override {
    const Tensor& x = context.input(0);
    const Shape shape = context.num_inputs() == 1 ? ShapeAround(x.shape()) : context.OutputShape(0);
    Band band = BandOf(context, 1, shape);
    band.longest = x.dim(x.rank() - 1);
    Tensor y = context.AllocateOutput(0, shape);
    ForSizeOf(context.node(), x.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const Global<T> out = context.ViewOf<T>(y);
      Launch(context.stream(), LoopOver(out.size), SetLoop<T>, context.ViewOf<T>(x), Global<const T>(),
             FillOf<T>(context, 4), out, band);
    });
  }
};

class MatrixSetDiag final : public GpuKernel {
 public:
  explicit MatrixSetDiag(const Node&) {}
  void Run(GpuContext& context) override {
    const Shape shape = context.num_inputs() == 2 ? context.input(0).shape() : context.OutputShape(0);
    DimsBut(2, shape);
    const Tensor& diagonals = context.input(1);
    Band band = BandOf(context, 2, shape);
    RequireDiagonals(shape, band, diagonals.shape());
    band.longest = diagonals.dim(diagonals.rank() - 1);
    ForSizeOf(context.node(), diagonals.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const Global<const T> others = context.ViewOf<T>(context.input(0));
      Tensor y = context.ForwardOrAllocate(0, 0, shape);
      const Global<T> out = context.ViewOf<T>(y);
      Launch(context.stream(), LoopOver(out.size), SetLoop<T>, context.ViewOf<T>(diagonals), others, Global<const T>(),
             out, band);
    });
  }
};

constexpr GpuKernelRow kRows[] = {
    {"MatrixDiag", Make<MatrixDiag>},
    {"MatrixDiagV2", Make<MatrixDiag>},
    {"MatrixDiagV3", Make<MatrixDiag>},
    {"MatrixDiagPart", Make<MatrixDiagPart>},
    {"MatrixDiagPartV2", Make<MatrixDiagPart>},
    {"MatrixDiagPartV3", Make<MatrixDiagPart>},
    {"MatrixSetDiag", Make<MatrixSetDiag>},
    {"MatrixSetDiagV2", Make<MatrixSetDiag>},
    {"MatrixSetDiagV3", Make<MatrixSetDiag>},
    {"BatchMatrixDiag", Make<MatrixDiag>},
    {"BatchMatrixDiagPart", Make<MatrixDiagPart>},
    {"BatchMatrixSetDiag", Make<MatrixSetDiag>},
};

}  // namespace

std::span<const GpuKernelRow> ArrayMatrixDiag() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE

// Diagonals of matrices: taken out, put in, made into matrices.
#include <algorithm>
#include <string>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/strided_copy.h"
#include "fastpath/cpu/lib/words.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

// The diagonals `lower` to `upper`, counted from the main one, as rows of `longest` elements, the upper one first.
struct Band {
  int64_t lower = 0, upper = 0;
  int64_t rows = 0, columns = 0, longest = 0;

  int64_t count() const { return upper - lower + 1; }
  int64_t Length(int64_t d) const {
    return std::min(rows + std::min<int64_t>(d, 0), columns - std::max<int64_t>(d, 0));
  }
  // The first element of a diagonal in its matrix.
  int64_t Begin(int64_t d) const { return d >= 0 ? d : -d * columns; }
};

// Where shorter diagonals stand in their rows.
struct Alignment {
  bool upper_left, lower_left;

  explicit Alignment(const Node& node) {
    const auto align = GetAttrOr<std::string>(node.attrs, "align", "LEFT_LEFT");
    upper_left = align == "LEFT_LEFT" || align == "LEFT_RIGHT";
    lower_left = align == "LEFT_LEFT" || align == "RIGHT_LEFT";
  }
  int64_t Start(const Band& band, int64_t d) const {
    const bool left = (d >= 0 && upper_left) || (d <= 0 && lower_left);
    return left ? 0 : band.longest - band.Length(d);
  }
};

// The diagonals that input `i` names, the main one where the op has no such input.
Band BandOf(const KernelContext& context, int i) {
  Band band;
  if (i < context.num_inputs()) {
    const Tensor& k = context.input(i);
    Require(k.rank() <= 1 && (k.elements() == 1 || k.elements() == 2),
            "k must hold one or two diagonals, not have the "
            "shape ",
            k.shape().ToString());
    band.lower = IntAt(k, 0);
    band.upper = IntAt(k, k.elements() - 1);
  }
  Require(band.lower <= band.upper, "k names the diagonals ", band.lower, " to ", band.upper, ", which are none");
  return band;
}

void FitToMatrix(const Shape& shape, Band& band) {
  Require(shape.rank() >= 2, "the input must have two dimensions at least, not the shape ", shape.ToString());
  band.rows = shape[shape.rank() - 2];
  band.columns = shape[shape.rank() - 1];
  for (const int64_t d : {band.lower, band.upper}) {
    Require(d == 0 || (-band.rows < d && d < band.columns), "a matrix of ", band.rows, " rows and ", band.columns,
            " columns has no diagonal ", d);
  }
  band.longest =
      std::min(band.rows + std::min<int64_t>(band.upper, 0), band.columns - std::max<int64_t>(band.lower, 0));
}

Shape DiagonalsShape(const Shape& matrices, const Band& band) {
  Dims dims;
  for (int axis = 0; axis < matrices.rank() - 2; ++axis) dims.Append(matrices[axis]);
  if (band.count() > 1) dims.Append(band.count());
  dims.Append(band.longest);
  return dims.ToShape();
}

class MatrixDiagPart final : public Kernel {
 public:
  explicit MatrixDiagPart(const Node& node)
      : type_(InputType(node, 0)), alignment_(node), padding_(Zeros(type_, Shape())) {}
  void Run(KernelContext& context) override {
    const Tensor& x = context.input(0);
    Band band = BandOf(context, 1);
    FitToMatrix(x.shape(), band);
    const Tensor& padding = context.num_inputs() > 2 ? context.input(2) : padding_;
    Require(padding.elements() == 1, "padding_value must be a scalar, not of shape ", padding.shape().ToString());
    Tensor& output = context.AllocateOutput(0, type_, DiagonalsShape(x.shape(), band));
    if (output.elements() == 0) return;
    VisitWord(type_, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const T* const from = static_cast<const T*>(x.raw());
      const T fill = *static_cast<const T*>(padding.raw());
      T* const to = static_cast<T*>(output.mutable_raw());
      context.pool().ParallelFor(
          output.elements() / band.longest, GrainFor(2 * band.longest), [&](int64_t begin, int64_t end) {
            for (int64_t i = begin; i < end; ++i) {
              const int64_t d = band.upper - i % band.count();
              const int64_t start = alignment_.Start(band, d), length = band.Length(d);
              const T* const diagonal = from + i / band.count() * band.rows * band.columns + band.Begin(d);
              T* const row = to + i * band.longest;
              std::fill(row, row + start, fill);
              for (int64_t t = 0; t < length; ++t) row[start + t] = diagonal[t * (band.columns + 1)];
              std::fill(row + start + length, row + band.longest, fill);
            }
          });
    });
  }

 private:
  DType type_;
  Alignment alignment_;
  Tensor padding_;
};

class MatrixDiag final : public Kernel {
 public:
  explicit MatrixDiag(const Node& node)
      : type_(InputType(node, 0)), alignment_(node), padding_(Zeros(type_, Shape())) {}
  void Run(KernelContext& context) override {
    const Tensor& x = context.input(0);
    Band band = BandOf(context, 1);
    const int batch = x.rank() - (band.count() > 1 ? 2 : 1);
    Require(batch >= 0 && (band.count() == 1 || x.dim(batch) == band.count()), "the shape ", x.shape().ToString(),
            " does not hold the diagonals ", band.lower, " to ", band.upper);
    band.longest = x.dim(x.rank() - 1);
    SizeMatrix(context, band);
    const Tensor& padding = context.num_inputs() > 4 ? context.input(4) : padding_;
    Require(padding.rank() == 0, "padding_value must be a scalar, not of shape ", padding.shape().ToString());
    Dims dims;
    for (int axis = 0; axis < batch; ++axis) dims.Append(x.dim(axis));
    dims.Append(band.rows);
    dims.Append(band.columns);
    Tensor& output = context.AllocateOutput(0, type_, dims.ToShape());
    if (output.elements() == 0) return;
    VisitWord(type_, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const T* const from = static_cast<const T*>(x.raw());
      const T fill = *static_cast<const T*>(padding.raw());
      T* const to = static_cast<T*>(output.mutable_raw());
      context.pool().ParallelFor(output.elements() / band.columns, GrainFor(band.columns + 2 * band.count()),
                                 [&](int64_t begin, int64_t end) {
                                   for (int64_t i = begin; i < end; ++i) {
                                     FillRow(band, i % band.rows, from + i / band.rows * band.count() * band.longest,
                                             fill, to + i * band.columns);
                                   }
                                 });
    });
  }

 private:
  // One row of a matrix, which meets each diagonal of the band at most once.
  template <class T>
  void FillRow(const Band& band, int64_t row, const T* diagonals, const T& fill, T* to) const {
    const int64_t first = std::clamp<int64_t>(row + band.lower, 0, band.columns);
    const int64_t last = std::clamp<int64_t>(row + band.upper + 1, first, band.columns);
    std::fill(to, to + first, fill);
    for (int64_t column = first; column < last; ++column) {
      const int64_t d = column - row;
      to[column] = diagonals[(band.upper - d) * band.longest + alignment_.Start(band, d) + std::min(row, column)];
    }
    std::fill(to + last, to + band.columns, fill);
  }

  // What the inputs do not say of the matrix follows from the diagonals.
  static void SizeMatrix(const KernelContext& context, Band& band) {
    int64_t rows = -1, columns = -1;
    if (context.num_inputs() > 2) {
      Require(context.input(2).rank() == 0 && context.input(3).rank() == 0, "num_rows and num_cols must be scalars");
      rows = IntAt(context.input(2), 0);
      columns = IntAt(context.input(3), 0);
    }
    const int64_t least_rows = band.longest - std::min<int64_t>(band.upper, 0);
    const int64_t least_columns = band.longest + std::max<int64_t>(band.lower, 0);
    if (rows == -1 && columns == -1) rows = columns = std::max(least_rows, least_columns);
    band.rows = rows == -1 ? least_rows : rows;
    band.columns = columns == -1 ? least_columns : columns;
    Require(band.rows >= least_rows && band.columns >= least_columns &&
                (band.rows == least_rows || band.columns == least_columns),
            "a matrix of ", band.rows, " rows and ", band.columns, " columns does not fit diagonals of ", band.longest,
            " elements; it needs ", least_rows, " rows or ", least_columns, " columns, and at least the other");
  }

  DType type_;
  Alignment alignment_;
  Tensor padding_;
};

class MatrixSetDiag final : public Kernel {
 public:
  explicit MatrixSetDiag(const Node& node) : type_(InputType(node, 0)), alignment_(node) {}
  void Run(KernelContext& context) override {
    const Tensor &x = context.input(0), &diagonals = context.input(1);
    Band band = BandOf(context, 2);
    FitToMatrix(x.shape(), band);
    const Shape wanted = DiagonalsShape(x.shape(), band), shape = x.shape();
    Require(diagonals.shape() == wanted, "the diagonals must have the shape ", wanted.ToString(), ", not ",
            diagonals.shape().ToString());
    const void* const from = x.raw();
    Tensor& output = context.ForwardOrAllocate(0, 0, type_, shape);
    if (shape.elements() == 0) return;
    if (output.raw() != from) {
      CopyPlan whole;
      whole.Append(shape.elements(), 1, 1);
      CopyStrided(context.pool(), type_, whole, from, output.mutable_raw());
    }
    VisitWord(type_, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const T* const rows = static_cast<const T*>(diagonals.raw());
      T* const to = static_cast<T*>(output.mutable_raw());
      context.pool().ParallelFor(
          diagonals.elements() / band.longest, GrainFor(2 * band.longest), [&](int64_t begin, int64_t end) {
            for (int64_t i = begin; i < end; ++i) {
              const int64_t d = band.upper - i % band.count(), length = band.Length(d);
              const T* const row = rows + i * band.longest + alignment_.Start(band, d);
              T* const diagonal = to + i / band.count() * band.rows * band.columns + band.Begin(d);
              for (int64_t t = 0; t < length; ++t) diagonal[t * (band.columns + 1)] = row[t];
            }
          });
    });
  }

 private:
  DType type_;
  Alignment alignment_;
};

constexpr KernelRow kRows[] = {
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

std::span<const KernelRow> ArrayMatrixDiag() { return kRows; }

}  // namespace plumb::fast::cpu

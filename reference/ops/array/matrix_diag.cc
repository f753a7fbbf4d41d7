// Diagonals of matrices: taken out, put in, made into matrices.
#include <algorithm>

#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
namespace {

// Diagonals `lower` to `upper` of a matrix, counted from the main one, and how they stand in an array of rows: row 0 is
// the upper one, and the shorter ones begin at the left or end at the right.
struct Band {
  int64_t lower = 0, upper = 0;
  int64_t rows = 0, columns = 0;  // of the matrix
  int64_t longest = 0;            // length of the array's rows
  bool upper_left = true, lower_left = true;

  bool Has(int64_t d) const { return lower <= d && d <= upper; }
  int64_t Length(int64_t d) const {
    return std::min(rows + std::min<int64_t>(d, 0), columns - std::max<int64_t>(d, 0));
  }
  // Where the diagonal begins in its row of the array.
  int64_t Start(int64_t d) const {
    const bool left = (d >= 0 && upper_left) || (d <= 0 && lower_left);
    return left ? 0 : longest - Length(d);
  }
  // The place in the array of a matrix element on a diagonal of the band.
  int64_t Place(int64_t row, int64_t column) const {
    const int64_t d = column - row;
    return (upper - d) * longest + Start(d) + std::min(row, column);
  }
};

// Reads the diagonals that input `i` names, if the op has one, and the alignment.
Band BandOf(OpContext& c, int i) {
  Band band;
  const auto align = GetAttrOr<std::string>(c.node.attrs, "align", "LEFT_LEFT");
  band.upper_left = align.starts_with("LEFT_");
  band.lower_left = align.ends_with("_LEFT");
  if (i < c.num_inputs()) {
    const auto numbers = IntegersOf(c.tensor(i), "k");
    Require(numbers.size() == 1 || numbers.size() == 2, "k must hold one or two diagonals, not ", numbers.size());
    band.lower = numbers.front();
    band.upper = numbers.back();
  }
  Require(band.lower <= band.upper, "the diagonals ", band.lower, " to ", band.upper, " are none");
  return band;
}

void FitToMatrix(Band& band, const Shape& shape) {
  Require(shape.rank() >= 2, "the input must have two dimensions at least, not the shape ", shape.ToString());
  band.rows = shape.dim(shape.rank() - 2);
  band.columns = shape.dim(shape.rank() - 1);
  for (const int64_t d : {band.lower, band.upper}) {
    Require(d == 0 || (-band.rows < d && d < band.columns), "a matrix of ", band.rows, " rows and ", band.columns,
            " columns has no diagonal ", d);
  }
  band.longest =
      std::min(band.rows + std::min<int64_t>(band.upper, 0), band.columns - std::max<int64_t>(band.lower, 0));
}

Shape DiagonalsShape(const Band& band, const Shape& matrices) {
  std::vector<int64_t> dims(matrices.dims().begin(), matrices.dims().end() - 2);
  if (band.lower < band.upper) dims.push_back(band.upper - band.lower + 1);
  dims.push_back(band.longest);
  return Shape(dims);
}

// Calls f(element of the matrices, element of the arrays of diagonals) for all that are on the band.
template <class F>
void ForEachOnBand(const Band& band, const Shape& matrices, F f) {
  if (matrices.elements() == 0) return;  // their sides may be any, then
  const int64_t size = band.rows * band.columns, array = (band.upper - band.lower + 1) * band.longest;
  for (int64_t i = 0; i < matrices.elements(); ++i) {
    const int64_t row = i % size / band.columns, column = i % size % band.columns;
    if (band.Has(column - row)) f(i, i / size * array + band.Place(row, column));
  }
}

void FillWith(Assembly& result, const Shape& shape, const Value& padding) {
  for (int64_t i = 0; i < shape.elements(); ++i) result.Copy(i, padding, 0);
}

void MatrixDiagPart(OpContext& c) {
  const Shape& shape = c.tensor(0).shape();
  Band band = BandOf(c, 1);
  FitToMatrix(band, shape);
  const Shape result_shape = DiagonalsShape(band, shape);
  Assembly result(c.tensor(0).dtype(), result_shape);
  if (c.num_inputs() > 2) {
    Require(c.tensor(2).elements() == 1, "padding_value must be a scalar, not of shape ",
            c.tensor(2).shape().ToString());
    FillWith(result, result_shape, c.input(2));
  }
  ForEachOnBand(band, shape, [&](int64_t in, int64_t at) { result.Copy(at, c.input(0), in); });
  c.Output(0, result.Take());
}

// Rows and columns as the diagonals need them, where the inputs do not say them.
void SizeMatrix(OpContext& c, Band& band) {
  const int64_t least_rows = band.longest - std::min<int64_t>(band.upper, 0);
  const int64_t least_columns = band.longest + std::max<int64_t>(band.lower, 0);
  int64_t rows = -1, columns = -1;
  if (c.num_inputs() > 2) {
    rows = ScalarOf(c.tensor(2), "num_rows");
    columns = ScalarOf(c.tensor(3), "num_cols");
  }
  if (rows == -1 && columns == -1) rows = columns = std::max(least_rows, least_columns);
  band.rows = rows == -1 ? least_rows : rows;
  band.columns = columns == -1 ? least_columns : columns;
  Require(band.rows >= least_rows && band.columns >= least_columns, "a matrix of ", band.rows, " rows and ",
          band.columns, " columns is too small for diagonals of ", band.longest, " elements");
  Require(band.rows == least_rows || band.columns == least_columns, "a matrix of ", band.rows, " rows and ",
          band.columns, " columns has longer diagonals than ", band.longest);
}

void MatrixDiag(OpContext& c) {
  const Shape& shape = c.tensor(0).shape();
  Band band = BandOf(c, 1);
  const bool several = band.lower < band.upper;
  const int batch = shape.rank() - (several ? 2 : 1);
  Require(batch >= 0, "the diagonals must have ", several ? 2 : 1, " dimensions at least, not the shape ",
          shape.ToString());
  Require(!several || shape.dim(batch) == band.upper - band.lower + 1, "the shape ", shape.ToString(),
          " does not hold the diagonals ", band.lower, " to ", band.upper);
  band.longest = shape.dim(shape.rank() - 1);
  SizeMatrix(c, band);
  std::vector<int64_t> dims(shape.dims().begin(), shape.dims().begin() + batch);
  dims.insert(dims.end(), {band.rows, band.columns});
  const Shape result_shape(dims);
  Assembly result(c.tensor(0).dtype(), result_shape);
  if (c.num_inputs() > 4) {
    Require(c.tensor(4).rank() == 0, "padding_value must be a scalar, not of shape ", c.tensor(4).shape().ToString());
    FillWith(result, result_shape, c.input(4));
  }
  ForEachOnBand(band, result_shape, [&](int64_t to, int64_t at) { result.Copy(to, c.input(0), at); });
  c.Output(0, result.Take());
}

void MatrixSetDiag(OpContext& c) {
  const Value& x = c.input(0);
  const Shape& shape = x.tensor.shape();
  Band band = BandOf(c, 2);
  FitToMatrix(band, shape);
  const Shape wanted = DiagonalsShape(band, shape);
  Require(c.tensor(1).shape() == wanted, "the diagonals must have the shape ", wanted.ToString(), ", not ",
          c.tensor(1).shape().ToString());
  Assembly result(x.tensor.dtype(), shape);
  for (int64_t i = 0; i < shape.elements(); ++i) result.Copy(i, x, i);
  ForEachOnBand(band, shape, [&](int64_t to, int64_t at) { result.Copy(to, c.input(1), at); });
  c.Output(0, result.Take());
}

constexpr KernelRow kRows[] = {
    {"MatrixDiag", MatrixDiag},
    {"MatrixDiagV2", MatrixDiag},
    {"MatrixDiagV3", MatrixDiag},
    {"MatrixDiagPart", MatrixDiagPart},
    {"MatrixDiagPartV2", MatrixDiagPart},
    {"MatrixDiagPartV3", MatrixDiagPart},
    {"MatrixSetDiag", MatrixSetDiag},
    {"MatrixSetDiagV2", MatrixSetDiag},
    {"MatrixSetDiagV3", MatrixSetDiag},
    {"BatchMatrixDiag", MatrixDiag},
    {"BatchMatrixDiagPart", MatrixDiagPart},
    {"BatchMatrixSetDiag", MatrixSetDiag},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ArrayMatrixDiag() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

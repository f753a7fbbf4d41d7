#include <algorithm>

#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"
#include "spec/ops/shapes_of_the_run.h"

namespace plumb::topics {
namespace {

// Diagonals `lower` to `upper` of a matrix, counted from the main one; negative ones lie below it.
struct Band {
  int64_t lower = 0;
  int64_t upper = 0;
  bool IsOne() const { return lower == upper; }
};

// The band that input `i` names by one number or two; the main diagonal for ops that have no such input.
std::optional<Band> ConstantBand(const ShapeContext& c, int i) {
  if (i >= c.num_inputs()) return Band();
  WithRankAtMost(c, i, 1);
  const auto diagonals = ConstantInts(c, i);
  if (!diagonals) return std::nullopt;
  Require(diagonals->size() == 1 || diagonals->size() == 2, InputName(c, i), " must hold one or two numbers, not ",
          diagonals->size());
  const Band band{diagonals->front(), diagonals->back()};
  Require(band.lower <= band.upper, InputName(c, i), " names the diagonals ", band.lower, " to ", band.upper,
          ", which are none");
  return band;
}

// The longest diagonal of the band; -1 where the matrix is not known.
int64_t LongestDiagonal(const ShapeContext& c, const Band& band, int64_t rows, int64_t columns) {
  if (rows < 0 || columns < 0) return -1;
  for (const int64_t d : {band.lower, band.upper}) {
    Require(d == 0 || (-rows < d && d < columns), c.op().name, ": a matrix of ", rows, " rows and ", columns,
            " columns has no diagonal ", d);
  }
  return std::min(rows + std::min<int64_t>(band.upper, 0), columns - std::max<int64_t>(band.lower, 0));
}

// One dimension for the diagonals of the band, if they are several, and one along them.
PartialShape BandShape(const Band& band, int64_t longest) {
  return band.IsOne() ? PartialShape{longest} : PartialShape{band.upper - band.lower + 1, longest};
}

Shapes MatrixDiagPartShapes(const ShapeContext& c) {
  const PartialShape& input = WithRankAtLeast(c, 0, 2);
  const auto band = ConstantBand(c, 1);
  if (c.num_inputs() > 2) RequireScalar(c, 2);
  if (!input.has_rank() || !band) return {PartialShape::Unknown()};
  const int64_t longest = LongestDiagonal(c, *band, input.dim(input.rank() - 2), input.dim(input.rank() - 1));
  return {Join(Part(input, 0, input.rank() - 2), BandShape(*band, longest))};
}

// What is not said of rows and columns, -1, follows from the diagonals: square where neither is said.
PartialShape MatrixAround(const ShapeContext& c, const Band& band, int64_t longest, std::optional<int64_t> rows,
                          std::optional<int64_t> columns) {
  if (longest < 0 || !rows || !columns) return PartialShape{-1, -1};
  const int64_t least_rows = longest - std::min<int64_t>(band.upper, 0);
  const int64_t least_columns = longest + std::max<int64_t>(band.lower, 0);
  if (*rows == -1 && *columns == -1) rows = columns = std::max(least_rows, least_columns);
  if (*rows == -1) rows = least_rows;
  if (*columns == -1) columns = least_columns;
  Require(*rows >= least_rows && *columns >= least_columns, c.op().name, ": a matrix of ", *rows, " rows and ",
          *columns, " columns is too small for diagonals of ", longest, " elements");
  Require(*rows == least_rows || *columns == least_columns, c.op().name, ": a matrix of ", *rows, " rows and ",
          *columns, " columns has longer diagonals than ", longest);
  return PartialShape{*rows, *columns};
}

Shapes MatrixDiagShapes(const ShapeContext& c) {
  const PartialShape& diagonal = WithRankAtLeast(c, 0, 1);
  const auto band = ConstantBand(c, 1);
  for (int i = 2; i < c.num_inputs(); ++i) RequireScalar(c, i);
  const auto size = [&](int i) { return i < c.num_inputs() ? ConstantInt(c, i) : std::optional<int64_t>(-1); };
  const std::optional<int64_t> rows = size(2), columns = size(3);
  if (!diagonal.has_rank() || !band) return {PartialShape::Unknown()};
  const int batch = diagonal.rank() - (band->IsOne() ? 1 : 2);
  WithRankAtLeast(c, 0, diagonal.rank() - batch);
  if (!band->IsOne()) MergeDims(c, diagonal.dim(batch), band->upper - band->lower + 1);
  const PartialShape matrix = MatrixAround(c, *band, diagonal.dim(diagonal.rank() - 1), rows, columns);
  return {Join(Part(diagonal, 0, batch), matrix)};
}

// How many dimensions of `diagonal` are not the matrices': one of one diagonal, two of several. Nothing where neither
// the band tells it nor the ranks do.
std::optional<int> LinesOf(const ShapeContext& c, const std::optional<Band>& band, const PartialShape& input,
                           const PartialShape& diagonal) {
  if (!input.has_rank()) return band ? std::optional<int>(band->IsOne() ? 1 : 2) : std::nullopt;
  const int batch = input.rank() - 2;
  if (band) return WithRank(c, 1, batch + (band->IsOne() ? 1 : 2)).rank() - batch;
  WithRankAtLeast(c, 1, batch + 1);
  WithRankAtMost(c, 1, batch + 2);
  return diagonal.has_rank() ? std::optional<int>(diagonal.rank() - batch) : std::nullopt;
}

// Diagonals tell of how many matrices they are where those are not known; what else has to fit, the kernel looks at.
Shapes MatrixSetDiagShapes(const ShapeContext& c) {
  const PartialShape& input = WithRankAtLeast(c, 0, 2);
  const PartialShape& diagonal = WithRankAtLeast(c, 1, 1);
  const auto band = ConstantBand(c, 2);
  const auto lines = LinesOf(c, band, input, diagonal);
  if (input.has_rank() && band) {
    const int batch = input.rank() - 2;
    const int64_t longest = LongestDiagonal(c, *band, input.dim(batch), input.dim(batch + 1));
    if (c.num_inputs() == 2 && diagonal.has_rank()) MergeDims(c, longest, diagonal.dim(batch));
  }
  if (!lines || !diagonal.has_rank() || input.IsFullyDefined()) return {input};
  WithRankAtLeast(c, 1, *lines);
  return {MergeShapes(c, input, Join(Part(diagonal, 0, diagonal.rank() - *lines), PartialShape::OfRank(2)))};
}

// The forward op's alignment; the versions without a choice align all diagonals to the left.
AttrMap Align(Gradient& g) { return {{"align", GetAttrOr<std::string>(g.op().attrs, "align", "LEFT_LEFT")}}; }
Endpoint BandOf(Gradient& g, int input) { return input < g.num_inputs() ? g.x(input) : Zero(g); }

Endpoint Diagonals(Gradient& g, Endpoint band) {
  return g.Call("MatrixDiagPartV3", {g.dy(), band, g.Scalar(0, g.dtype(g.dy()))}, Align(g));
}

Values MatrixDiagGradient(Gradient& g) {
  Values values(g.num_inputs());
  values[0] = Diagonals(g, BandOf(g, 1));
  return values;
}

Values MatrixDiagPartGradient(Gradient& g) {
  Values values(g.num_inputs());
  values[0] = g.Call("MatrixSetDiagV3", {g.ZerosLike(g.x(0)), g.dy(), BandOf(g, 1)}, Align(g));
  return values;
}

Values MatrixSetDiagGradient(Gradient& g) {
  Values values(g.num_inputs());
  const Endpoint band = BandOf(g, 2);
  values[0] = g.Call("MatrixSetDiagV3", {g.dy(), g.ZerosLike(g.x(1)), band}, Align(g));
  values[1] = Diagonals(g, band);
  return values;
}

constexpr char kAligned[] =
    "T: type; align: string = 'RIGHT_LEFT' in ['LEFT_RIGHT', 'RIGHT_LEFT', 'LEFT_LEFT', 'RIGHT_RIGHT']";

}  // namespace

std::span<const OpRow> ArrayMatrixDiag() {
  static const OpRow rows[] = {
      {.signature = "MatrixDiag(diagonal: T) -> (output: T)",
       .attrs = "T: type",
       .doc = "Square matrices of zeros with the given main diagonals.",
       .cpu = "T in [numbers, bool]",
       .gpu = "T in [floats, complexes, bool]",
       .shape_fn = MatrixDiagShapes,
       .gradient = MatrixDiagGradient,
       .samples = {"[7]", "[a b 5]"}},
      {.signature =
           "MatrixDiagV2(diagonal: T, k: int32, num_rows: int32, num_cols: int32, padding_value: T) -> (output: T)",
       .attrs = "T: type",
       .doc = "Matrices of padding_value with the given diagonals, numbers k[0] to k[1], the upper ones first. Shorter "
              "ones are read from the left. Of num_rows and num_cols -1 is as few as possible.",
       .cpu = "T in [numbers, bool]",
       .gpu = "T in [floats, complexes, bool]",
       .shape_fn = MatrixDiagShapes,
       .gradient = MatrixDiagGradient,
       .gradient_trial = {.constant_inputs = {4}},
       .samples = {"[b 4] 0 -1 -1 []", "[a 3 4] {-1, 1} -1 -1 []", "[b 3] -2 5 -1 []"}},
      {.signature =
           "MatrixDiagV3(diagonal: T, k: int32, num_rows: int32, num_cols: int32, padding_value: T) -> (output: T)",
       .attrs = kAligned,
       .doc =
           "As MatrixDiagV2. `align` says where shorter diagonals stand in their rows: those above the main one, then "
           "those below it.",
       .cpu = "T in [numbers, bool]",
       .gpu = "T in [floats, complexes, bool]",
       .shape_fn = MatrixDiagShapes,
       .gradient = MatrixDiagGradient,
       .gradient_trial = {.constant_inputs = {4}},
       .samples = {"[b 4] 0 -1 -1 []", "[a 3 4] {-1, 1} -1 -1 []", "align='LEFT_RIGHT': [4 4] {-2, 1} -1 4 []",
                   "align='LEFT_LEFT'/'RIGHT_RIGHT': [b 2 3] {1, 2} 3 6 []", "[b 3] {-2} 5 3 []"}},
      {.signature = "MatrixDiagPart(input: T) -> (diagonal: T)",
       .attrs = "T: type",
       .doc = "The main diagonal of each matrix.",
       .cpu = "T in [numbers, bool]",
       .gpu = "T in [floats, complexes, bool]",
       .shape_fn = MatrixDiagPartShapes,
       .gradient = MatrixDiagPartGradient,
       .samples = {"[b R C]", "[a b 5 3]", "[4 4]"}},
      {.signature = "MatrixDiagPartV2(input: T, k: int32, padding_value: T) -> (diagonal: T)",
       .attrs = "T: type",
       .doc =
           "The diagonals k[0] to k[1] of each matrix, the upper ones first, shorter ones followed by padding_value.",
       .cpu = "T in [numbers, bool]",
       .gpu = "T in [floats, complexes, bool]",
       .shape_fn = MatrixDiagPartShapes,
       .strictness = Strictness::kStricterThanKernel,
       .gradient = MatrixDiagPartGradient,
       .gradient_trial = {.constant_inputs = {2}},
       .samples = {"[b R C] 0 []", "[a 4 5] {-2, 3} []", "[3 5] {2} []"}},
      {.signature = "MatrixDiagPartV3(input: T, k: int32, padding_value: T) -> (diagonal: T)",
       .attrs = kAligned,
       .doc =
           "As MatrixDiagPartV2. `align` says where shorter diagonals stand in their rows: those above the main one, "
           "then those below it.",
       .cpu = "T in [numbers, bool]",
       .gpu = "T in [floats, complexes, bool]",
       .shape_fn = MatrixDiagPartShapes,
       .strictness = Strictness::kStricterThanKernel,
       .gradient = MatrixDiagPartGradient,
       .gradient_trial = {.constant_inputs = {2}},
       .samples = {"[b R C] 0 []", "[a 4 5] {-2, 3} []", "align='LEFT_RIGHT': [b 5 4] {-3, 1} []",
                   "align='LEFT_LEFT'/'RIGHT_RIGHT': [4 4] {-1, 2} []", "[3 5] {2} []"}},
      {.signature = "MatrixSetDiag(input: T, diagonal: T) -> (output: T)",
       .attrs = "T: type",
       .doc = "Each matrix with its main diagonal replaced.",
       .cpu = "T in [numbers, bool]",
       .gpu = "T in [floats, complexes, bool]",
       .shape_fn = MatrixSetDiagShapes,
       .gradient = MatrixSetDiagGradient,
       .samples = {"[b n n] [b n]", "[a 4 5] [a 4]", "[5 3] [3]"}},
      {.signature = "MatrixSetDiagV2(input: T, diagonal: T, k: int32) -> (output: T)",
       .attrs = "T: type",
       .doc = "Each matrix with its diagonals k[0] to k[1] replaced by those of `diagonal`, which are laid out as "
              "MatrixDiagPartV2 gives them.",
       .cpu = "T in [numbers, bool]",
       .gpu = "T in [floats, complexes, bool]",
       .shape_fn = MatrixSetDiagShapes,
       .gradient = MatrixSetDiagGradient,
       .samples = {"[b n n] [b n] 0", "[a 4 5] [a 3 4] {-1, 1}", "[3 5] [3] {2}"}},
      {.signature = "MatrixSetDiagV3(input: T, diagonal: T, k: int32) -> (output: T)",
       .attrs = kAligned,
       .doc = "Each matrix with its diagonals k[0] to k[1] replaced by those of `diagonal`, which are laid out as "
              "MatrixDiagPartV3 gives them.",
       .cpu = "T in [numbers, bool]",
       .gpu = "T in [floats, complexes, bool]",
       .shape_fn = MatrixSetDiagShapes,
       .gradient = MatrixSetDiagGradient,
       .samples = {"[b n n] [b n] 0", "[a 4 5] [a 3 4] {-1, 1}", "align='LEFT_RIGHT': [b 5 4] [b 5 4] {-3, 1}",
                   "align='LEFT_LEFT'/'RIGHT_RIGHT': [4 4] [4 4] {-1, 2}", "[3 5] [3] {2}"}},
      {.signature = "BatchMatrixDiag(diagonal: T) -> (output: T)",
       .attrs = "T: type",
       .doc = "An older name of MatrixDiag; its shape is not known before the run.",
       .cpu = "T in [numbers, bool]",
       .gpu = "T in [floats, complexes, bool]",
       .shape_fn = ShapesOfTheRun,
       .samples = {"[7]", "[a b 5]"},
       .deprecated = {14, "Use MatrixDiag"}},
      {.signature = "BatchMatrixDiagPart(input: T) -> (diagonal: T)",
       .attrs = "T: type",
       .doc = "An older name of MatrixDiagPart; its shape is not known before the run.",
       .cpu = "T in [numbers, bool]",
       .gpu = "T in [floats, complexes, bool]",
       .shape_fn = ShapesOfTheRun,
       .samples = {"[b R C]", "[a b 5 3]", "[4 4]"},
       .deprecated = {14, "Use MatrixDiagPart"}},
      {.signature = "BatchMatrixSetDiag(input: T, diagonal: T) -> (output: T)",
       .attrs = "T: type",
       .doc = "An older name of MatrixSetDiag; its shape is not known before the run.",
       .cpu = "T in [numbers, bool]",
       .gpu = "T in [floats, complexes, bool]",
       .shape_fn = ShapesOfTheRun,
       .samples = {"[b n n] [b n]", "[a 4 5] [a 4]", "[5 3] [3]"},
       .deprecated = {14, "Use MatrixSetDiag"}},
  };
  return rows;
}

}  // namespace plumb::topics

// Matrices with three diagonals: products, and equations by elimination. Rows of the first two dimensions from the end
// are the superdiagonal, whose last element counts for nothing, the diagonal, and the subdiagonal, whose first does
// not.
#include <algorithm>
#include <optional>
#include <span>

#include "reference/numbers/element.h"
#include "reference/ops/lib/dense/io.h"

namespace plumb::reference {
namespace {

double SizeOf(Real x) { return std::fabs(x.v); }
double SizeOf(Complex z) { return std::hypot(z.re.v, z.im.v); }

// One system: n equations, `width` right-hand sides, which become the solutions.
template <class N>
struct System {
  int64_t n = 0, width = 0;
  std::vector<N> above, diagonal, below;
  std::vector<N> x;
  N& at(int64_t i, int64_t j) { return x[static_cast<size_t>(i * width + j)]; }
};

double ErrorOf(Real x) { return x.e; }
double ErrorOf(Complex z) { return z.re.e + z.im.e; }

// What stands in the place of all solutions where a pivot is zero: NaN, or zero where they are complex, of which C++
// has no NaN (tridiagonal_solve_op.cc).
Real Unsolved(TypeTag<Real>, double error) { return {NAN, error, 0}; }
Complex Unsolved(TypeTag<Complex>, double error) { return {Real(0, error, 0), Real(0, error, 0)}; }

// Of a zero pivot, the bound of what stands in the place of all solutions: none where the pivot is zero for
// sure, else infinite. Nothing where elimination may go on.
template <class N>
std::optional<double> Stops(N pivot) {
  if (SizeOf(pivot) != 0) return std::nullopt;
  return ErrorOf(pivot) == 0 ? 0 : INFINITY;
}

// Elimination with partial pivoting: rows i and i + 1 are exchanged where that gives the larger pivot, which fills a
// second superdiagonal.
template <class N>
std::optional<double> Eliminate(System<N>& s) {
  std::vector<N> second(static_cast<size_t>(s.n));
  for (int64_t i = 0; i + 1 < s.n; ++i) {
    if (SizeOf(s.diagonal[i]) < SizeOf(s.below[i + 1])) {
      std::swap(s.diagonal[i], s.below[i + 1]);
      std::swap(s.above[i], s.diagonal[i + 1]);
      if (i + 2 < s.n) std::swap(second[i], s.above[i + 1]);
      for (int64_t j = 0; j < s.width; ++j) std::swap(s.at(i, j), s.at(i + 1, j));
    }
    if (const auto stopped = Stops(s.diagonal[i])) return stopped;
    const N factor = s.below[i + 1] / s.diagonal[i];
    s.diagonal[i + 1] = s.diagonal[i + 1] - factor * s.above[i];
    if (i + 2 < s.n) s.above[i + 1] = s.above[i + 1] - factor * second[i];
    for (int64_t j = 0; j < s.width; ++j) s.at(i + 1, j) = s.at(i + 1, j) - factor * s.at(i, j);
  }
  if (const auto stopped = Stops(s.diagonal[s.n - 1])) return stopped;
  for (int64_t i = s.n - 1; i >= 0; --i) {
    for (int64_t j = 0; j < s.width; ++j) {
      if (i + 1 < s.n) s.at(i, j) -= s.above[i] * s.at(i + 1, j);
      if (i + 2 < s.n) s.at(i, j) -= second[i] * s.at(i + 2, j);
      s.at(i, j) = s.at(i, j) / s.diagonal[i];
    }
  }
  return std::nullopt;
}

// Thomas' algorithm: the same without exchanges.
template <class N>
std::optional<double> EliminateInOrder(System<N>& s) {
  for (int64_t i = 0; i < s.n; ++i) {
    if (i > 0) s.diagonal[i] = s.diagonal[i] - s.below[i] * s.above[i - 1];
    if (const auto stopped = Stops(s.diagonal[i])) return stopped;
    if (i + 1 < s.n) s.above[i] = s.above[i] / s.diagonal[i];
    for (int64_t j = 0; j < s.width; ++j) {
      if (i > 0) s.at(i, j) -= s.below[i] * s.at(i - 1, j);
      s.at(i, j) = s.at(i, j) / s.diagonal[i];
    }
  }
  for (int64_t i = s.n - 2; i >= 0; --i) {
    for (int64_t j = 0; j < s.width; ++j) s.at(i, j) -= s.above[i] * s.at(i + 1, j);
  }
  return std::nullopt;
}

double PartOf(Real x) { return x.v; }
double PartOf(Complex z) { return z.re.v; }

// Pivots of a type below 1 that would take a quotient out of its range are moved, by `step` and its doubles, as
// LAPACK's xLAGTS does.
template <class N>
void MovePivot(double step, double least, N& pivot, std::span<N> row) {
  step = std::copysign(std::max(step, least), PartOf(pivot));
  double largest = 0;
  for (const N& each : row) largest = std::max(largest, SizeOf(each));
  while (SizeOf(pivot) < 1) {
    const double size = SizeOf(pivot);
    const bool is_tiny = size < least, is_too_small = is_tiny ? largest * least > size : largest > size / least;
    if (size != 0 && !is_too_small) {
      if (!is_tiny) return;
      pivot = pivot * N(Real(1 / least));
      for (N& each : row) each = each * N(Real(1 / least));
      return;
    }
    pivot = pivot + N(Real(step));
    step *= 2;
  }
}

// Of a singular matrix, elimination that exchanges rows where the lower one's pivot is the larger beside the rest of
// its row. What comes out hangs on each rounding: nothing is known of it.
template <class N>
void EliminatePerturbed(System<N>& s, DType dtype) {
  const bool is_wide = dtype == DType::kDouble || dtype == DType::kComplex128;
  const double epsilon = is_wide ? 0x1p-52 : 0x1p-23;
  std::vector<N> second(static_cast<size_t>(s.n));
  s.above[s.n - 1] = N(Real(0));
  const auto row_size = [&](int64_t i) { return SizeOf(s.diagonal[i]) + SizeOf(s.above[i]); };
  double largest = std::max(SizeOf(s.diagonal[0]), SizeOf(s.above[0])), size = row_size(0);
  for (int64_t i = 0; i + 1 < s.n; ++i) {
    const double below = SizeOf(s.below[i + 1]), next_size = below + row_size(i + 1);
    const double pivot = SizeOf(s.diagonal[i]), share = pivot == 0 ? 0 : pivot / size;
    const bool exchanges = below != 0 && !(below / next_size <= share);
    if (exchanges) {
      std::swap(s.diagonal[i], s.below[i + 1]);
      std::swap(s.above[i], s.diagonal[i + 1]);
      if (i + 2 < s.n) std::swap(second[i], s.above[i + 1]);
      for (int64_t j = 0; j < s.width; ++j) std::swap(s.at(i, j), s.at(i + 1, j));
    } else {
      size = next_size;
    }
    if (below != 0) {
      const N factor = s.below[i + 1] / s.diagonal[i];
      s.diagonal[i + 1] = s.diagonal[i + 1] - factor * s.above[i];
      if (i + 2 < s.n) s.above[i + 1] = s.above[i + 1] - factor * second[i];
      for (int64_t j = 0; j < s.width; ++j) s.at(i + 1, j) = s.at(i + 1, j) - factor * s.at(i, j);
    }
    if (i + 2 < s.n) largest = std::max({largest, SizeOf(s.diagonal[i]), SizeOf(s.above[i]), SizeOf(second[i])});
  }
  largest = std::max(largest, SizeOf(s.diagonal[s.n - 1]));
  for (int64_t i = s.n - 1; i >= 0; --i) {
    const std::span<N> row = std::span(s.x).subspan(static_cast<size_t>(i * s.width), static_cast<size_t>(s.width));
    for (int64_t j = 0; j < s.width; ++j) {
      if (i + 1 < s.n) row[j] -= s.above[i] * s.at(i + 1, j);
      if (i + 2 < s.n) row[j] -= second[i] * s.at(i + 2, j);
    }
    MovePivot(epsilon * largest, SmallestNormal(dtype), s.diagonal[i], row);
    for (N& each : row) each = each / s.diagonal[i];
  }
}

void Unsettle(Real& x) { x.e = INFINITY; }
void Unsettle(Complex& z) { z.re.e = z.im.e = INFINITY; }

template <class N>
System<N> SystemAt(const Array<N>& diagonals, const Array<N>& right, int64_t i, int64_t n, int64_t width) {
  const auto part = [](const Array<N>& from, int64_t at, int64_t count) {
    return std::vector<N>(from.at.begin() + at, from.at.begin() + at + count);
  };
  return {n,
          width,
          part(diagonals, 3 * i * n, n),
          part(diagonals, (3 * i + 1) * n, n),
          part(diagonals, (3 * i + 2) * n, n),
          part(right, i * n * width, n * width)};
}

void TridiagonalSolve(OpContext& c) {
  const Shape batch = BatchOf(c);
  const int64_t n = ColumnsOf(c);
  Require(batch == BatchOf(c, 1) && RowsOf(c) == 3 && n == RowsOf(c, 1), "three diagonals ",
          c.tensor(0).shape().ToString(), " and right-hand sides ", c.tensor(1).shape().ToString(), " do not fit");
  const DType dtype = c.tensor(0).dtype();
  const bool pivoting = c.attr<bool>("partial_pivoting"), perturbs = c.attr<bool>("perturb_singular");
  ForKind<Real, Complex>(dtype, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const auto diagonals = Load<N>(c.input(0)), right = Load<N>(c.input(1));
    auto x = MakeArray<N>(dtype, right.shape);
    const int64_t width = ColumnsOf(c, 1);
    for (int64_t i = 0; i < MatricesIn(diagonals.shape, batch); ++i) {
      System<N> system = SystemAt(diagonals, right, i, n, width);
      const auto stopped = pivoting ? Eliminate(system) : EliminateInOrder(system);
      if (stopped && perturbs) {
        system = SystemAt(diagonals, right, i, n, width);
        EliminatePerturbed(system, dtype);
        for (N& each : system.x) Unsettle(each);
      } else if (stopped) {
        std::fill(system.x.begin(), system.x.end(), Unsolved(kind, *stopped));
      }
      std::copy(system.x.begin(), system.x.end(), x.at.begin() + i * n * width);
    }
    c.Output(0, Store(x));
  });
}

void CheckPerturbation(const Node& node) {
  const bool perturbs = GetAttr<bool>(node.attrs, "perturb_singular");
  Require(!perturbs || GetAttr<bool>(node.attrs, "partial_pivoting"), "Setting perturb_singular requires pivoting.");
}

void TridiagonalMatMul(OpContext& c) {
  const Shape batch = BatchOf(c, 3);
  const int64_t n = RowsOf(c, 3), width = ColumnsOf(c, 3);
  for (int i = 0; i < 3; ++i) {
    Require(BatchOf(c, i) == batch && RowsOf(c, i) == 1 && ColumnsOf(c, i) == n, "the diagonal ", i, " of shape ",
            c.tensor(i).shape().ToString(), " does not fit the right-hand sides ", c.tensor(3).shape().ToString());
  }
  const DType dtype = c.tensor(3).dtype();
  ForKind<Real, Complex>(dtype, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    SumProductsOf(dtype);
    const auto above = Load<N>(c.input(0)), diagonal = Load<N>(c.input(1)), below = Load<N>(c.input(2));
    const auto x = Load<N>(c.input(3));
    auto y = MakeArray<N>(dtype, x.shape);
    for (int64_t i = 0; i < y.shape.elements(); ++i) {
      const int64_t row = i / width, place = row % n;
      SumOf<N> sum;
      if (place + 1 < n) sum.AddProduct(above[row], x[i + width]);
      sum.AddProduct(diagonal[row], x[i]);
      if (place > 0) sum.AddProduct(below[row], x[i - width]);
      y[i] = sum.Result();
    }
    c.Output(0, Store(y));
  });
}

constexpr KernelRow kRows[] = {
    {"TridiagonalMatMul", TridiagonalMatMul},
    {"TridiagonalSolve", TridiagonalSolve, CheckPerturbation},
};

}  // namespace

namespace topics {
std::span<const KernelRow> LinalgTridiagonal() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

// Triangular equations whose matrices are given by their bands.
#include "reference/numbers/broadcast.h"
#include "reference/ops/lib/dense/io.h"

namespace plumb::reference {
namespace {

// A triangle and how far its elements reach from the diagonal.
struct Band {
  bool lower;
  int64_t width;  // diagonals, the main one included
};

// The element of `bands` that stands at (i, i - k), or (i, i + k) of an upper triangle; all others stay zero.
template <class M>
M Unfolded(const M& bands, Band band) {
  const int64_t n = bands.columns;
  M triangle(n, n);
  for (int64_t k = 0; k < band.width; ++k) {
    for (int64_t i = 0; i + k < n; ++i) {
      if (band.lower) triangle(i + k, i) = bands(k, i + k);
      if (!band.lower) triangle(i, i + k) = bands(band.width - 1 - k, i);
    }
  }
  return triangle;
}

// X with T·X = B by substitution within the band.
template <class S>
Dense<S> Solved(const Dense<S>& t, Band band, Dense<S> x) {
  const int64_t n = t.rows;
  for (int64_t step = 0; step < n; ++step) {
    const int64_t i = band.lower ? step : n - 1 - step;
    const int64_t begin = band.lower ? std::max<int64_t>(0, i - band.width + 1) : i + 1;
    const int64_t end = band.lower ? i : std::min(n, i + band.width);
    for (int64_t j = 0; j < x.columns; ++j) {
      for (int64_t k = begin; k < end; ++k) x(i, j) -= t(i, k) * x(k, j);
      x(i, j) /= t(i, i);
    }
  }
  return x;
}

// (T + δT)·x̂ = B with |δT| ≤ γ_b·|T| for sums of b terms in any order (Higham, Accuracy and Stability of Numerical
// Algorithms, theorem 8.5), and two steps more for reciprocals of the diagonal.
template <class N>
Parts<N> Substituted(const Parts<N>& t, Band band, const Parts<N>& b) {
  using S = typename Parts<N>::S;
  const Dense<S> x = Solved(t.value, band, b.value);
  Dense<S> tangent = Solved(t.value, band, b.tangent - t.tangent * x);
  if (!arithmetic.bounds) return {x, Sizes(x.rows, x.columns), std::move(tangent)};
  const Sizes perturbed = Gamma<S>(band.width + 2) * Magnitudes(t.value) + t.error;
  const Sizes inverse = Magnitudes(Solved(t.value, band, Identity<S>(t.value.rows)));
  return {x, SolutionError(inverse, perturbed, Magnitudes(x), b.error), std::move(tangent)};
}

template <class N>
Parts<N> TriangleOf(const Parts<N>& bands, Band band, bool adjoint) {
  const Parts<N> triangle(Unfolded(bands.value, band), Unfolded(bands.error, band), Unfolded(bands.tangent, band));
  if (!adjoint) return triangle;
  return {Adjoint(triangle.value), Adjoint(triangle.error), Adjoint(triangle.tangent)};
}

// TensorFlow looks for the smallest size on the diagonal: zero is refused, and what is no number only where it is
// first.
template <class S>
void RequirePivots(const Dense<S>& triangle) {
  for (int64_t i = 0; i < triangle.rows; ++i) {
    const double size = std::abs(triangle(i, i));
    Require(i == 0 ? size > 0 : size != 0, "the matrix is not invertible: element ", i, " of its diagonal is ", size);
  }
}

void BandedTriangularSolve(OpContext& c) {
  const Shape a_batch = BatchOf(c, 0), b_batch = BatchOf(c, 1);
  Require(c.tensor(0).elements() > 0 && c.tensor(1).elements() > 0,
          "neither the bands nor the right-hand sides may be empty: ", c.tensor(0).shape().ToString(), " and ",
          c.tensor(1).shape().ToString());
  Require(RowsOf(c) <= ColumnsOf(c) && ColumnsOf(c) == RowsOf(c, 1), "the bands ", c.tensor(0).shape().ToString(),
          " and the right-hand sides ", c.tensor(1).shape().ToString(), " do not fit");
  const Shape batch = BroadcastShape(a_batch, b_batch);
  const Shape shape = Concatenated(batch, Shape({RowsOf(c, 1), ColumnsOf(c, 1)}));
  const DType dtype = c.tensor(0).dtype();
  const bool adjoint = c.attr<bool>("adjoint");
  const Band band{c.attr<bool>("lower"), RowsOf(c)};
  ForKind<Real, Complex>(dtype, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const auto a = Load<N>(c.input(0)), b = Load<N>(c.input(1));
    auto x = MakeArray<N>(dtype, shape);
    const auto from_a = BroadcastIndex(a_batch, batch), from_b = BroadcastIndex(b_batch, batch);
    for (int64_t i = 0; i < batch.elements(); ++i) {
      const Parts<N> triangle = TriangleOf(MatrixAt(a, from_a[static_cast<size_t>(i)]), band, adjoint);
      RequirePivots(triangle.value);
      SetMatrix(
          x, i,
          Substituted(triangle, {band.lower != adjoint, band.width}, MatrixAt(b, from_b[static_cast<size_t>(i)])));
    }
    c.Output(0, Store(x));
  });
}

constexpr KernelRow kRows[] = {
    {"BandedTriangularSolve", BandedTriangularSolve},
};

}  // namespace

namespace topics {
std::span<const KernelRow> LinalgBanded() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

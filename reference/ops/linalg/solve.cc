// Linear equations by Gaussian elimination with partial pivoting.
#include "reference/ops/lib/dense/io.h"

namespace plumb::reference {
namespace {

// X with A·X = B. In whatever order a conforming elimination adds up, (A + δA)·x̂ = B with |δA| ≤ γ₃ₙ·|L|·|U| (Higham,
// Accuracy and Stability of Numerical Algorithms, theorem 9.4); the reciprocals of pivots that it may multiply with,
// and our own rounding, are within six steps more.
template <class N>
Parts<N> Solved(const Parts<N>& a, const Parts<N>& b) {
  using S = typename Parts<N>::S;
  const Elimination<S> elimination(a.value);
  Require(!elimination.IsSingular(), "Input matrix is not invertible.");
  const Dense<S> x = elimination.Solved(b.value);
  Dense<S> tangent = elimination.Solved(b.tangent - a.tangent * x);
  if (!arithmetic.bounds) return {x, Sizes(x.rows, x.columns), std::move(tangent)};
  const Sizes inverse = Magnitudes(elimination.Solved(Identity<S>(x.rows)));
  const Sizes perturbed = Gamma<S>(3 * x.rows + 6) * elimination.FactorSizes() + a.error;
  return {x, SolutionError(inverse, perturbed, Magnitudes(x), b.error), std::move(tangent)};
}

template <class N>
Parts<N> TakenAdjoint(const Parts<N>& a, bool adjoint) {
  return adjoint ? Parts<N>(Adjoint(a.value), Adjoint(a.error), Adjoint(a.tangent)) : a;
}

void MatrixSolve(OpContext& c) {
  const Shape batch = BatchOfSquares(c), right = BatchOf(c, 1);
  Require(batch == right && RowsOf(c) == RowsOf(c, 1), "the matrices ", c.tensor(0).shape().ToString(),
          " and the right-hand sides ", c.tensor(1).shape().ToString(), " do not fit");
  const DType dtype = c.tensor(0).dtype();
  ForKind<Real, Complex>(dtype, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const auto a = Load<N>(c.input(0)), b = Load<N>(c.input(1));
    auto x = MakeArray<N>(dtype, b.shape);
    for (int64_t i = 0; i < MatricesIn(b.shape, batch); ++i) {
      SetMatrix(x, i, Solved(TakenAdjoint(MatrixAt(a, i), c.attr<bool>("adjoint")), MatrixAt(b, i)));
    }
    c.Output(0, Store(x));
  });
}

void MatrixInverse(OpContext& c) {
  const Shape batch = BatchOfSquares(c);
  const DType dtype = c.tensor(0).dtype();
  ForKind<Real, Complex>(dtype, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const auto a = Load<N>(c.input(0));
    auto x = MakeArray<N>(dtype, a.shape);
    Parts<N> identity(RowsOf(c), RowsOf(c));
    identity.value = Identity<typename Parts<N>::S>(RowsOf(c));
    for (int64_t i = 0; i < MatricesIn(a.shape, batch); ++i) {
      SetMatrix(x, i, Solved(TakenAdjoint(MatrixAt(a, i), c.attr<bool>("adjoint")), identity));
    }
    c.Output(0, Store(x));
  });
}

constexpr KernelRow kRows[] = {
    {"MatrixInverse", MatrixInverse},
    {"BatchMatrixInverse", MatrixInverse},
    {"MatrixSolve", MatrixSolve},
    {"BatchMatrixSolve", MatrixSolve},
};

}  // namespace

namespace topics {
std::span<const KernelRow> LinalgSolve() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

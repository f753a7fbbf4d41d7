// Eigenvalues of Hermitian matrices, of which the lower triangle is read.
#include "reference/ops/lib/dense/io.h"
#include "reference/ops/lib/dense/spectra.h"

namespace plumb::reference {
namespace {

double GapOf(const std::vector<double>& values, size_t i) {
  double gap = INFINITY;
  for (size_t j = 0; j < values.size(); ++j) {
    if (j != i) gap = std::min(gap, std::fabs(values[i] - values[j]));
  }
  return gap;
}

// Vᴴ·dA·V has the derivatives of the values on its diagonal; beside it, divided by differences, those of the vectors.
template <class S>
Dense<S> VectorTangents(const Spectrum<S>& eigen, const Dense<S>& moved) {
  Dense<S> turned(moved.rows, moved.columns);
  for (int64_t i = 0; i < moved.rows; ++i) {
    for (int64_t j = 0; j < moved.columns; ++j) {
      const double difference = eigen.values[static_cast<size_t>(j)] - eigen.values[static_cast<size_t>(i)];
      if (difference != 0) turned(i, j) = moved(i, j) / difference;
    }
  }
  return eigen.vectors * turned;
}

// One matrix: values as a column, and vectors.
template <class N>
std::pair<Parts<N>, Parts<N>> Decomposed(const Parts<N>& a) {
  using S = typename Parts<N>::S;
  const Dense<S> hermitian = HermitianOf(a.value);
  const int64_t n = hermitian.rows;
  Parts<N> values(n, 1), vectors(n, n);
  if (n == 1) {
    values.value(0, 0) = RealPart(a.value(0, 0));
    values.error(0, 0) = a.error(0, 0);
    values.tangent(0, 0) = RealPart(a.tangent(0, 0));
    vectors.value(0, 0) = 1;
    vectors.error(0, 0) = ComponentError(1, 0, 1);
    return {std::move(values), std::move(vectors)};
  }
  Require(IsFinite(hermitian), "Self-adjoint eigen decomposition was not successful. The input might not be valid.");
  const Spectrum<S> eigen(hermitian);
  const Dense<S> moved = Adjoint(eigen.vectors) * HermitianOf(a.tangent) * eigen.vectors;
  const double error = SpectralError(Magnitudes(hermitian), HermitianOf(a.error), SpectralStep<S>(n, n));
  vectors.value = eigen.vectors;
  vectors.tangent = VectorTangents(eigen, moved);
  for (int64_t i = 0; i < n; ++i) {
    values.value(i, 0) = eigen.values[static_cast<size_t>(i)];
    values.error(i, 0) = error;
    values.tangent(i, 0) = RealPart(moved(i, i));
    const double gap = GapOf(eigen.values, static_cast<size_t>(i));
    for (int64_t k = 0; k < n; ++k) {
      vectors.error(k, i) = ComponentError(std::abs(vectors.value(k, i)), error + SpectralStep<S>(1, 1) * gap, gap);
    }
  }
  return {std::move(values), std::move(vectors)};
}

void SelfAdjointEig(OpContext& c) {
  const Shape batch = BatchOfSquares(c);
  const DType dtype = c.tensor(0).dtype();
  const bool wants_vectors = c.attr<bool>("compute_v");
  ForKind<Real, Complex>(dtype, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const auto a = Load<N>(c.input(0));
    auto values = MakeArray<N>(dtype, Concatenated(batch, Shape({RowsOf(c)})));
    auto vectors = MakeArray<N>(dtype, wants_vectors ? a.shape : Shape({0}));
    for (int64_t i = 0; i < MatricesIn(a.shape, batch); ++i) {
      const auto [e, v] = Decomposed(MatrixAt(a, i));
      SetMatrix(values, i, e);
      if (wants_vectors) SetMatrix(vectors, i, v);
    }
    c.Output(0, Store(values));
    c.Output(1, Store(vectors));
  });
}

// The first version: the values as a row above the vectors.
void SelfAdjointEigV1(OpContext& c) {
  const Shape batch = BatchOfSquares(c);
  const DType dtype = c.tensor(0).dtype();
  const int64_t n = RowsOf(c);
  ComputeIn(dtype);
  const auto a = Load<Real>(c.input(0));
  auto both = MakeArray<Real>(dtype, Concatenated(batch, Shape({n + 1, n})));
  for (int64_t i = 0; i < MatricesIn(a.shape, batch); ++i) {
    const auto [values, vectors] = Decomposed(MatrixAt(a, i));
    const auto stacked = [n](const auto& e, const auto& v) {
      auto joined = e;
      joined.rows = n + 1;
      joined.columns = n;
      joined.at.insert(joined.at.end(), v.at.begin(), v.at.end());
      return joined;
    };
    SetMatrix(both, i,
              Parts<Real>(stacked(values.value, vectors.value), stacked(values.error, vectors.error),
                          stacked(values.tangent, vectors.tangent)));
  }
  c.Output(0, Store(both));
}

constexpr KernelRow kRows[] = {
    {"SelfAdjointEig", SelfAdjointEigV1},
    {"BatchSelfAdjointEig", SelfAdjointEigV1},
    {"SelfAdjointEigV2", SelfAdjointEig},
    {"BatchSelfAdjointEigV2", SelfAdjointEig},
};

}  // namespace

namespace topics {
std::span<const KernelRow> LinalgEigen() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

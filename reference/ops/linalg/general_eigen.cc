// Eigenvalues of square matrices, in any order, and their vectors.
#include <numeric>

#include "reference/ops/lib/dense/io.h"
#include "reference/ops/lib/dense/schur.h"

namespace plumb::reference {
namespace {

using Number = std::complex<double>;

void CheckTypes(const Node& node) {
  const DType from = GetAttr<DType>(node.attrs, "T"), to = GetAttr<DType>(node.attrs, "Tout");
  const bool wide = from == DType::kDouble || from == DType::kComplex128;
  if (wide == (to == DType::kComplex128)) return;
  throw NoKernel(Code::kInvalidArgument, "no kernel of ", node.op->name, " is registered for ", DTypeName(from),
                 " and ", DTypeName(to));
}

template <class S>
ComplexMatrix Widened(const Dense<S>& a) {
  ComplexMatrix wide(a.rows, a.columns);
  std::copy(a.at.begin(), a.at.end(), wide.at.begin());
  return wide;
}

// How far values and vectors of A + δA may be, for ‖δA‖ ≤ `moved`. With V⁻¹·δA·V = E the moved values are those of
// diag(values) + E, and |E(i, j)| ≤ ‖row i of V⁻¹‖·‖δA‖: Gershgorin's disks have n times that for radii, and as many
// values lie in disks that hang together as there are disks. A vector of diag(values) + E has in its row j at most
// radius(j)/|λ̂ − λ(j)|, beside 1 in its own.
struct Perturbation {
  std::vector<double> values, vectors;

  Perturbation(const GeneralSpectrum& eigen, const ComplexMatrix& inverse, double moved, double norm) {
    const size_t n = eigen.values.size();
    std::vector<double> radii;
    const Sizes sizes = Magnitudes(inverse);
    for (size_t i = 0; i < n; ++i) {
      double length = 0;
      for (size_t j = 0; j < n; ++j) {
        length = std::hypot(length, sizes(static_cast<int64_t>(i), static_cast<int64_t>(j)));
      }
      radii.push_back(std::isnan(length) ? INFINITY : static_cast<double>(n) * length * moved);
    }
    for (size_t i = 0; i < n; ++i) {
      const double most = std::abs(eigen.values[i]) + norm + moved;
      values.push_back(std::min(ReachOf(eigen, radii, i), most));
    }
    for (size_t i = 0; i < n; ++i) vectors.push_back(TurnOf(eigen, radii, i));
  }

 private:
  static double DistanceOf(const GeneralSpectrum& eigen, size_t i, size_t j) {
    return std::abs(eigen.values[i] - eigen.values[j]);
  }
  // The radius of a disk alone, or the sum of all diameters of those that hang together.
  static double ReachOf(const GeneralSpectrum& eigen, const std::vector<double>& radii, size_t i) {
    std::vector<size_t> together = {i};
    std::vector<bool> seen(radii.size());
    seen[i] = true;
    double sum = 0;
    for (size_t next = 0; next < together.size(); ++next) {
      const size_t from = together[next];
      sum += 2 * radii[from];
      for (size_t j = 0; j < radii.size(); ++j) {
        if (seen[j] || DistanceOf(eigen, from, j) > radii[from] + radii[j]) continue;
        seen[j] = true;
        together.push_back(j);
      }
    }
    return together.size() == 1 ? radii[i] : sum;
  }
  // How far a unit vector turns; infinite where nothing is known.
  double TurnOf(const GeneralSpectrum& eigen, const std::vector<double>& radii, size_t i) const {
    double sum = 0;
    for (size_t j = 0; j < radii.size(); ++j) {
      const double gap = j == i ? INFINITY : DistanceOf(eigen, i, j) - values[i] - radii[j];
      sum += gap > 0 && std::isfinite(radii[j]) ? radii[j] / gap : INFINITY;
    }
    return sum < 0.25 ? 2 * sum : INFINITY;
  }
};

// With M = V⁻¹·dA·V the values move by its diagonal, and V by V·X, X(i, j) = M(i, j)/(λ(j) − λ(i)), less what would
// change the lengths of its columns.
void SetTangents(const GeneralSpectrum& eigen, const ComplexMatrix& moved, Parts<Complex>* values,
                 Parts<Complex>* vectors) {
  ComplexMatrix x(moved.rows, moved.rows);
  for (int64_t i = 0; i < moved.rows; ++i) {
    values->tangent(i, 0) = moved(i, i);
    for (int64_t j = 0; j < moved.rows; ++j) {
      const Number difference = eigen.values[static_cast<size_t>(j)] - eigen.values[static_cast<size_t>(i)];
      if (difference != 0.0) x(i, j) = moved(i, j) / difference;
    }
  }
  vectors->tangent = eigen.vectors * x;
  const ComplexMatrix along = Adjoint(eigen.vectors) * vectors->tangent;
  for (int64_t j = 0; j < x.columns; ++j) {
    for (int64_t i = 0; i < x.rows; ++i) vectors->tangent(i, j) -= along(j, j).real() * eigen.vectors(i, j);
  }
}

// What any order, and any phase of a vector, leave open comes besides: the comparer takes it out again.
void SetErrors(const Perturbation& moved, Parts<Complex>* values, Parts<Complex>* vectors) {
  const int64_t n = values->value.rows;
  for (int64_t i = 0; i < n; ++i) {
    double farthest = 0;
    for (int64_t j = 0; j < n; ++j) {
      farthest = std::max(farthest, std::abs(values->value(i, 0) - values->value(j, 0)));
    }
    values->error(i, 0) = moved.values[static_cast<size_t>(i)] + farthest;
    for (int64_t k = 0; k < n; ++k) {
      const double own = std::abs(vectors->value(k, i));
      double largest = own;
      for (int64_t j = 0; j < n; ++j) largest = std::max(largest, std::abs(vectors->value(k, j)));
      vectors->error(k, i) = std::min(moved.vectors[static_cast<size_t>(i)], 1 + own) + own + largest;
    }
  }
}

// One matrix: values as a column, and vectors.
template <class N>
std::pair<Parts<Complex>, Parts<Complex>> Decomposed(const Parts<N>& a) {
  const int64_t n = a.value.rows;
  constexpr auto kRefusal = "Eigen decomposition was not successful. The input might not be valid.";
  Require(IsFinite(a.value), kRefusal);
  Parts<Complex> values(n, 1), vectors(n, n);
  if (n == 1) {
    values = Parts<Complex>(Widened(a.value), a.error, Widened(a.tangent));
    vectors.value(0, 0) = 1;
    vectors.error(0, 0) = 2;
    return {std::move(values), std::move(vectors)};
  }
  const GeneralSpectrum eigen = [&] {
    GeneralSpectrum result(Widened(a.value));
    Require(result.converged, kRefusal);
    return result;
  }();
  const ComplexMatrix inverse = Elimination<Number>(eigen.vectors).Solved(Identity<Number>(n));
  std::copy(eigen.values.begin(), eigen.values.end(), values.value.at.begin());
  vectors.value = eigen.vectors;
  SetTangents(eigen, inverse * Widened(a.tangent) * eigen.vectors, &values, &vectors);
  const Sizes sizes = Magnitudes(a.value);
  const double moved = SpectralError(sizes, a.error, SpectralStep<Number>(n, n));
  SetErrors(Perturbation(eigen, inverse, moved, FrobeniusNorm(sizes)), &values, &vectors);
  return {std::move(values), std::move(vectors)};
}

void Eig(OpContext& c) {
  const Shape batch = BatchOfSquares(c);
  const DType dtype = c.output_type(0);
  const bool wants_vectors = c.attr<bool>("compute_v");
  ForKind<Real, Complex>(c.tensor(0).dtype(), [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const auto a = Load<N>(c.input(0));
    auto values = MakeArray<Complex>(dtype, Concatenated(batch, Shape({RowsOf(c)})));
    auto vectors = MakeArray<Complex>(dtype, wants_vectors ? a.shape : Shape({0}));
    for (int64_t i = 0; i < MatricesIn(a.shape, batch); ++i) {
      const auto [e, v] = Decomposed(MatrixAt(a, i));
      SetMatrix(values, i, e);
      if (wants_vectors) SetMatrix(vectors, i, v);
    }
    c.Output(0, Store(values));
    c.Output(1, Store(vectors));
  });
}

constexpr KernelRow kRows[] = {
    {"Eig", Eig, CheckTypes},
};

}  // namespace

namespace topics {
std::span<const KernelRow> LinalgGeneralEigen() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

#include <algorithm>
#include <compare>

#include "reference/ops/lib/coordinates.h"
#include "reference/ops/lib/sparse_tensor.h"

namespace plumb::reference {
namespace {

std::strong_ordering Compared(std::span<const int64_t> a, std::span<const int64_t> b) {
  return std::lexicographical_compare_three_way(a.begin(), a.end(), b.begin(), b.end());
}

double MagnitudeOf(Real x, DType dtype) { return std::fabs(RoundTo(dtype, x.v)); }
double MagnitudeOf(Complex z, DType dtype) {
  const DType part = dtype == DType::kComplex64 ? DType::kFloat : DType::kDouble;
  return RoundTo(part, std::hypot(RoundTo(part, z.re.v), RoundTo(part, z.im.v)));
}
// Whether |sum|, as it is stored, reaches the threshold. NaN does not.
template <class N>
bool Reaches(const N& sum, DType dtype, const Value& threshold) {
  const bool is_whole = IsInteger(threshold.tensor.dtype());
  if constexpr (std::is_same_v<N, Integer>) {
    const Integer stored = Wrap(sum, dtype), size = stored < 0 ? -stored : stored;
    if (is_whole) return LoadScalar<Integer>(threshold) <= size;
    return LoadScalar<Real>(threshold).v <= static_cast<double>(size);
  } else {
    const double limit = is_whole ? static_cast<double>(LoadScalar<Integer>(threshold)) : LoadScalar<Real>(threshold).v;
    return limit <= MagnitudeOf(sum, dtype);
  }
}

template <class N>
void AddOrdered(OpContext& c, const SparseTensor& a, const SparseTensor& b) {
  const DType dtype = c.output_type(1);
  const Reader<N> x(a.values), y(b.values);
  Coordinates at{0, a.at.rank, {}};
  std::vector<N> sums;
  int64_t i = 0, j = 0;
  while (i < a.at.count || j < b.at.count) {
    const auto order = j == b.at.count   ? std::strong_ordering::less
                       : i == a.at.count ? std::strong_ordering::greater
                                         : Compared(a.at.row(i), b.at.row(j));
    const auto row = order <= 0 ? a.at.row(i) : b.at.row(j);
    const N sum = order < 0 ? x[i] : order > 0 ? y[j] : x[i] + y[j];
    if (order != 0 || Reaches(sum, dtype, c.input(6))) {
      at.Append(row);
      sums.push_back(sum);
    }
    i += order <= 0 ? 1 : 0;
    j += order >= 0 ? 1 : 0;
  }
  Array<N> values{dtype, {at.count}, std::move(sums)};
  SparseOutput(c, 0, at, Store(values), a.shape);
}

void SparseAdd(OpContext& c) {
  const SparseTensor a = SparseInput(c, 0), b = SparseInput(c, 3);
  Require(a.shape == b.shape, "the operands must have one shape, not ", VectorOf(a.shape).ToString(), " and ",
          VectorOf(b.shape).ToString());
  Require(!a.shape.empty(), "the operands must have one dimension at least");
  Require(c.tensor(6).rank() == 0, "thresh must be a scalar, not of shape ", c.tensor(6).shape().ToString());
  ForNumber(c.output_type(1), [&](auto kind) { AddOrdered<typename decltype(kind)::Type>(c, a, b); });
}

// One operand's elements, and how far the walk along them has come.
struct Walk {
  const Coordinates& at;
  Assembly gradients;
  int64_t next = 0;

  bool IsOver() const { return next == at.count; }

  // The next element takes the gradient of this sum if it is there, and is passed if it is there or lies before.
  // Whether the sum may be passed too.
  bool Meets(const Coordinates& sum, int64_t k, const Value& gradient) {
    if (IsOver()) return true;
    const auto order = Compared(at.row(next), sum.row(k));
    if (order == 0) gradients.Copy(next, gradient, k);
    if (order <= 0) ++next;
    return order >= 0;
  }
};

// Operands and sums are walked along together, as lists in order are merged: a sum is passed once neither operand lies
// before it. Lists in another order are walked along alike, and meet where this leads.
void SparseAddGrad(OpContext& c) {
  const Coordinates a = CoordinatesOf(c.tensor(1)), b = CoordinatesOf(c.tensor(2)), sum = CoordinatesOf(c.tensor(3));
  Require(c.tensor(0).shape() == Shape{sum.count}, "backprop_val_grad must be a vector of ", sum.count,
          " elements, not of shape ", c.tensor(0).shape().ToString());
  Require(a.rank == b.rank && b.rank == sum.rank, "all elements must have as many coordinates, not ", a.rank, ", ",
          b.rank, " and ", sum.rank);
  const DType dtype = c.tensor(0).dtype();
  Walk along_a{a, Assembly(dtype, {a.count})}, along_b{b, Assembly(dtype, {b.count})};
  for (int64_t k = 0; k < sum.count && !(along_a.IsOver() && along_b.IsOver());) {
    const bool a_is_past = along_a.Meets(sum, k, c.input(0)), b_is_past = along_b.Meets(sum, k, c.input(0));
    if (a_is_past && b_is_past) ++k;
  }
  c.Output(0, along_a.gradients.Take());
  c.Output(1, along_b.gradients.Take());
}

void SparseTensorDenseAdd(OpContext& c) {
  const SparseTensor a = SparseInput(c, 0);
  const Tensor& b = c.tensor(3);
  Require(a.shape == b.shape().ToVector(), "the operands must have one shape, not ", VectorOf(a.shape).ToString(),
          " and ", b.shape().ToString());
  Require(b.rank() >= 1 && b.rank() <= 5, "the operands must have 1 to 5 dimensions, not ", b.rank());
  const auto places = PlacesOf(c.input(0), b.shape(), a.at.count);
  ForNumber(b.dtype(), [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const Reader<N> x(a.values), y(c.input(3));
    std::vector<SumOf<N>> sums(static_cast<size_t>(y.size()));
    for (int64_t i = 0; i < y.size(); ++i) sums[static_cast<size_t>(i)].Add(y[i]);
    for (int64_t i = 0; i < a.at.count; ++i) sums[static_cast<size_t>(places[static_cast<size_t>(i)])].Add(x[i]);
    Writer<N> result(b.dtype(), b.shape());
    for (int64_t i = 0; i < y.size(); ++i) result.Set(i, sums[static_cast<size_t>(i)].Result());
    c.Output(0, result.Take());
  });
}

constexpr KernelRow kRows[] = {
    {"SparseAdd", SparseAdd},
    {"SparseAddGrad", SparseAddGrad},
    {"SparseTensorDenseAdd", SparseTensorDenseAdd},
};

}  // namespace

namespace topics {
std::span<const KernelRow> SparseAdd() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

// A tensor continued by its mirror image, and the sum that is the gradient of that.
#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
namespace {

constexpr int kMostMirrored = 5;

struct Amounts {
  std::vector<int64_t> before, after;
};

Amounts AmountsOf(OpContext& c) {
  const int rank = c.tensor(0).rank();
  const Tensor& table = c.tensor(1);
  if (rank > kMostMirrored) {  // T9
    throw Unimplemented("tensors of more than ", kMostMirrored, " dimensions are not mirrored, and this has ", rank);
  }
  Require(table.rank() == 2 && table.dim(0) == rank && table.dim(1) == 2, "paddings must have the shape [", rank,
          ",2], not ", table.shape().ToString());
  const auto numbers = IntegersOf(table.Reshaped({table.elements()}), "paddings");
  Amounts amounts;
  for (int axis = 0; axis < rank; ++axis) {
    amounts.before.push_back(numbers[2 * axis]);
    amounts.after.push_back(numbers[2 * axis + 1]);
    Require(numbers[2 * axis] >= 0 && numbers[2 * axis + 1] >= 0, "paddings must not be negative: ", numbers[2 * axis],
            " ", numbers[2 * axis + 1]);
  }
  return amounts;
}

// Whether the border is left out of its mirror image.
bool Reflects(OpContext& c) { return c.attr<std::string>("mode") == "REFLECT"; }

// An image is as large as what it mirrors, less the border that a reflection leaves out.
void CheckAmounts(const Amounts& amounts, const Shape& inner, bool reflects) {
  for (int axis = 0; axis < inner.rank(); ++axis) {
    const int64_t most = inner.dim(axis) - (reflects ? 1 : 0);
    Require(amounts.before[axis] <= most && amounts.after[axis] <= most, "dimension ", axis, " of size ",
            inner.dim(axis), " is mirrored by at most ", most, " elements, not ", amounts.before[axis], " and ",
            amounts.after[axis]);
  }
}

// For each element of the padded shape, the position of the inner one that it mirrors or is.
std::vector<int64_t> Mirrored(const Shape& padded, const Shape& inner, const Amounts& amounts, bool reflects) {
  const auto outer_strides = Strides(padded), strides = Strides(inner);
  std::vector<int64_t> positions(padded.elements(), 0);
  for (int64_t i = 0; i < padded.elements(); ++i) {
    for (int axis = 0; axis < padded.rank(); ++axis) {
      const int64_t size = inner.dim(axis), skipped = reflects ? 1 : 0;
      int64_t at = i / outer_strides[axis] % padded.dim(axis) - amounts.before[axis];
      if (at < 0) at = -at - 1 + skipped;
      if (at >= size) at = 2 * size - 1 - at - skipped;
      positions[i] += at * strides[axis];
    }
  }
  return positions;
}

void MirrorPad(OpContext& c) {
  const Value& x = c.input(0);
  const Shape& shape = x.tensor.shape();
  const Amounts amounts = AmountsOf(c);
  CheckAmounts(amounts, shape, Reflects(c));
  std::vector<int64_t> dims;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    const Integer dim = Integer(shape.dim(axis)) + amounts.before[axis] + amounts.after[axis];
    Require(Wrap(dim, DType::kInt64) == dim, "dimension ", axis, " of the result is too large");
    dims.push_back(static_cast<int64_t>(dim));
  }
  const Shape padded(dims);
  CheckResultSize(padded);
  if (padded == shape) return c.Output(0, x);  // R31
  c.Output(0, Gathered(x, padded, Mirrored(padded, shape, amounts, Reflects(c))));
}

void MirrorPadGrad(OpContext& c) {
  const Shape& padded = c.tensor(0).shape();
  const Amounts amounts = AmountsOf(c);
  std::vector<int64_t> dims;
  for (int axis = 0; axis < padded.rank(); ++axis) {
    const Integer dim = Integer(padded.dim(axis)) - amounts.before[axis] - amounts.after[axis];
    Require(dim > 0, "dimension ", axis, " of size ", padded.dim(axis), " does not hold paddings of ",
            amounts.before[axis], " and ", amounts.after[axis]);
    dims.push_back(static_cast<int64_t>(dim));
  }
  const Shape inner(dims);
  CheckAmounts(amounts, inner, Reflects(c));
  if (inner == padded) return c.Output(0, c.input(0));  // R31
  const auto positions = Mirrored(padded, inner, amounts, Reflects(c));
  ForNumber(c.tensor(0).dtype(), [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const Reader<N> dy(c.input(0));
    std::vector<SumOf<N>> sums(inner.elements());
    for (int64_t i = 0; i < dy.size(); ++i) sums[positions[i]].Add(dy[i]);
    Writer<N> dx(c.tensor(0).dtype(), inner);
    for (int64_t i = 0; i < dx.size(); ++i) dx.Set(i, sums[i].Result());
    c.Output(0, dx.Take());
  });
}

constexpr KernelRow kRows[] = {
    {"MirrorPad", MirrorPad},
    {"MirrorPadGrad", MirrorPadGrad},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ArrayMirrorPad() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

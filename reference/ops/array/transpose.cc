// The axes in another order, and the order that undoes another.
#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
namespace {

// Whether all axes that are longer than one stay in their order.
bool MovesNothing(const Shape& shape, const std::vector<int64_t>& perm) {
  int64_t last = -1;
  for (const int64_t axis : perm) {
    if (shape.dim(static_cast<int>(axis)) == 1) continue;
    if (axis < last) return false;
    last = axis;
  }
  return true;
}

// Moved, or handed on where nothing moves.
Value Transposed(OpContext& context) {
  const Value& x = context.input(0);
  const Shape& shape = x.tensor.shape();
  const auto perm = IntegersOf(context.tensor(1), "perm");
  Require(context.tensor(1).rank() == 1 && static_cast<int>(perm.size()) == shape.rank(), "perm must be a vector of ",
          shape.rank(), " axes, not of shape ", context.tensor(1).shape().ToString());
  const auto own = Strides(shape);
  std::vector<int64_t> dims, strides;
  std::vector<bool> seen(shape.rank(), false);
  for (const int64_t entry : perm) {
    Require(0 <= entry && entry < shape.rank(), "perm names ", entry, ", which is not in [0, ", shape.rank(), ")");
    const int axis = static_cast<int>(entry);
    Require(!seen[axis], "perm names the axis ", axis, " twice");
    seen[axis] = true;
    dims.push_back(shape.dim(axis));
    strides.push_back(own[axis]);
  }
  const Shape result(dims);
  if (MovesNothing(shape, perm)) return Reshaped(x, result);
  return Gathered(x, result, Positions(result, strides));
}

void Transpose(OpContext& context) { context.Output(0, Transposed(context)); }  // R31

void ConjugateTranspose(OpContext& context) {
  const Value moved = Detached(Transposed(context));
  const DType dtype = context.tensor(0).dtype();
  if (!IsComplex(dtype)) return context.Output(0, moved);
  ComputeIn(dtype);
  const Reader<Complex> x(moved);
  Writer<Complex> y(dtype, x.shape());
  for (int64_t i = 0; i < x.size(); ++i) y.Set(i, Conj(x[i]));
  context.Output(0, y.Take());
}

void InvertPermutation(OpContext& context) {
  const Tensor& x = context.tensor(0);
  Require(x.rank() == 1, "a permutation is a vector, not of shape ", x.shape().ToString());
  const auto permutation = IntegersOf(x, "x");
  auto inverse = MakeArray<Integer>(x.dtype(), x.shape(), Integer(-1));
  for (int64_t i = 0; i < x.elements(); ++i) {
    const int64_t to = permutation[i];
    Require(0 <= to && to < x.elements(), to, " is not in [0, ", x.elements(), ")");
    Require(inverse[to] == -1, to, " occurs twice in the permutation");
    inverse[to] = i;
  }
  context.Output(0, Store(inverse));
}

constexpr KernelRow kRows[] = {
    {"Transpose", Transpose},
    {"ConjugateTranspose", ConjugateTranspose},
    {"InvertPermutation", InvertPermutation},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ArrayTranspose() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

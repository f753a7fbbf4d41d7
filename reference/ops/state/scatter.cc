// Rows of a variable changed by index: of one behind a reference, and of one behind a handle.
#include "reference/kernel/op_context.h"
#include "reference/kernel/variables.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"
#include "reference/ops/lib/resource_variable.h"
#include "reference/ops/lib/scatter_rows.h"

namespace plumb::reference {
namespace {

// Every index is looked at before anything changes.
std::vector<int64_t> CheckedRows(const Tensor& indices, int64_t limit) {
  std::vector<int64_t> rows;
  for (const Integer index : Load<Integer>(indices).at) {
    const auto row = static_cast<int64_t>(index);
    Require(row >= 0 && row < limit, "indices[", rows.size(), "] = ", row, " is not in [0, ", limit, ")");
    rows.push_back(row);
  }
  return rows;
}

Value Scattered(Scatter scatter, const Value& old, const Tensor& indices, const Value& updates) {
  const Shape& shape = old.tensor.shape();
  const bool is_scalar = shape.rank() == 0;  // a row alone
  const std::vector<int64_t> rows = CheckedRows(indices, is_scalar ? 1 : shape.dim(0));
  const int64_t width = is_scalar ? 1 : Subshape(shape, 1, shape.rank()).elements();
  return ScatteredRows(scatter, old, {rows, width}, updates);
}

Shape WantedShape(const Shape& variable, const Tensor& indices) {
  Require(variable.rank() >= 1, "a scatter needs a variable of rank 1 or more, not ", variable.ToString());
  return Concatenated(indices.shape(), Subshape(variable, 1, variable.rank()));
}

// R23: updates have one row per index, or are one number for all of them.
template <Scatter scatter>
void ScatterRef(OpContext& c) {
  const Tensor& updates = c.tensor(2);
  const Shape wanted = WantedShape(c.tensor(0).shape(), c.tensor(1));
  Require(updates.rank() == 0 || updates.shape() == wanted, "updates must be a scalar or of shape ", wanted.ToString(),
          ", not ", updates.shape().ToString());
  c.ref(0).Update(Scattered(scatter, c.input(0), c.tensor(1), c.input(2)));
  c.outputs[0] = c.inputs[0];
}

// R45: whatever the indices.
void CheckDivisors(const Value& updates) {
  ForNumber(updates.tensor.dtype(), [&](auto tag) {
    using N = typename decltype(tag)::Type;
    for (const N& divisor : Load<N>(updates).at) Require(!(divisor == N(0)), "updates must not contain 0");
  });
}

// R45: where nothing is updated, the rank of updates alone must fit. A scalar is a row that takes scalars only.
template <Scatter scatter>
void ScatterResource(OpContext& c) {
  HandleVariable& variable = GetVariable(c, 0);
  const Tensor& updates = c.tensor(2);
  CheckVariableType(variable, updates.dtype());
  const Value old = variable.ReadSparse(c.node.name);
  const bool is_scalar = updates.rank() == 0 && old.tensor.rank() == 0;
  const Shape wanted = is_scalar ? Shape() : WantedShape(old.tensor.shape(), c.tensor(1));
  Require(updates.rank() == 0 || updates.rank() == wanted.rank(), "updates must be a scalar or of shape ",
          wanted.ToString(), ", not ", updates.shape().ToString());
  if (scatter == Scatter::kDivide) CheckDivisors(c.input(2));
  if (c.tensor(1).elements() == 0) return;
  Require(updates.rank() == 0 || updates.shape() == wanted, "updates must be a scalar or of shape ", wanted.ToString(),
          ", not ", updates.shape().ToString());
  variable.Update(Scattered(scatter, old, c.tensor(1), c.input(2)));
}

constexpr KernelRow kRows[] = {
    {"ScatterUpdate", ScatterRef<Scatter::kReplace>},
    {"ScatterAdd", ScatterRef<Scatter::kAdd>},
    {"ScatterSub", ScatterRef<Scatter::kSubtract>},
    {"ScatterMul", ScatterRef<Scatter::kMultiply>},
    {"ScatterDiv", ScatterRef<Scatter::kDivide>},
    {"ScatterMin", ScatterRef<Scatter::kMin>},
    {"ScatterMax", ScatterRef<Scatter::kMax>},
    {"ResourceScatterUpdate", ScatterResource<Scatter::kReplace>},
    {"ResourceScatterAdd", ScatterResource<Scatter::kAdd>},
    {"ResourceScatterSub", ScatterResource<Scatter::kSubtract>},
    {"ResourceScatterMul", ScatterResource<Scatter::kMultiply>},
    {"ResourceScatterDiv", ScatterResource<Scatter::kDivide>},
    {"ResourceScatterMin", ScatterResource<Scatter::kMin>},
    {"ResourceScatterMax", ScatterResource<Scatter::kMax>},
};

}  // namespace

namespace topics {
std::span<const KernelRow> StateScatter() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

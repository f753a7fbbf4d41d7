// Slices of a variable changed by index: of one behind a reference, and of one behind a handle.
#include "reference/kernel/op_context.h"
#include "reference/kernel/variables.h"
#include "reference/ops/lib/resource_variable.h"
#include "reference/ops/lib/scatter_rows.h"
#include "reference/ops/state/nd_rows.h"

namespace plumb::reference {
namespace {

// R24: a vector of indices is a column of them.
Value Scattered(Scatter scatter, const Value& old, const Tensor& indices, const Value& updates) {
  const Shape& shape = old.tensor.shape();
  Require(shape.rank() >= 1 && indices.rank() >= 1, "a scatter into the shape ", shape.ToString(),
          " by indices of shape ", indices.shape().ToString(), ": both need a dimension");
  Require(shape.elements() > 0 || (indices.elements() == 0 && updates.tensor.elements() == 0),
          "indices and updates are given for the empty shape ", shape.ToString());
  const int batch = std::max(indices.rank() - 1, 1);
  const int64_t depth = indices.rank() > 1 ? indices.dim(batch) : 1;
  Require((depth >= 1 || shape.elements() == 0) && depth <= shape.rank(), "an index of ", depth,
          " numbers does not fit the shape ", shape.ToString());
  const Shape slice = Subshape(shape, static_cast<int>(depth), shape.rank());
  const Shape wanted = Concatenated(Subshape(indices.shape(), 0, batch), slice);
  Require(updates.tensor.shape() == wanted, "updates must be of shape ", wanted.ToString(), ", not ",
          updates.tensor.shape().ToString());
  return ScatteredRows(scatter, old, {SlicesNamed(indices, depth, shape), slice.elements()}, updates);
}

template <Scatter scatter>
void ScatterRef(OpContext& c) {
  c.ref(0).Update(Scattered(scatter, c.input(0), c.tensor(1), c.input(2)));
  c.outputs[0] = c.inputs[0];
}

template <Scatter scatter>
void ScatterResource(OpContext& c) {
  HandleVariable& variable = GetVariable(c, 0);
  CheckVariableType(variable, c.tensor(2).dtype());
  const Value old = variable.ReadSparse(c.node.name);
  variable.Update(Scattered(scatter, old, c.tensor(1), c.input(2)));
}

constexpr KernelRow kRows[] = {
    {"ScatterNdUpdate", ScatterRef<Scatter::kReplace>},
    {"ScatterNdAdd", ScatterRef<Scatter::kAdd>},
    {"ScatterNdSub", ScatterRef<Scatter::kSubtract>},
    {"ScatterNdMax", ScatterRef<Scatter::kMax>},
    {"ScatterNdMin", ScatterRef<Scatter::kMin>},
    {"ResourceScatterNdUpdate", ScatterResource<Scatter::kReplace>},
    {"ResourceScatterNdAdd", ScatterResource<Scatter::kAdd>},
    {"ResourceScatterNdSub", ScatterResource<Scatter::kSubtract>},
    {"ResourceScatterNdMax", ScatterResource<Scatter::kMax>},
    {"ResourceScatterNdMin", ScatterResource<Scatter::kMin>},
};

}  // namespace

namespace topics {
std::span<const KernelRow> StateScatterNd() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

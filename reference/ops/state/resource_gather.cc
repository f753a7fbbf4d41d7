#include "reference/kernel/op_context.h"
#include "reference/kernel/variables.h"
#include "reference/numbers/numbers_io.h"
#include "reference/ops/lib/gather_along.h"
#include "reference/ops/lib/resource_variable.h"

namespace plumb::reference {
namespace {

// R44: of rows without elements too.
void CheckIndices(const Tensor& indices, int64_t rows) {
  for (const Integer i : Load<Integer>(indices).at) {
    Require(0 <= i && i < rows, "index ", static_cast<int64_t>(i), " is not in [0, ", rows, ")");
  }
}

// R44.
void ResourceGather(OpContext& c) {
  HandleVariable& variable = GetVariable(c, 0);
  CheckVariableType(variable, c.output_type(0));
  const Value params = variable.ReadSparse(c.node.name);
  Require(params.tensor.rank() >= 1, "params must be at least 1 dimensional");
  const int64_t batch_dims = c.attr<int64_t>("batch_dims");
  const int64_t batch = batch_dims < 0 ? batch_dims + c.tensor(1).rank() : batch_dims;
  if (0 <= batch && batch < params.tensor.rank()) CheckIndices(c.tensor(1), params.tensor.dim(static_cast<int>(batch)));
  const int64_t axis = batch_dims < 0 ? batch_dims + c.tensor(1).rank() : batch_dims;
  c.Output(0, GatherAlong(params, c.tensor(1), axis, batch_dims));
}

constexpr KernelRow kRows[] = {
    {"ResourceGather", ResourceGather},
};

}  // namespace

namespace topics {
std::span<const KernelRow> StateResourceGather() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

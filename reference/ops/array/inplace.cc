// Rows of a tensor changed by index. Whoever else holds the tensor does not see it.
#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/ops/lib/scatter_rows.h"

namespace plumb::reference {
namespace {

template <Scatter scatter>
void Inplace(OpContext& c) {
  const Shape &x = c.tensor(0).shape(), &v = c.tensor(2).shape();
  const Tensor& indices = c.tensor(1);
  Require(indices.rank() == 1, "i must be a vector, not of shape ", indices.shape().ToString());
  Require(x.rank() == v.rank() && x.rank() >= 1, "x and v must have one rank, at least one, not the shapes ",
          x.ToString(), " and ", v.ToString());
  const Shape row = WithoutAxis(x, 0);
  Require(row == WithoutAxis(v, 0), "rows of x and of v must have one shape: ", x.ToString(), " and ", v.ToString());
  Require(indices.elements() == v.dim(0), "there must be an index for each row of v: ", indices.elements(), " for ",
          v.dim(0));
  RowsToChange rows{{}, row.elements()};
  if (x.dim(0) == 0) return c.Output(0, c.input(0));  // no row can change
  for (const int64_t index : IntegersOf(indices, "i")) {
    const int64_t rest = index % x.dim(0);
    rows.rows.push_back(rest < 0 ? rest + x.dim(0) : rest);
  }
  c.Output(0, ScatteredRows(scatter, c.input(0), rows, c.input(2)));
}

constexpr KernelRow kRows[] = {
    {"InplaceUpdate", Inplace<Scatter::kReplace>},
    {"InplaceAdd", Inplace<Scatter::kAdd>},
    {"InplaceSub", Inplace<Scatter::kSubtract>},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ArrayInplace() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

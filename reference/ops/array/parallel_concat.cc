// Rows put together into a tensor whose shape is known.
#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
namespace {

void CheckShape(const Node& node) {  // A7
  const auto& declared = GetAttr<PartialShape>(node.attrs, "shape");
  Require(declared.IsFullyDefined() && declared.rank() > 0, "the shape ", declared.ToString(),
          " must be fully known, and have a dimension");
  const int64_t count = GetAttr<int64_t>(node.attrs, "N");
  Require(count <= declared.dim(0), count, " values are more rows than ", declared.ToString(), " has");
}

void ParallelConcat(OpContext& c) {
  const Shape shape = c.attr<PartialShape>("shape").ToShape(), row = WithDim(shape, 0, 1);
  Assembly result(c.tensor(0).dtype(), shape);
  for (int i = 0; i < c.num_inputs(); ++i) {
    Require(c.tensor(i).shape() == row, "value ", i, " must have the shape ", row.ToString(), ", not ",
            c.tensor(i).shape().ToString());
    if (row.elements() > 0) result.Copy(i * row.elements(), c.input(i), 0, row.elements());
  }
  c.Output(0, result.Take());
}

constexpr KernelRow kRows[] = {
    {"ParallelConcat", ParallelConcat, CheckShape},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ArrayParallelConcat() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

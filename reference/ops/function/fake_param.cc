// Values that nobody looks at.
#include <algorithm>
#include <vector>

#include "reference/kernel/op_context.h"
#include "reference/numbers/elements.h"

namespace plumb::reference {
namespace {

Shape WithoutOpenDimensions(const PartialShape& declared) {
  std::vector<int64_t> dims;
  for (int axis = 0; declared.has_rank() && axis < declared.rank(); ++axis) {
    dims.push_back(std::max<int64_t>(declared.dim(axis), 0));
  }
  return Shape(dims);
}

// The values are open; zeros are some.
void FakeParam(OpContext& c) {
  const Shape shape = WithoutOpenDimensions(c.attr<PartialShape>("shape"));
  CheckResultSize(shape);
  c.Output(0, Zeros(c.output_type(0), shape));
}

constexpr KernelRow kRows[] = {
    {"FakeParam", FakeParam},
};

}  // namespace

namespace topics {
std::span<const KernelRow> FunctionFakeParam() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
namespace {

// The coordinates of the elements that are not zero, one row each, in row-major order. NaN is not zero.
void Where(OpContext& context) {
  const Tensor& x = context.tensor(0);
  Require(1 <= x.rank() && x.rank() <= 8, "the input must have one to eight dimensions, not ", x.rank());
  std::vector<int64_t> found;
  ForNumber(x.dtype(), [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const auto elements = Load<N>(context.input(0));
    for (int64_t i = 0; i < x.elements(); ++i) {
      if (!(elements[i] == N(0))) found.push_back(i);
    }
  });
  const auto strides = Strides(x.shape());
  Tensor result(DType::kInt64, {static_cast<int64_t>(found.size()), x.rank()});
  auto next = result.mutable_data<int64_t>().begin();
  for (const int64_t position : found) {
    for (int axis = 0; axis < x.rank(); ++axis) *next++ = position / strides[axis] % x.dim(axis);
  }
  context.Output(0, std::move(result));
}

constexpr KernelRow kRows[] = {
    {"Where", Where},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ArrayWhere() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/ops/matrix/matrix_product.h"

namespace plumb::reference {
namespace {

void BatchMatMulV2(OpContext& context) {
  const bool adj_x = context.attr<bool>("adj_x"), adj_y = context.attr<bool>("adj_y");
  BatchProduct(context, {adj_x, adj_x}, {adj_y, adj_y});
}

// The first version does not broadcast.
void BatchMatMul(OpContext& context) {
  const Shape &a = context.tensor(0).shape(), &b = context.tensor(1).shape();
  Require(a.rank() == b.rank() && a.rank() >= 2 && Subshape(a, 0, a.rank() - 2) == Subshape(b, 0, b.rank() - 2),
          "the batch dimensions differ: ", a.ToString(), " and ", b.ToString());
  BatchMatMulV2(context);
}

constexpr KernelRow kRows[] = {
    {"BatchMatMul", BatchMatMul},
    {"BatchMatMulV2", BatchMatMulV2},
};

}  // namespace

namespace topics {
std::span<const KernelRow> MatrixBatchMatmul() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

#include "reference/kernel/op_context.h"
#include "reference/ops/matrix/matrix_product.h"

namespace plumb::reference {
namespace {

void MatMul(OpContext& context) {
  for (int i = 0; i < 2; ++i) {
    Require(context.tensor(i).rank() == 2, "input ", i, " is not a matrix: ", context.tensor(i).shape().ToString());
  }
  BatchProduct(context, {context.attr<bool>("transpose_a"), false}, {context.attr<bool>("transpose_b"), false});
}

constexpr KernelRow kRows[] = {
    {"MatMul", MatMul},
};

}  // namespace

namespace topics {
std::span<const KernelRow> MatrixMatmul() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

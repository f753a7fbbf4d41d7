// What a tensor is, without a look at its elements.
#include "reference/kernel/op_context.h"
#include "reference/ops/lib/integer_tensor.h"

namespace plumb::reference {
namespace {

void ShapeKernel(OpContext& context) {
  for (int i = 0; i < context.num_inputs(); ++i) {
    context.Output(i, IntegerVector(context.output_type(i), context.tensor(i).shape().dims()));
  }
}

void SizeKernel(OpContext& context) {
  const int64_t size = context.tensor(0).elements();
  context.Output(0, IntegerTensor(context.output_type(0), Shape(), {&size, 1}));
}

void RankKernel(OpContext& context) { context.Output(0, MakeScalar<int32_t>(context.tensor(0).rank())); }

constexpr KernelRow kRows[] = {
    {"Shape", ShapeKernel},
    {"ShapeN", ShapeKernel},
    {"Size", SizeKernel},
    {"Rank", RankKernel},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ArrayShape() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

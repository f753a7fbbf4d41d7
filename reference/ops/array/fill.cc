// Tensors of one number.
#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"
#include "reference/ops/lib/variant_arithmetic.h"

namespace plumb::reference {
namespace {

Tensor ZeroLikeVariant(const Tensor& x) {
  Require(x.rank() == 0, "the variant must be a scalar, not of shape ", x.shape().ToString());
  return MakeScalar(ZerosLike(x.scalar<Variant>()));
}

void ZerosLike(OpContext& context) {
  const Tensor& x = context.tensor(0);
  if (x.dtype() == DType::kVariant) return context.Output(0, ZeroLikeVariant(x));
  context.Output(0, Zeros(x.dtype(), x.shape()));
}

void OnesLike(OpContext& context) {
  const Tensor& x = context.tensor(0);
  ForNumber(x.dtype(), [&](auto kind) {
    using N = typename decltype(kind)::Type;
    context.Output(0, Store(MakeArray<N>(x.dtype(), x.shape(), N(1))));
  });
}

void Fill(OpContext& context) {
  const Shape& value = context.tensor(1).shape();
  Require(value.rank() <= 1 && value.elements() == 1, "value must be a scalar, not of shape ", value.ToString());
  const Shape shape = ShapeOf(context.tensor(0), "dims");
  CheckResultSize(shape);
  context.Output(0, Gathered(context.input(1), shape, std::vector<int64_t>(shape.elements(), 0)));
}

// Zeros, whether init asks for them or not: nobody may count on anything else.
void Empty(OpContext& context) {
  const Shape shape = ShapeOfVector(context.tensor(0), "shape");
  CheckResultSize(shape);
  context.Output(0, Zeros(context.output_type(0), shape));
}

constexpr KernelRow kRows[] = {
    {"ZerosLike", ZerosLike},
    {"OnesLike", OnesLike},
    {"Fill", Fill},
    {"Empty", Empty},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ArrayFill() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

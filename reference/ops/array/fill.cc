// Tensors of one number.
#include <set>

#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"
#include "reference/ops/lib/tensor_list.h"

namespace plumb::reference {
namespace {

// A number in a variant, as TensorFlow registers them: its bytes are the metadata.
bool HoldsNumber(const Tensor& x) {
  static const std::set<std::string, std::less<>> names = {"bool", "double", "float", "int"};
  return x.rank() == 0 && names.contains(x.scalar<Variant>().type_name);
}

Tensor ZeroLikeVariant(OpContext& context) {
  const Tensor& x = context.tensor(0);
  if (!HoldsNumber(x)) return AsTensor(ZeroList(ListInput(context, 0)));
  Variant zero = x.scalar<Variant>();
  zero.metadata.assign(zero.metadata.size(), '\0');
  return MakeScalar<Variant>(zero);
}

void ZerosLike(OpContext& context) {
  const Tensor& x = context.tensor(0);
  if (x.dtype() == DType::kVariant) return context.Output(0, ZeroLikeVariant(context));
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

constexpr KernelRow kRows[] = {
    {"ZerosLike", ZerosLike},
    {"OnesLike", OnesLike},
    {"Fill", Fill},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ArrayFill() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

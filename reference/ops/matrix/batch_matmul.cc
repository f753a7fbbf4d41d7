#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"
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

bool IsByte(DType type) { return type == DType::kInt8 || type == DType::kUint8; }

// Operands of one type, or bytes in the place of one or both.
void CheckTypes(const Node& node) {
  const DType x = Base(node.input_types[0]), y = Base(node.input_types[1]), out = Base(node.output_types[0]);
  const bool is_bytes = IsByte(x) && IsByte(y) && out == DType::kInt32;
  const bool is_mixed = out == DType::kBfloat16 && (x == out || IsByte(x)) && (y == out || IsByte(y));
  if (is_bytes || (is_mixed && (x == out || y == out)) || (x == out && y == out && out != DType::kHalf)) return;
  throw NoKernel(Code::kInvalidArgument, "no kernel of ", node.op->name, " is registered for ", DTypeName(x), ", ",
                 DTypeName(y), " and ", DTypeName(out));
}

// Bytes as numbers of another type, which has them all.
Value Widened(const Value& value, DType type) {
  if (!IsByte(value.tensor.dtype())) return value;
  const Array<Integer> bytes = Load<Integer>(value);
  Value widened;
  ForKind<Real, Integer>(type, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    Array<N> numbers = MakeArray<N>(type, value.tensor.shape());
    for (size_t i = 0; i < numbers.at.size(); ++i) numbers.at[i] = N(static_cast<int64_t>(bytes.at[i]));
    widened = Store(numbers);
  });
  return widened;
}

void BatchMatMulV3(OpContext& c) {
  const bool adj_x = c.attr<bool>("adj_x"), adj_y = c.attr<bool>("adj_y");
  const DType type = c.output_type(0);
  c.Output(0, BatchProduct(Widened(c.input(0), type), {adj_x, adj_x}, Widened(c.input(1), type), {adj_y, adj_y}));
}

constexpr KernelRow kRows[] = {
    {"BatchMatMul", BatchMatMul},
    {"BatchMatMulV2", BatchMatMulV2},
    {"BatchMatMulV3", BatchMatMulV3, CheckTypes},
};

}  // namespace

namespace topics {
std::span<const KernelRow> MatrixBatchMatmul() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

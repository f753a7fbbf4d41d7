// A tensor taken apart along an axis.
#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"
#include "reference/ops/lib/slab.h"

namespace plumb::reference {
namespace {

void Split(OpContext& context) {
  const Value& value = context.input(1);
  const int axis = ResolveAxis(ScalarOf(context.tensor(0), "split_dim"), value.tensor.rank(), "split_dim");
  const auto num = static_cast<int64_t>(context.outputs.size());
  const int64_t dim = value.tensor.dim(axis);
  Require(num > 0 && dim % num == 0, "dimension ", axis, " of size ", dim, " cannot be split into ", num,
          " equal parts");
  if (num == 1) return context.Output(0, value);  // R31
  for (int64_t i = 0; i < num; ++i) {
    context.Output(static_cast<int>(i), PieceOf(value, axis, i * (dim / num), dim / num));
  }
}

// One of several sizes may be -1: what remains.
void SplitV(OpContext& context) {
  const Value& value = context.input(0);
  auto sizes = IntegersOf(context.tensor(1), "size_splits");
  const int axis = ResolveAxis(IntegerOf(context.tensor(2), "split_dim"), value.tensor.rank(), "split_dim");
  Require(sizes.size() == context.outputs.size(), sizes.size(), " sizes were given for ", context.outputs.size(),
          " parts");
  int64_t* rest = nullptr;
  Integer sum = 0;
  for (int64_t& size : sizes) {
    Require(size >= 0 || sizes.size() > 1, "the size of a single part must be that of the input, not ", size);
    Require(size >= -1, "a part cannot have the size ", size);
    Require(size >= 0 || rest == nullptr, "only one size may be -1");
    if (size < 0) rest = &size;
    sum += size < 0 ? 0 : size;
  }
  const int64_t dim = value.tensor.dim(axis);
  Require(rest == nullptr ? sum == dim : sum <= dim, "the sizes do not add up to dimension ", axis, ", which is ", dim);
  if (rest != nullptr) *rest = static_cast<int64_t>(dim - sum);
  if (sizes.size() == 1) return context.Output(0, value);  // R31
  for (int64_t i = 0, offset = 0; i < static_cast<int64_t>(sizes.size()); offset += sizes[i], ++i) {
    context.Output(static_cast<int>(i), PieceOf(value, axis, offset, sizes[i]));
  }
}

constexpr KernelRow kRows[] = {
    {"Split", Split},
    {"SplitV", SplitV},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ArraySplit() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

#include "fastpath/cpu/lib/state/update.h"

#include <algorithm>

#include "fastpath/cpu/lib/elementwise/add_loops.h"
#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/parallel.h"
#include "spec/core/choice_point.h"

namespace plumb::fast::cpu {
namespace {

// x ± y elementwise, for the type that elements are computed in.
BinaryLoop LoopFor(Update update, DType type) {
  const DType compute = ComputeType(type);
  const BinaryLoop loop = update == Update::kAdd ? AddLoop(compute) : SubtractLoop(compute);
  Require(loop != nullptr, "values of type ", DTypeName(type), " cannot be added");
  return loop;
}

constinit ChoicePoint pieces("update by way of float: one piece, or several");

}  // namespace

Adder::Adder(Update update, DType type) : type_(type), loop_(LoopFor(update, type)) {}

void Adder::operator()(char* target, const char* value, int64_t n, Operands operands) const {
  if (!IsHalfWidth(type_)) return loop_(target, value, target, n, operands);
  float wide_target[kFloatPiece], wide_value[kFloatPiece];
  pieces.Chosen(n > kFloatPiece);
  if (operands == Operands::kScalarY) ToFloat(type_, value, wide_value, 1);
  for (int64_t i = 0; i < n; i += kFloatPiece) {
    const int64_t count = std::min(kFloatPiece, n - i);
    ToFloat(type_, target + 2 * i, wide_target, count);
    if (operands != Operands::kScalarY) ToFloat(type_, value + 2 * i, wide_value, count);
    loop_(wide_target, wide_value, wide_target, count, operands);
    FromFloat(type_, wide_target, target + 2 * i, count);
  }
}

void UpdateInto(ThreadPool& pool, Update update, Tensor& target, const Tensor& value) {
  const Adder add(update, target.dtype());
  char* const to = static_cast<char*>(target.mutable_raw());
  const char* const from = static_cast<const char*>(value.raw());
  const int64_t size = static_cast<int64_t>(ElementSize(target.dtype()));
  pool.ParallelFor(target.elements(), GrainFor(size), [&](int64_t begin, int64_t end) {
    add(to + begin * size, from + begin * size, end - begin, Operands::kBoth);
  });
}

}  // namespace plumb::fast::cpu

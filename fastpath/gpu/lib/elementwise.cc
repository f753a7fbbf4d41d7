#include "fastpath/gpu/lib/elementwise.h"

#include <algorithm>

#include "fastpath/gpu/lib/cut_words.h"
#include "fastpath/gpu/runtime/cuda_driver.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

bool GoTogether(const Shape& x, const Shape& y) {
  for (int i = 1; i <= std::min(x.rank(), y.rank()); ++i) {
    const int64_t a = x[x.rank() - i], b = y[y.rank() - i];
    if (a != b && a != 1 && b != 1) return false;
  }
  return true;
}

}  // namespace

Status ComplaintStatus(int64_t complaint) {
  if (complaint == kCutByZero) return Status(Code::kInternal, "integer division by zero");
  return Status(Code::kInvalidArgument, complaint == kNegativePower ? "an integer cannot be raised to a negative power"
                                                                    : "integer division by zero");
}

Shape BinaryShape(const GpuContext& context, int traits) {
  const Shape &x = context.input(0).shape(), &y = context.input(1).shape();
  if ((traits & kSameShape) != 0) {
    Require(x == y, "both operands must have one shape, not ", x.ToString(), " and ", y.ToString());
    return x;
  }
  if ((traits & kSameSize) != 0) {
    Require(x.elements() == y.elements(), "both operands must have as many elements as each other, not ", x.ToString(),
            " and ", y.ToString());
    return x;
  }
  return context.OutputShape(0);
}

void CheckTurns(const GpuContext& context, const Walk& walk, const Shape& result) {
  constexpr int kMaxTurns = 5;
  if (walk.rank <= kMaxTurns || result.elements() == 0) return;
  throw Unimplemented("the axes of ", context.input(0).shape().ToString(), " and ", context.input(1).shape().ToString(),
                      " take turns ", walk.rank, " times in being broadcast; the limit is ", kMaxTurns);
}

bool AnswersUnlike(GpuContext& context, int traits) {
  if (GoTogether(context.input(0).shape(), context.input(1).shape())) return false;
  if (GetAttrOr<bool>(context.node().attrs, "incompatible_shape_error", true)) return false;
  Tensor answer = context.AllocateOutput(0, Shape());
  Check(cudaMemsetAsync(answer.mutable_raw(), (traits & kTrueOfUnlike) != 0 ? 1 : 0, answer.bytes(), context.stream()),
        "to store an answer");
  return true;
}

}  // namespace plumb::fast::GPU_NAMESPACE

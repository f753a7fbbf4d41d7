// Zeros and ones in the shape of something, as gradients need them.
#pragma once

#include "spec/ops/gradient.h"

namespace plumb {

// Half, float, double, complex and bfloat16 tensors have gradients, and resources and variants pass them on (rule D1).
bool IsTrainable(DType dtype);

// Zeros of a shape known before the run, or computed by it.
Endpoint ZerosOf(GraphBuilder& builder, const Shape& shape, DType dtype);
Endpoint ZerosOf(GraphBuilder& builder, Endpoint shape, DType dtype);

// The value with each of its parts replaced by f(part).
template <class F>
GradientValue MapParts(const GradientValue& value, F f) {
  switch (value.kind) {
    case GradientValue::Kind::kNone:
      return value;
    case GradientValue::Kind::kDense:
      return GradientValue(f(value.values));
    case GradientValue::Kind::kSparse:
      return GradientValue::Sparse(f(value.values), f(value.indices), f(value.dense_shape));
  }
  throw Internal("a gradient of unknown kind");
}

// A dense gradient as slices: all rows of it, in order (rule D4).
GradientValue AsSlices(GraphBuilder& builder, const GradientValue& value);
// Makes indices and shapes of several slices one type: int64 where they differ (rule D4).
void UnifyIndexTypes(GraphBuilder& builder, std::vector<GradientValue>& slices);

}  // namespace plumb

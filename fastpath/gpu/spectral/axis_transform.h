// Fourier transforms along one axis of an array.
#pragma once

#include "fastpath/gpu/lib/complex.h"

namespace plumb::fast::GPU_NAMESPACE {

// The middle axis of `outer` × n × `inner` numbers.
struct Axis {
  int64_t outer = 1, n = 1, inner = 1;

  PLUMB_GPU_WORD int64_t lines() const { return outer * inner; }
  // Where number `t` of a line lies.
  PLUMB_GPU_WORD int64_t Place(int64_t line, int64_t t) const { return (line / inner * n + t) * inner + line % inner; }
};

// Queues y[k] = scale · Σ x[t] exp(∓2πi k t/n) for each line of the axis, the inverse with the plus sign. `from` may be
// `to`. There is at least one number.
template <class T>
void QueueTransform(GpuContext& context, const Axis& axis, bool inverse, T scale, Global<const Complex<T>> from,
                    Global<Complex<T>> to);

}  // namespace plumb::fast::GPU_NAMESPACE

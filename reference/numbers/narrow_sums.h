// Sums that TensorFlow keeps in float16 or bfloat16.
#pragma once

#include "reference/numbers/number.h"

namespace plumb::reference {

// N8: from here on the bound of a sum of numbers of `dtype` allows that each step of it rounds to that type, too,
// unless the sharp limit was asked for, which holds our own backends to float32. After ComputeIn or SumProductsOf.
inline void AllowNarrowSums(DType dtype) {
  if (AccumulatorOf(dtype) == dtype || arithmetic.sharp || arithmetic.exact) return;
  arithmetic.unit = UnitRoundoff(dtype);
}

// SumProductsOf, where TensorFlow's sums of products may be narrow.
inline void SumNarrowProductsOf(DType dtype) {
  SumProductsOf(dtype);
  AllowNarrowSums(dtype);
}

}  // namespace plumb::reference

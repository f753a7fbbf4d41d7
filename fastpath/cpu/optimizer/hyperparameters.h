// Numbers of an optimizer that are looked at before anything is updated.
#pragma once

#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {

// Of a scalar input of any floating type.
inline double HyperparameterAt(const KernelContext& context, int input) {
  const Tensor& scalar = context.input(input);
  if (scalar.dtype() == DType::kDouble) return scalar.data<double>()[0];
  if (scalar.dtype() == DType::kFloat) return scalar.data<float>()[0];
  float number;
  ToFloat(scalar.dtype(), scalar.raw(), &number, 1);
  return number;
}

}  // namespace plumb::fast::cpu

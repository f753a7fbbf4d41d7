// Numbers of an optimizer that are looked at before anything is updated.
#pragma once

#include <string_view>

#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {

// A scalar input of any floating type. Throws kInvalidArgument where it is no scalar.
inline double HyperparameterAt(const KernelContext& context, int input, std::string_view node) {
  const Tensor& scalar = context.input(input);
  Require(scalar.rank() == 0, "node ", node, ": input ", input, " must be a scalar, not of shape ",
          scalar.shape().ToString());
  if (scalar.dtype() == DType::kDouble) return scalar.data<double>()[0];
  if (scalar.dtype() == DType::kFloat) return scalar.data<float>()[0];
  float number;
  ToFloat(scalar.dtype(), scalar.raw(), &number, 1);
  return number;
}

}  // namespace plumb::fast::cpu

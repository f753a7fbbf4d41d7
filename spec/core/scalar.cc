#include "spec/core/scalar.h"

namespace plumb {

Tensor ScalarTensor(double value, DType dtype) {
  Tensor tensor(dtype, Shape());
  VisitType(dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    if constexpr (std::is_arithmetic_v<T>) {
      tensor.mutable_data<T>()[0] = static_cast<T>(value);
    } else if constexpr (std::is_same_v<T, std::complex<double>>) {
      tensor.mutable_data<T>()[0] = value;
    } else if constexpr (std::is_constructible_v<T, float>) {
      tensor.mutable_data<T>()[0] = T(static_cast<float>(value));
    } else {
      throw InvalidArgument("a number cannot become a ", DTypeName(dtype));
    }
  });
  return tensor;
}

}  // namespace plumb

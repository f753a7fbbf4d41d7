// Whole numbers as a tensor of `dtype`, each of which must fit.
#pragma once

#include <span>

#include "reference/numbers/numbers_io.h"

namespace plumb::reference {

inline Tensor IntegerTensor(DType dtype, const Shape& shape, std::span<const int64_t> numbers) {
  auto array = MakeArray<Integer>(dtype, shape);
  for (size_t i = 0; i < numbers.size(); ++i) {
    array.at[i] = numbers[i];
    Require(Wrap(numbers[i], dtype) == numbers[i], numbers[i], " does not fit into ", DTypeName(dtype));
  }
  return Store(array).tensor;
}
inline Tensor IntegerVector(DType dtype, std::span<const int64_t> numbers) {
  return IntegerTensor(dtype, {static_cast<int64_t>(numbers.size())}, numbers);
}

}  // namespace plumb::reference

// For tests: small int32 tensors, made and read in one word.
#pragma once

#include <initializer_list>
#include <numeric>
#include <vector>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {

inline std::vector<int32_t> Ints(const Tensor& tensor) { return Values<int32_t>(tensor); }

// 0, 1, 2, … in row-major order.
inline Tensor Iota(const Shape& shape) {
  Tensor x(DType::kInt32, shape);
  std::iota(x.mutable_data<int32_t>().begin(), x.mutable_data<int32_t>().end(), 0);
  return x;
}

inline Tensor Vector(std::initializer_list<int32_t> values) { return MakeVector<int32_t>(values); }

}  // namespace plumb::fast::cpu

// The element types that matrices are multiplied in.
#pragma once

#include <complex>
#include <memory>

#include "fastpath/cpu/dispatch.h"

namespace plumb::fast {

template <template <class> class K>
std::unique_ptr<Kernel> MakeForMatrixType(const Node& node) {
  switch (OutputType(node, 0)) {
    case DType::kFloat:
      return std::make_unique<K<float>>(node);
    case DType::kDouble:
      return std::make_unique<K<double>>(node);
    case DType::kHalf:
      return std::make_unique<K<Half>>(node);
    case DType::kBfloat16:
      return std::make_unique<K<BFloat16>>(node);
    case DType::kInt16:
      return std::make_unique<K<int16_t>>(node);
    case DType::kInt32:
      return std::make_unique<K<int32_t>>(node);
    case DType::kInt64:
      return std::make_unique<K<int64_t>>(node);
    case DType::kComplex64:
      return std::make_unique<K<std::complex<float>>>(node);
    case DType::kComplex128:
      return std::make_unique<K<std::complex<double>>>(node);
    default:
      ThrowNoKernel(node);
  }
}

}  // namespace plumb::fast

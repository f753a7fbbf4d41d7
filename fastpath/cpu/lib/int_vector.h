// Small integer vectors that describe shapes, as outputs.
#pragma once

#include <vector>

#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {

// Writes integers as int32 or int64.
inline void SetIntVector(KernelContext& context, int output, DType type, const std::vector<int64_t>& values) {
  Tensor& tensor = context.AllocateOutput(output, type, Shape({static_cast<int64_t>(values.size())}));
  for (size_t i = 0; i < values.size(); ++i) {
    if (type == DType::kInt64) {
      static_cast<int64_t*>(tensor.mutable_raw())[i] = values[i];
    } else {
      static_cast<int32_t*>(tensor.mutable_raw())[i] = static_cast<int32_t>(values[i]);
    }
  }
}

}  // namespace plumb::fast::cpu

// Sessions that are opened meanwhile take float32 for TF32 on GPUs.
#pragma once

#include "spec/session/tensor_float_32.h"

namespace plumb::fast {

class WithTf32 {
 public:
  WithTf32() { EnableTensorFloat32(true); }
  ~WithTf32() { EnableTensorFloat32(false); }
  WithTf32(const WithTf32&) = delete;
  WithTf32& operator=(const WithTf32&) = delete;
};

// A number of float whose last bit is dropped where it is taken for TF32, which makes it 1.
inline constexpr float kJustAboveOne = 1 + 0x1p-12F;

}  // namespace plumb::fast

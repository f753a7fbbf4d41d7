// Softmax and the losses over it, row by row. `type` is float32 or float64; n is the length of a row.
#pragma once

#include <cstdint>

#include "spec/core/dtype.h"

namespace plumb::fast::cpu {

struct SoftmaxLoops {
  // y = exp(x − max) / Σ exp(x − max). y may be x.
  void (*softmax)(const void* x, void* y, int64_t n) = nullptr;
  // y = (x − max) − log Σ exp(x − max). y may be x.
  void (*log_softmax)(const void* x, void* y, int64_t n) = nullptr;
  // *loss = −Σ labels · log softmax(x), backprop = softmax(x) − labels. backprop may be x or labels.
  void (*cross_entropy)(const void* x, const void* labels, void* loss, void* backprop, int64_t n) = nullptr;
};

SoftmaxLoops FindSoftmaxLoops(DType type);

// Units of work (see ../parallel.h) of one element.
constexpr int64_t kSoftmaxWork = 10;

}  // namespace plumb::fast::cpu

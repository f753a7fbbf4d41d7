// What a card does when nothing of ours is between: the ceilings that our own figures are held against.
#pragma once

#include <cstdint>

#include "fastpath/gpu/module/open.h"
#include "spec/core/dtype.h"

namespace plumb::fast::GPU_NAMESPACE {

// On the first device. Throws as CudaDriver does, and kResourceExhausted.
CardCeilings MeasureCeilings(int64_t bytes);
// Seconds that cuBLAS takes for a product of two square matrices, in the precision that our products ask for. Throws
// kUnimplemented for a type other than a float of 16 or 32 bits.
double MeasureProduct(DType type, int64_t side);

}  // namespace plumb::fast::GPU_NAMESPACE

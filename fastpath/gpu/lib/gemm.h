// Products of matrices, by cuBLASLt.
#pragma once

#include "fastpath/gpu/gpu_context.h"

namespace plumb::fast::GPU_NAMESPACE {

// How an operand of a product is read: as its memory lies, row by row, or with rows and columns exchanged; then, of
// complex numbers, conjugated if asked for.
struct GemmOperand {
  const void* data = nullptr;
  bool is_transposed = false;
  bool is_conjugated = false;
  int64_t step = 0;  // elements from the matrix of one product to that of the next
};

// `count` products of [rows, inner] and [inner, columns], one after the other in `out`.
struct GemmSize {
  int64_t rows = 0;
  int64_t columns = 0;
  int64_t inner = 0;
  int64_t count = 1;
};

// Queues them. `type`: a floating or complex type; 16-bit floats are summed up in float, and float is multiplied as
// TF32 where the device takes it for that. Throws kUnimplemented for sizes beyond what the library counts with 32 bits.
void Gemm(GpuContext& context, DType type, const GemmSize& size, const GemmOperand& x, const GemmOperand& y, void* out);

}  // namespace plumb::fast::GPU_NAMESPACE

// Reductions over any set of axes, without moving the elements first.
#pragma once

#include <vector>

#include "fastpath/cpu/lib/dispatch.h"

namespace plumb::fast::cpu {

// *out = the fold of n >= 1 consecutive values.
using FoldRun = void (*)(const void* x, int64_t n, void* out);
// out[c] = the fold of x[r * stride + c] over the rows r, for the columns c. rows >= 1.
using FoldColumns = void (*)(const void* x, int64_t rows, int64_t columns, int64_t stride, void* out);

// What values are folded to.
enum class Fold { kSum, kProduct, kMax, kMin, kAll, kAny, kSumOfSquares };

// How values of one type are folded. Folds are associative up to rounding; sums are added up in trees.
struct Reduction {
  FoldRun run = nullptr;
  FoldColumns columns = nullptr;
  DType type = DType::kInvalid;        // of the operands; half and bfloat16 are folded as float
  alignas(16) char identity[16] = {};  // the fold of nothing

  explicit operator bool() const { return run != nullptr; }
};

// Empty when the type has no such reduction.
Reduction FindReduction(Fold fold, DType type);

// x folded over the axes marked in `reduced` (one entry per axis), in the shape of the others. The result has
// ComputeType(x.dtype()): of a 16-bit float type the caller rounds it.
Tensor Reduce(ThreadPool& pool, const Reduction& reduction, const Tensor& x, const std::vector<bool>& reduced);

// The tables behind FindReduction.
Reduction FindSimdReduction(Fold fold, DType type);
Reduction FindScalarReduction(Fold fold, DType type);

// Marks the axes that a reduction's second input, of any shape, names. kInvalidArgument for one out of range or named
// twice.
std::vector<bool> MarkAxes(const Tensor& axes, int rank);

}  // namespace plumb::fast::cpu

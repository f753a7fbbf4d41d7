// C = op(A)·op(B) on row-major matrices: the one matrix product behind MatMul, BatchMatMul and convolution.
#pragma once

#include <cstdint>

#include "fastpath/device/thread_pool.h"

namespace plumb::fast::cpu {

// op(A) is m × k, op(B) is k × n, C is m × n; a row of each starts lda, ldb, ldc elements after the one before it.
struct GemmProblem {
  int64_t m = 0, n = 0, k = 0;
  bool transpose_a = false, transpose_b = false;
  int64_t lda = 0, ldb = 0, ldc = 0;
  bool operator==(const GemmProblem&) const = default;
};

// Matrices without gaps between rows.
inline GemmProblem DenseGemm(int64_t m, int64_t n, int64_t k, bool transpose_a = false, bool transpose_b = false) {
  return {m, n, k, transpose_a, transpose_b, transpose_a ? m : k, transpose_b ? k : n, n};
}

// On the pool's threads, in pieces that depend on the problem only. T: float, double, Half, BFloat16 (computed in
// float, rounded once), integers (wrapping), complex. An empty sum is zero.
template <class T>
void Gemm(ThreadPool& pool, const GemmProblem& problem, const T* a, const T* b, T* c);

// On the calling thread alone.
template <class T>
void SingleThreadedGemm(const GemmProblem& problem, const T* a, const T* b, T* c);

// What the above are built from, each on the calling thread; m, n, k > 0.
// By packed panels and vectors (gemm_simd.cc).
void SimdGemm(const GemmProblem& problem, const float* a, const float* b, float* c);
void SimdGemm(const GemmProblem& problem, const double* a, const double* b, double* c);
// By oneDNN (../onednn), or SimdGemm where it is absent (../onednn_absent).
void LibraryGemm(const GemmProblem& problem, const float* a, const float* b, float* c);

}  // namespace plumb::fast::cpu

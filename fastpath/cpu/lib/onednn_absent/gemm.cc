#include "fastpath/cpu/lib/linear/gemm.h"

namespace plumb::fast::cpu {

void LibraryGemm(const GemmProblem& problem, const float* a, const float* b, float* c) { SimdGemm(problem, a, b, c); }

}  // namespace plumb::fast::cpu

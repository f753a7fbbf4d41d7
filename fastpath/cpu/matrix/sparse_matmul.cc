// SparseMatMul as a dense product in float. The zeros of a side that is called sparse meet nothing: that is the same
// unless they would meet infinities or NaN, and then the product is taken term by term.
#include <algorithm>
#include <cmath>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/linear/gemm.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/printed.h"

namespace plumb::fast::cpu {
namespace {

class SparseMatMul final : public Kernel {
 public:
  explicit SparseMatMul(const Node& node)
      : transpose_a_(GetAttr<bool>(node.attrs, "transpose_a")),
        transpose_b_(GetAttr<bool>(node.attrs, "transpose_b")),
        a_is_sparse_(GetAttr<bool>(node.attrs, "a_is_sparse")),
        b_is_sparse_(!a_is_sparse_ && GetAttr<bool>(node.attrs, "b_is_sparse")) {}

  void Run(KernelContext& context) override {
    for (int i = 0; i < 2; ++i) {
      Require(context.input(i).rank() == 2, "input ", i, " must be a matrix, not of shape ",
              Printed(context.input(i).shape()));
    }
    const Tensor a = AsFloat(context.pool(), context.input(0)), b = AsFloat(context.pool(), context.input(1));
    const int64_t m = a.dim(transpose_a_ ? 1 : 0), k = a.dim(transpose_a_ ? 0 : 1), n = b.dim(transpose_b_ ? 0 : 1);
    Require(k == b.dim(transpose_b_ ? 1 : 0), "the inner dimensions of ", Printed(a.shape()), " and ",
            Printed(b.shape()), " differ");
    Tensor& product = context.AllocateOutput(0, DType::kFloat, {m, n});
    const GemmProblem problem = DenseGemm(m, n, k, transpose_a_, transpose_b_);
    float* const out = product.mutable_data<float>().data();
    if ((a_is_sparse_ && !AllFinite(b)) || (b_is_sparse_ && !AllFinite(a))) {
      return MultiplyByTerms(context.pool(), problem, a.data<float>().data(), b.data<float>().data(), out);
    }
    Gemm(context.pool(), problem, a.data<float>().data(), b.data<float>().data(), out);
  }

 private:
  static bool AllFinite(const Tensor& matrix) {
    return std::ranges::all_of(matrix.data<float>(), [](float x) { return std::isfinite(x); });
  }

  void MultiplyByTerms(ThreadPool& pool, const GemmProblem& problem, const float* a, const float* b, float* c) const {
    const int64_t a_row = transpose_a_ ? 1 : problem.lda, a_column = transpose_a_ ? problem.lda : 1;
    const int64_t b_row = transpose_b_ ? 1 : problem.ldb, b_column = transpose_b_ ? problem.ldb : 1;
    pool.ParallelFor(problem.m, GrainFor(problem.n * problem.k), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        float* const row = c + i * problem.n;
        std::fill_n(row, problem.n, 0.0f);
        for (int64_t k = 0; k < problem.k; ++k) {
          const float left = a[i * a_row + k * a_column];
          if (a_is_sparse_ && left == 0) continue;
          for (int64_t j = 0; j < problem.n; ++j) {
            const float right = b[k * b_row + j * b_column];
            if (!b_is_sparse_ || right != 0) row[j] += left * right;
          }
        }
      }
    });
  }

  const bool transpose_a_;
  const bool transpose_b_;
  const bool a_is_sparse_;
  const bool b_is_sparse_;
};

constexpr KernelRow kRows[] = {
    {"SparseMatMul", Make<SparseMatMul>},
};

}  // namespace

std::span<const KernelRow> MatrixSparseMatmul() { return kRows; }

}  // namespace plumb::fast::cpu

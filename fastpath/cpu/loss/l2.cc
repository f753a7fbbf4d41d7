// L2Loss.
#include <algorithm>
#include <cmath>
#include <limits>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/reduction/reduce.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

// Half the sum of squares.
class L2Loss final : public Kernel {
 public:
  explicit L2Loss(const Node& node) : type_(InputType(node, 0)), sum_(FindReduction(Fold::kSumOfSquares, type_)) {}
  void Run(KernelContext& context) override {
    ThreadPool& pool = context.pool();
    const Tensor x = AsFloat(pool, context.input(0));
    Tensor sum = SumOfSquares(pool, x);
    if (type_ == DType::kHalf) AddOverflow(x, sum.mutable_data<float>()[0]);
    if (x.dtype() == DType::kDouble) {
      sum.mutable_data<double>()[0] /= 2;
    } else {
      sum.mutable_data<float>()[0] /= 2;
    }
    context.SetOutput(0, RoundedTo(pool, type_, std::move(sum)));
  }

 private:
  // From 256 on squares are none of float16: TensorFlow's are infinite, whatever half of them is.
  static void AddOverflow(const Tensor& x, float& sum) {
    constexpr float kFirstBeyond = 256;
    if (sum < kFirstBeyond * kFirstBeyond) return;
    const auto numbers = x.data<float>();
    const bool overflows =
        std::any_of(numbers.begin(), numbers.end(), [](float each) { return std::fabs(each) >= kFirstBeyond; });
    if (overflows) sum += std::numeric_limits<float>::infinity();
  }

  // Squares are added up in pieces, and the pieces' sums in turn.
  Tensor SumOfSquares(ThreadPool& pool, const Tensor& x) const {
    const int64_t n = x.elements(), pieces = (n + kChunkWork - 1) / kChunkWork;
    const auto size = static_cast<int64_t>(ElementSize(x.dtype()));
    Tensor partial = Allocate(x.dtype(), Shape({pieces}));
    const char* from = static_cast<const char*>(x.raw());
    char* to = static_cast<char*>(partial.mutable_raw());
    pool.ParallelFor(pieces, 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t first = i * kChunkWork;
        sum_.run(from + first * size, std::min(kChunkWork, n - first), to + i * size);
      }
    });
    return Reduce(pool, FindReduction(Fold::kSum, x.dtype()), partial, {true});
  }

  DType type_;
  Reduction sum_;
};

constexpr KernelRow kRows[] = {
    {"L2Loss", Make<L2Loss>},
};

}  // namespace

std::span<const KernelRow> LossL2() { return kRows; }

}  // namespace plumb::fast::cpu

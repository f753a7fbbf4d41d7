// Running logarithms of sums of exponentials along an axis.
#include <algorithm>
#include <cmath>
#include <limits>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

#define PLUMB_INLINE inline
#include "fastpath/formulas/reduction/log_of_sum-inl.h"
#undef PLUMB_INLINE

class CumulativeLogsumexp final : public Kernel {
 public:
  explicit CumulativeLogsumexp(const Node& node)
      : type_(OutputType(node, 0)),
        exclusive_(GetAttr<bool>(node.attrs, "exclusive")),
        reverse_(GetAttr<bool>(node.attrs, "reverse")),
        cost_(node.op->cost) {}

  void Run(KernelContext& context) override {
    const Tensor& x = context.input(0);
    Require(context.input(1).rank() == 0, "the axis must be a scalar, not of shape ",
            context.input(1).shape().ToString());
    const int axis = NormalizeAxis(IntAt(context.input(1), 0), x.rank());
    Tensor& out = context.AllocateOutput(0, type_, x.shape());
    if (x.elements() == 0) return;
    const int64_t size = x.dim(axis), inner = ElementsIn(x.shape(), axis + 1, x.rank());
    context.pool().ParallelFor(x.elements() / size, GrainFor(cost_ * size), [&](int64_t begin, int64_t end) {
      if (type_ == DType::kFloat) return Lines<float, float>(x, out, size, inner, begin, end);
      if (type_ == DType::kDouble) return Lines<double, double>(x, out, size, inner, begin, end);
      if (type_ == DType::kHalf) return Lines<Half, float>(x, out, size, inner, begin, end);
      Lines<BFloat16, float>(x, out, size, inner, begin, end);
    });
  }

 private:
  // Of the type that is stored, and the one that is computed with.
  template <class T, class C>
  void Lines(const Tensor& x, Tensor& out, int64_t size, int64_t inner, int64_t begin, int64_t end) const {
    const T* const from = static_cast<const T*>(x.raw());
    T* const to = static_cast<T*>(out.mutable_raw());
    const int64_t next = reverse_ ? -inner : inner;
    for (int64_t line = begin; line < end; ++line) {
      int64_t i = line / inner * size * inner + line % inner + (reverse_ ? (size - 1) * inner : 0);
      C running = -std::numeric_limits<C>::infinity();
      for (int64_t k = 0; k < size; ++k, i += next) {
        const C with = LogOfSum(running, static_cast<C>(from[i]));
        to[i] = static_cast<T>(exclusive_ ? running : with);
        running = with;
      }
    }
  }

  const DType type_;
  const bool exclusive_, reverse_;
  const int64_t cost_;
};

constexpr KernelRow kRows[] = {
    {"CumulativeLogsumexp", Make<CumulativeLogsumexp>},
};

}  // namespace

std::span<const KernelRow> ReductionCumulativeLogsumexp() { return kRows; }

}  // namespace plumb::fast::cpu

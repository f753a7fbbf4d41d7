// Running sums and products along an axis.
#include <algorithm>
#include <complex>
#include <type_traits>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

struct AddStep {
  static constexpr int kStart = 0;
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a + b);
  }
};

struct MultiplyStep {
  static constexpr int kStart = 1;
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a * b);
  }
};

// The type that running values are kept in: 16-bit floats in float, integers unsigned so that they wrap around.
template <class T>
struct RunningOf {
  using Type = T;
};

template <class T>
requires std::is_integral_v<T>
struct RunningOf<T> {
  using Type = uint64_t;
};

template <>
struct RunningOf<Half> {
  using Type = float;
};

template <>
struct RunningOf<BFloat16> {
  using Type = float;
};

template <class Step>
class CumulativeKernel : public Kernel {
 public:
  explicit CumulativeKernel(const Node& node)
      : dtype_(OutputType(node, 0)),
        exclusive_(GetAttr<bool>(node.attrs, "exclusive")),
        reverse_(GetAttr<bool>(node.attrs, "reverse")) {}

  void Run(KernelContext& context) override {
    const Tensor& x = context.input(0);
    Require(context.input(1).rank() == 0, "the axis must be a scalar, not of shape ",
            context.input(1).shape().ToString());
    const int axis = NormalizeAxis(IntAt(context.input(1), 0), x.rank());
    Tensor& result = context.AllocateOutput(0, dtype_, x.shape());
    if (x.elements() == 0) return;
    int64_t outer = 1, inner = 1;
    for (int i = 0; i < axis; ++i) outer *= x.dim(i);
    for (int i = axis + 1; i < x.rank(); ++i) inner *= x.dim(i);
    VisitType(dtype_, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, Half> || std::is_same_v<T, BFloat16> ||
                    std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>) {
        if constexpr (!std::is_same_v<T, bool>) Lines<T>(x, result, outer, x.dim(axis), inner, context.pool());
      }
    });
  }

 private:
  template <class T>
  void Lines(const Tensor& x, Tensor& result, int64_t outer, int64_t size, int64_t inner, ThreadPool& pool) const {
    using Running = typename RunningOf<T>::Type;
    const T* const from = x.data<T>().data();
    T* const to = result.mutable_data<T>().data();
    constexpr int64_t kWork = 16384;  // elements worth a chunk of their own
    pool.ParallelFor(outer * inner, std::max<int64_t>(1, kWork / std::max<int64_t>(1, size)),
                     [&](int64_t begin, int64_t end) {
                       for (int64_t line = begin; line < end; ++line) {
                         int64_t i = line / inner * size * inner + line % inner + (reverse_ ? (size - 1) * inner : 0);
                         const int64_t next = reverse_ ? -inner : inner;
                         auto running = static_cast<Running>(Step::kStart);
                         for (int64_t k = 0; k < size; ++k, i += next) {
                           const Running with = Step()(running, static_cast<Running>(from[i]));
                           to[i] = static_cast<T>(exclusive_ ? running : with);
                           running = with;
                         }
                       }
                     });
  }

  const DType dtype_;
  const bool exclusive_, reverse_;
};

constexpr KernelRow kRows[] = {
    {"Cumsum", Make<CumulativeKernel<AddStep>>},
    {"Cumprod", Make<CumulativeKernel<MultiplyStep>>},
};

}  // namespace

std::span<const KernelRow> ReductionCumulative() { return kRows; }

}  // namespace plumb::fast::cpu

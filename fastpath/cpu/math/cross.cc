// Cross.
#include <type_traits>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

// The type that a product of two T is computed in: 16-bit floats in float, integers unsigned so that they wrap around.
template <class T>
using Computed =
    std::conditional_t<std::is_integral_v<T>, uint64_t, std::conditional_t<std::is_same_v<T, double>, double, float>>;

template <class T>
void CrossRows(const void* a, const void* b, void* product, int64_t begin, int64_t end) {
  using C = Computed<T>;
  const T *x = static_cast<const T*>(a) + 3 * begin, *y = static_cast<const T*>(b) + 3 * begin;
  T* z = static_cast<T*>(product) + 3 * begin;
  for (int64_t row = begin; row < end; ++row, x += 3, y += 3, z += 3) {
    const C x0 = static_cast<C>(x[0]), x1 = static_cast<C>(x[1]), x2 = static_cast<C>(x[2]);
    const C y0 = static_cast<C>(y[0]), y1 = static_cast<C>(y[1]), y2 = static_cast<C>(y[2]);
    z[0] = static_cast<T>(x1 * y2 - x2 * y1);
    z[1] = static_cast<T>(x2 * y0 - x0 * y2);
    z[2] = static_cast<T>(x0 * y1 - x1 * y0);
  }
}

using CrossLoop = void (*)(const void* a, const void* b, void* product, int64_t begin, int64_t end);

class Cross final : public Kernel {
 public:
  explicit Cross(const Node& node) : type_(InputType(node, 0)) {
    VisitType(type_, [this](auto tag) {
      using T = typename decltype(tag)::Type;
      constexpr bool kIsHalf = std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;
      if constexpr (kIsHalf || (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>)) loop_ = CrossRows<T>;
    });
  }

  void Run(KernelContext& context) override {
    const Tensor &a = context.input(0), &b = context.input(1);
    const Shape& shape = a.shape();
    Require(shape == b.shape(), "a and b must have one shape, not ", shape.ToString(), " and ", b.shape().ToString());
    Require(shape.rank() > 0, "a and b must have a dimension, whose length is 3");
    if (shape[shape.rank() - 1] != 3) {
      throw FailedPrecondition("the last dimension must be 3; the shape is ", shape.ToString());
    }
    void* const product = context.AllocateOutput(0, type_, shape).mutable_raw();
    context.pool().ParallelFor(shape.elements() / 3, GrainFor(9),
                               [&](int64_t begin, int64_t end) { loop_(a.raw(), b.raw(), product, begin, end); });
  }

 private:
  const DType type_;
  CrossLoop loop_ = nullptr;
};

constexpr KernelRow kRows[] = {
    {"Cross", Make<Cross>},
};

}  // namespace

std::span<const KernelRow> MathCross() { return kRows; }

}  // namespace plumb::fast::cpu

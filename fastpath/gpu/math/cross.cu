// Cross: a thread for each pair of vectors.
#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/lib/words.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

template <class T>
PLUMB_GPU_KERNEL CrossLoop(Global<const T> a, Global<const T> b, Global<T> product) {
  using V = typename Computed<T>::Type;
  for (int64_t i = First(); 3 * i < product.size; i += Stride()) {
    for (int64_t k = 0; k < 3; ++k) {
      const int64_t next = 3 * i + (k + 1) % 3, last = 3 * i + (k + 2) % 3;
      const V plus = Mul(Computed<T>::Load(a[next]), Computed<T>::Load(b[last]));
      const V minus = Mul(Computed<T>::Load(a[last]), Computed<T>::Load(b[next]));
      product[3 * i + k] = Computed<T>::Store(Sub(plus, minus));
    }
  }
}

template <class T>
class Cross final : public GpuKernel {
 public:
  explicit Cross(const Node&) {}
  void Run(GpuContext& context) override {
    const Shape shape = context.input(0).shape();
    const Shape& other = context.input(1).shape();
    Require(shape == other, "a and b must have one shape, not ", shape.ToString(), " and ", other.ToString());
    Require(shape.rank() > 0, "a and b must have a dimension, whose length is 3");
    if (shape[shape.rank() - 1] != 3) {
      throw FailedPrecondition("the last dimension must be 3; the shape is ", shape.ToString());
    }
    Tensor product = context.AllocateOutput(0, shape);
    Launch(context.stream(), LoopOver(shape.elements() / 3), CrossLoop<T>, context.In<T>(0), context.In<T>(1),
           context.ViewOf<T>(product));
  }
};

constexpr GpuKernelRow kRows[] = {
    {"Cross", MakeForType<Cross, Reals>},
};

}  // namespace

std::span<const GpuKernelRow> MathCross() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE

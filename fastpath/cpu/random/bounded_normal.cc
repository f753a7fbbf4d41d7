// Normally distributed numbers within bounds by rejection, bit for bit TensorFlow's on one thread (R86).
#include "fastpath/formulas/random/bounded_normal.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>

#include "fastpath/cpu/lib/state/random.h"
#include "fastpath/cpu/lib/types.h"
#include "fastpath/cpu/random/box_muller.h"

namespace plumb::fast::cpu {
namespace {

float RoundedToHalf(float x) { return static_cast<float>(Half(x)); }

#define PLUMB_INLINE inline
#include "fastpath/formulas/random/bounded_normal-inl.h"
#undef PLUMB_INLINE

template <class T>
class BoundedNormalKernel final : public RandomKernel {
 public:
  using RandomKernel::RandomKernel;

  void Run(KernelContext& context) override {
    const Shape shape = ShapeIn(node_, context.input(0));
    std::array<const Shape*, 4> shapes;
    for (int i = 1; i < 5; ++i) shapes[static_cast<size_t>(i) - 1] = &context.input(i).shape();
    const BoundedBatches cut = BatchesOf(node_, shape, shapes);
    Tensor& output = context.AllocateOutput(0, DTypeOf<T>, shape);
    Philox generator = stream_.Reserve(cut.blocks);
    const auto parameter = [&](int i, int64_t batch) {
      const Tensor& from = context.input(i);
      return static_cast<typename Steps<T>::Number>(from.data<T>()[from.elements() == 1 ? 0 : batch]);
    };
    T* const out = output.mutable_data<T>().data();
    for (int64_t b = 0; b < cut.batches && b * cut.samples < output.elements(); ++b) {
      const auto store = [first = out + b * cut.samples](int64_t i, typename Steps<T>::Number value) {
        first[i] = T(value);
      };
      BoundedBatch<T, decltype(store)> batch(generator, store,
                                             std::min(cut.samples, output.elements() - b * cut.samples));
      const BoundedEnd end = batch.Fill(parameter(1, b), parameter(2, b), parameter(3, b), parameter(4, b));
      if (end != BoundedEnd::kDone) throw Error(RefusalOfBatch(node_, end));
    }
  }
};

constexpr KernelRow kRows[] = {
    {"ParameterizedTruncatedNormal", MakeFor<BoundedNormalKernel, Types<float, double, Half>>},
};

}  // namespace

std::span<const KernelRow> RandomBoundedNormal() { return kRows; }

}  // namespace plumb::fast::cpu

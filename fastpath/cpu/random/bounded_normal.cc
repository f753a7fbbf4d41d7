// Normally distributed numbers within bounds by rejection, bit for bit TensorFlow's on one thread (R86).
#include "fastpath/formulas/random/bounded_normal.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>

#include "fastpath/cpu/lib/broadcast_copy.h"
#include "fastpath/cpu/lib/elementwise/broadcast.h"
#include "fastpath/cpu/lib/state/random.h"
#include "fastpath/cpu/lib/types.h"
#include "fastpath/cpu/random/box_muller.h"
#include "fastpath/cpu/random/samples_for_each.h"

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
    const Shape shape = ShapeIn(context.input(0));
    std::array<const Shape*, 4> shapes;
    for (int i = 1; i < 5; ++i) shapes[static_cast<size_t>(i) - 1] = &context.input(i).shape();
    const BoundedBatches cut = BatchesOf(shape, shapes);
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
      if (end != BoundedEnd::kDone) throw Error(RefusalOfBatch(end));
    }
  }
};

// A batch for each element of the parameters' common shape, which the result repeats along its first axes.
template <class T>
class SeededBoundedNormalKernel final : public SeededRandomKernel {
 public:
  using SeededRandomKernel::SeededRandomKernel;

  void Run(KernelContext& context) override {
    const Shape common = CommonShape(context);
    const Shape shape = ShapeOfSamples(context.input(0), common, true);
    Philox generator = StartFor(context, shape.elements());
    Tensor& output = context.AllocateOutput(0, DTypeOf<T>, shape);
    if (output.elements() == 0) return;
    std::array<Tensor, 4> parameters;
    for (int i = 0; i < 4; ++i) {
      parameters[static_cast<size_t>(i)] = Tensor(DTypeOf<T>, common);
      CopyBroadcast(context.pool(), context.input(2 + i), parameters[static_cast<size_t>(i)]);
    }
    const auto parameter = [&](size_t i, int64_t batch) {
      return static_cast<typename Steps<T>::Number>(parameters[i].template data<T>()[batch]);
    };
    const int64_t batches = common.elements(), samples = output.elements() / batches;
    T* const out = output.mutable_data<T>().data();
    for (int64_t b = 0; b < batches; ++b) {
      const auto store = [first = out + b, batches](int64_t i, typename Steps<T>::Number value) {
        first[i * batches] = T(value);
      };
      BoundedBatch<T, decltype(store)> batch(generator, store, samples);
      const BoundedEnd end = batch.Fill(parameter(0, b), parameter(1, b), parameter(2, b), parameter(3, b));
      if (end != BoundedEnd::kDone) throw Error(RefusalOfBatch(end));
    }
  }

 private:
  Shape CommonShape(const KernelContext& context) const {
    Shape common;
    for (int i = 2; i < 6; ++i) {
      BroadcastPlan plan;
      Require(MakeBroadcastPlan(common, context.input(i).shape(), plan), "parameters of the shapes ", Printed(common),
              " and ", Printed(context.input(i).shape()), " cannot be broadcast together");
      common = plan.result;
    }
    return common;
  }
};

constexpr KernelRow kRows[] = {
    {"ParameterizedTruncatedNormal", MakeFor<BoundedNormalKernel, Types<float, double, Half>>},
    {"StatelessParameterizedTruncatedNormal", MakeFor<SeededBoundedNormalKernel, Types<float, double, Half>>},
};

}  // namespace

std::span<const KernelRow> RandomBoundedNormal() { return kRows; }

}  // namespace plumb::fast::cpu

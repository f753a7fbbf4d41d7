// Normally distributed numbers within bounds, from the same words as the CPU's (R86).
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>

#include "fastpath/formulas/random/bounded_normal.h"
#include "fastpath/gpu/lib/random.h"
#include "fastpath/gpu/lib/words.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

PLUMB_GPU_INLINE float RoundedToHalf(float x) { return FloatOf(HalfOf(x)); }

#define PLUMB_INLINE PLUMB_GPU_INLINE
#include "fastpath/formulas/random/box_muller-inl.h"
// It stands on the other.
#include "fastpath/formulas/random/bounded_normal-inl.h"
#undef PLUMB_INLINE

template <class T>
struct Parameters {
  Global<const T> of[4];  // means, deviations and both bounds: one for all batches, or one for each

  PLUMB_GPU_INLINE typename Computed<T>::Type At(int i, int64_t batch) const {
    return Computed<T>::Load(of[i][of[i].size == 1 ? 0 : batch]);
  }
};

template <class T>
struct Store {
  Global<T> out;
  int64_t first;
  PLUMB_GPU_INLINE void operator()(int64_t i, typename Computed<T>::Type value) const {
    out[first + i] = Computed<T>::Store(value);
  }
};

// One thread: where in the stream a batch begins shows when the one before it is done.
template <class T>
PLUMB_GPU_KERNEL DrawBatches(RandomStart start, Parameters<T> parameters, BoundedBatches cut, Global<T> out,
                             Global<int64_t> slot) {
  Philox generator = start.Generator();
  for (int64_t b = 0; b < cut.batches && b * cut.samples < out.size; ++b) {
    const int64_t rest = out.size - b * cut.samples;
    const Store<T> store{out, b * cut.samples};
    BoundedBatch<T, Store<T>> batch(generator, store, cut.samples < rest ? cut.samples : rest);
    const BoundedEnd end =
        batch.Fill(parameters.At(0, b), parameters.At(1, b), parameters.At(2, b), parameters.At(3, b));
    if (end == BoundedEnd::kDone) continue;
    AtomicCas(slot[0], int64_t{0}, static_cast<int64_t>(end));
    return;
  }
}

template <class T>
class BoundedNormal final : public RandomKernel<OwnStream> {
 public:
  explicit BoundedNormal(const Node& node) : RandomKernel<OwnStream>(node), node_(node.name) {}
  void Run(GpuContext& context) override {
    const Shape shape = ShapeOfResult(context);
    std::array<const Shape*, 4> shapes;
    Parameters<T> parameters;
    for (int i = 0; i < 4; ++i) {
      shapes[static_cast<size_t>(i)] = &context.input(i + 1).shape();
      parameters.of[i] = context.In<T>(i + 1);
    }
    const BoundedBatches cut = BatchesOf(shape, shapes);
    Tensor output = context.AllocateOutput(0, shape);
    const RandomStart start = stream_.StartForBlocks(cut.blocks);
    if (output.elements() == 0) return;
    const Global<int64_t> slot =
        context.NewSlot([node = node_](int64_t end) { return RefusalOfBatch(static_cast<BoundedEnd>(end)); });
    Launch(context.stream(), GridSize{.blocks = 1, .threads = 1}, DrawBatches<T>, start, parameters, cut,
           context.ViewOf<T>(output), slot);
  }

 private:
  const std::string node_;
};

std::unique_ptr<GpuKernel> MakeBoundedNormal(const Node& node) {
  return ForType(node, node.output_types[0], TypeList<float, double, Half>(),
                 [&](auto tag) -> std::unique_ptr<GpuKernel> {
                   return std::make_unique<BoundedNormal<typename decltype(tag)::Type>>(node);
                 });
}

constexpr GpuKernelRow kRows[] = {
    {"ParameterizedTruncatedNormal", MakeBoundedNormal},
};

}  // namespace

std::span<const GpuKernelRow> RandomBoundedNormal() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE

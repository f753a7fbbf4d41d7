// MaxPoolWithArgmax and the gradient that goes by the places it found.
#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/pooling.h"
#include "fastpath/gpu/lib/rows/row_lists.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/lib/words.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// `batch`: how far the numbers of one image's elements are from those of the next; 0 where each begins anew.
template <class T>
PLUMB_GPU_KERNEL PoolLoop(Global<const T> x, PoolingSize size, int64_t batch, Global<T> y, Global<int64_t> argmax) {
  for (int64_t i = First(); i < y.size; i += Stride()) {
    const Pixel at = size.to.PixelOf(i);
    int64_t best = -1;
    for (int64_t k = 0; k < size.rows.window; ++k) {
      const int64_t row = size.rows.At(at.row, k);
      for (int64_t l = 0; row >= 0 && l < size.columns.window; ++l) {
        const int64_t column = size.columns.At(at.column, l);
        if (column < 0) continue;
        const int64_t place = size.from.At(at.image, row, column, at.channel);
        if (best < 0 || Computed<T>::Load(x[best]) < Computed<T>::Load(x[place])) best = place;
      }
    }
    if (best < 0) continue;
    y[i] = x[best];
    argmax[i] = best - at.image * (size.from.elements() / size.from.images - batch);
  }
}

template <class T>
class MaxPoolWithArgmax final : public GpuKernel {
 public:
  explicit MaxPoolWithArgmax(const Node& node)
      : pooling_(node, SizeChecks::kSizesThenBatch), with_batch_(GetAttr<bool>(node.attrs, "include_batch_in_index")) {}
  void Run(GpuContext& context) override {
    const PoolingSize size = pooling_.SizeOf(context.input(0).shape());
    pooling_.RefuseOverChannels();
    Require(context.input(0).elements() > 0, "images of shape ", context.input(0).shape().ToString(),
            " have no largest element");
    Tensor y = context.AllocateOutput(0, size.to.shape()), argmax = context.AllocateOutput(1, size.to.shape());
    if (y.elements() == 0) return;
    const int64_t batch = with_batch_ ? size.from.elements() / size.from.images : 0;
    Launch(context.stream(), LoopOver(y.elements()), PoolLoop<T>, context.In<T>(0), size, batch, context.ViewOf<T>(y),
           context.ViewOf<int64_t>(argmax));
  }

 private:
  const Pooling pooling_;
  const bool with_batch_;
};

// Which element of dx each element of dy goes to; the slot gets the place of one that goes to none of its image's,
// plus 1.
PLUMB_GPU_KERNEL PlacesLoop(Global<const int64_t> argmax, int64_t outputs, int64_t image, bool with_batch,
                            Global<int64_t> places, Global<int64_t> slot) {
  for (int64_t i = First(); i < places.size; i += Stride()) {
    const int64_t first = i / outputs * image, place = argmax[i] + (with_batch ? 0 : first);
    const bool is_inside = place >= first && place < first + image;
    places[i] = is_inside ? place : -1;
    if (!is_inside) AtomicCas(slot[0], int64_t{0}, i + 1);
  }
}

template <class T>
PLUMB_GPU_KERNEL CollectLoop(Global<const T> dy, Global<const int64_t> begins, Global<const int64_t> counts,
                             Global<const int64_t> rows, Global<T> dx) {
  using V = typename Computed<T>::Type;
  for (int64_t i = First(); i < dx.size; i += Stride()) {
    V sum = 0;
    for (int64_t k = begins[i]; k < begins[i] + counts[i]; ++k) sum += Computed<T>::Load(dy[rows[k]]);
    dx[i] = Computed<T>::Store(sum);
  }
}

template <class T>
class MaxPoolGradWithArgmax final : public GpuKernel {
 public:
  explicit MaxPoolGradWithArgmax(const Node& node)
      : pooling_(node, SizeChecks::kBatchThenSizes), with_batch_(GetAttr<bool>(node.attrs, "include_batch_in_index")) {}
  void Run(GpuContext& context) override {
    const PoolingSize size = pooling_.SizeOf(context.input(0).shape());
    pooling_.RefuseOverChannels();
    RequireShape(context.input(1), size.to.shape(), "grad");
    RequireShape(context.input(2), size.to.shape(), "argmax");
    Tensor dx = context.AllocateOutput(0, size.from.shape());
    if (dx.elements() == 0) return;
    const int64_t outputs = size.to.elements() / size.to.images, image = size.from.elements() / size.from.images;
    Tensor places = context.Scratch(DType::kInt64, size.to.shape());
    const Global<int64_t> of = context.ViewOf<int64_t>(places), slot = context.NewSlot([](int64_t number) {
      return Status(Code::kInvalidArgument,
                    Str("argmax[", number - 1, "] names an element that is not in the window's image"));
    });
    Launch(context.stream(), LoopOver(of.size), PlacesLoop, context.In<int64_t>(2), outputs, image, with_batch_, of,
           slot);
    const RowLists lists = ListRows(context, of, dx.elements());
    Launch(context.stream(), LoopOver(dx.elements()), CollectLoop<T>, context.In<T>(1),
           context.ViewOf<int64_t>(lists.begins), context.ViewOf<int64_t>(lists.counts),
           context.ViewOf<int64_t>(lists.rows), context.ViewOf<T>(dx));
  }

 private:
  const Pooling pooling_;
  const bool with_batch_;
};

constexpr GpuKernelRow kRows[] = {
    {"MaxPoolWithArgmax", MakeForType<MaxPoolWithArgmax, Floats>},
    {"MaxPoolGradWithArgmax", MakeForType<MaxPoolGradWithArgmax, Floats>},
};

}  // namespace

std::span<const GpuKernelRow> ConvolutionMaxPoolArgmax() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE

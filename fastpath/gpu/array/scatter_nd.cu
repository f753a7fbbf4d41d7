// ScatterNd and its like: slices that coordinates name, updated. Whatever is added to one element is added in the order
// of the updates, or cannot tell.
#include "fastpath/formulas/array/scatter_slices.h"
#include "fastpath/gpu/lib/axes.h"
#include "fastpath/gpu/lib/owned_copy.h"
#include "fastpath/gpu/lib/rows/changed_rows.h"
#include "fastpath/gpu/lib/words.h"
#include "fastpath/gpu/topics.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// Which row is the last for its slice, counted from 1; `last` begins as zeros.
PLUMB_GPU_KERNEL LastLoop(Global<const int64_t> places, Global<int64_t> last) {
  for (int64_t row = First(); row < places.size; row += Stride()) {
    if (places[row] >= 0) AtomicMax(last[places[row]], row + 1);
  }
}

template <class T>
PLUMB_GPU_KERNEL ReplaceLoop(Global<const int64_t> places, Global<const int64_t> last, Global<const T> updates,
                             Global<T> out, int64_t inner) {
  for (int64_t i = First(); i < updates.size; i += Stride()) {
    const int64_t row = i / inner, place = places[row];
    if (place >= 0 && last[place] == row + 1) out[place * inner + i % inner] = updates[i];
  }
}

// Whole numbers add up to the same in any order.
template <class T>
PLUMB_GPU_KERNEL AddLoop(Global<const int64_t> places, Global<const T> updates, Global<T> out, int64_t inner,
                         bool subtracts) {
  for (int64_t i = First(); i < updates.size; i += Stride()) {
    const int64_t place = places[i / inner];
    const T more = updates[i];
    if (place >= 0) AtomicAdd(out[place * inner + i % inner], subtracts ? Neg(more) : more);
  }
}

template <class T>
PLUMB_GPU_KERNEL AddListedLoop(Global<const int64_t> begins, Global<const int64_t> counts, Global<const int64_t> rows,
                               Global<const T> updates, Global<T> out, int64_t inner, bool subtracts) {
  for (int64_t i = First(); i < out.size; i += Stride()) {
    const int64_t begin = begins[i / inner], count = counts[i / inner];
    if (count == 0) continue;
    auto sum = Computed<T>::Load(out[i]);
    for (int64_t k = begin; k < begin + count; ++k) {
      const auto more = Computed<T>::Load(updates[rows[k] * inner + i % inner]);
      sum = subtracts ? sum - more : sum + more;
    }
    out[i] = Computed<T>::Store(sum);
  }
}

enum class Change { kAdd, kSubtract, kReplace };

// Changes slices of its output, which begins as zeros (ScatterNd) or as the first input.
template <Change change, bool from_zeros, bool takes_vectors>
class ScatterNd final : public GpuKernel {
 public:
  explicit ScatterNd(const Node&) {}
  void Run(GpuContext& context) override {
    const Tensor indices = context.input(from_zeros ? 0 : 1), updates = context.input(from_zeros ? 1 : 2);
    Require(!from_zeros || context.input(2).rank() == 1, "shape must be a vector, not of shape ",
            context.input(2).shape().ToString());
    const Shape shape = from_zeros ? Shape(ToInt64s(context.input(2))) : context.input(0).shape();
    if (!takes_vectors) RequireMatrixOfCoordinates(shape, indices.shape(), updates.shape());
    const Slices slices = SlicesOf(shape, CoordinatesOfSlices(shape, indices.shape(), updates.shape()));
    Tensor out = Begin(context, shape);
    if (updates.elements() == 0) return;
    const int64_t rows = updates.elements() / slices.inner;
    const Tensor places = PlacesOf(context, indices, slices, rows, context.NewSlot(OutsideOf(shape)));
    const Global<const int64_t> of = context.ViewOf<int64_t>(places);
    const int64_t count = shape.elements() / slices.inner;
    if (change == Change::kReplace) return Replace(context, of, count, updates, slices.inner, out);
    switch (updates.dtype()) {
      case DType::kInt32:
        return AddNumbers<int32_t>(context, of, updates, slices.inner, out);
      case DType::kInt64:
        return AddNumbers<int64_t>(context, of, updates, slices.inner, out);
      case DType::kComplex64:
        return AddFloats<float>(context, of, count, updates, 2 * slices.inner, out);
      case DType::kComplex128:
        return AddFloats<double>(context, of, count, updates, 2 * slices.inner, out);
      default:
        ForType(context.node(), updates.dtype(), Floats(), [&](auto tag) {
          AddFloats<typename decltype(tag)::Type>(context, of, count, updates, slices.inner, out);
          return true;
        });
    }
  }

 private:
  static Tensor Begin(GpuContext& context, const Shape& shape) {
    if (from_zeros) {
      Tensor zeros = context.AllocateOutput(0, shape);
      context.Clear(zeros);
      return zeros;
    }
    return OwnedCopy(context, 0, 0);
  }

  static void Replace(GpuContext& context, Global<const int64_t> places, int64_t slices, const Tensor& updates,
                      int64_t inner, Tensor& out) {
    Tensor last = context.Scratch(DType::kInt64, Shape({slices}));
    context.Clear(last);
    const Global<int64_t> numbers = context.ViewOf<int64_t>(last);
    Launch(context.stream(), LoopOver(places.size), LastLoop, places, numbers);
    ForSizeOf(context.node(), updates.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::Type;
      Launch(context.stream(), LoopOver(updates.elements()), ReplaceLoop<T>, places, numbers,
             context.ViewOf<T>(updates), context.ViewOf<T>(out), inner);
    });
  }

  template <class T>
  static void AddNumbers(GpuContext& context, Global<const int64_t> places, const Tensor& updates, int64_t inner,
                         Tensor& out) {
    Launch(context.stream(), LoopOver(updates.elements()), AddLoop<T>, places, context.ViewOf<T>(updates),
           context.ViewOf<T>(out), inner, change == Change::kSubtract);
  }

  // Complex numbers are two floats each.
  template <class T>
  static void AddFloats(GpuContext& context, Global<const int64_t> places, int64_t slices, const Tensor& updates,
                        int64_t inner, Tensor& out) {
    const RowLists lists = ListRows(context, places, slices);
    const Global<const T> more(static_cast<const T*>(updates.raw()), places.size * inner);
    const Global<T> sums(static_cast<T*>(out.mutable_raw()), slices * inner);
    Launch(context.stream(), LoopOver(sums.size), AddListedLoop<T>, context.ViewOf<int64_t>(lists.begins),
           context.ViewOf<int64_t>(lists.counts), context.ViewOf<int64_t>(lists.rows), more, sums, inner,
           change == Change::kSubtract);
  }
};

// TensorScatterMax and TensorScatterMin: each slice takes its updates in their order.
template <Scatter scatter>
class TensorScatter final : public GpuKernel {
 public:
  explicit TensorScatter(const Node&) {}
  void Run(GpuContext& context) override {
    const Tensor indices = context.input(1), updates = context.input(2);
    const Shape shape = context.input(0).shape();
    RequireMatrixOfCoordinates(shape, indices.shape(), updates.shape());
    const Slices slices = SlicesOf(shape, CoordinatesOfSlices(shape, indices.shape(), updates.shape()));
    Tensor out = OwnedCopy(context, 0, 0);
    if (updates.elements() == 0) return;
    const NamedRows rows(context, indices, slices, updates.elements() / slices.inner, shape.elements() / slices.inner,
                         context.NewSlot(OutsideOf(shape)));
    ChangeRows(context, scatter, rows, slices.inner, updates, out);
  }
};

constexpr GpuKernelRow kRows[] = {
    {"ScatterNd", Make<ScatterNd<Change::kAdd, true, false>>},
    {"ScatterNdNonAliasingAdd", Make<ScatterNd<Change::kAdd, false, true>>},
    {"TensorScatterUpdate", Make<ScatterNd<Change::kReplace, false, false>>},
    {"TensorScatterAdd", Make<ScatterNd<Change::kAdd, false, false>>},
    {"TensorScatterSub", Make<ScatterNd<Change::kSubtract, false, false>>},
    {"TensorScatterMax", Make<TensorScatter<Scatter::kMax>>},
    {"TensorScatterMin", Make<TensorScatter<Scatter::kMin>>},
};

}  // namespace

std::span<const GpuKernelRow> ArrayScatterNd() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE

// Updates of the rows of variables that indices name, one after the other (R68).
#pragma once

#include "fastpath/gpu/lib/axes.h"
#include "fastpath/gpu/lib/rows/named_rows.h"
#include "fastpath/gpu/lib/variables/update.h"

namespace plumb::fast::GPU_NAMESPACE {

// A formula whose scalars may be anything. One that refuses some says which number, below 0, speaks of them, and in
// which words.
struct NoCheck {
  template <class V>
  static PLUMB_GPU_WORD int64_t NumberFor(const V*) {
    return 0;
  }
  static std::string Words(int64_t) { return ""; }
};

template <class Check, class T>
PLUMB_GPU_KERNEL CheckScalars(UpdateArrays<T> arrays, Global<int64_t> slot) {
  const Scalars<T> c(arrays);
  if (const int64_t number = Check::NumberFor(c.numbers); number != 0) AtomicCas(slot[0], int64_t{0}, number);
}

// A thread for each element of the gradient, of which those of a row's first mention make all its updates.
template <class F, class T>
PLUMB_GPU_KERNEL UpdateRowsLoop(UpdateArrays<T> arrays, RowUpdates to, int64_t width) {
  using V = typename Updated<T>::Type;
  if (to.IsRefused()) return;
  const PreparedScalars<F, T> c(arrays);
  for (int64_t i = First(); i < to.places.size * width; i += Stride()) {
    const int64_t update = i / width, column = i % width;
    if (!to.IsFirst(update)) continue;
    const int64_t place = to.places[update], begin = to.begins[place], end = begin + to.counts[place];
    const int64_t element = place * width + column;
    V numbers[kMostSlots] = {};
    for (int k = 0; k < F::kSlots; ++k) numbers[k] = Updated<T>::Load(arrays.slots[k][element]);
    for (int64_t at = begin; at < end; ++at) {
      const V gradient = Updated<T>::Load(arrays.gradient[to.rows[at] * width + column]);
      F::Apply(SlotNumbers<V>{numbers, arrays.same_as}, gradient, c.numbers);
      for (int k = 0; k < F::kSlots; ++k) numbers[k] = Updated<T>::Load(Updated<T>::Store(numbers[k]));
    }
    for (int k = 0; k < F::kSlots; ++k) {
      if (arrays.same_as[k] == k) arrays.slots[k][element] = Updated<T>::Store(numbers[k]);
    }
  }
}

template <class F, class T, class Check>
class FormulaUpdateOfRows final : public UpdateKernel {
 public:
  using UpdateKernel::UpdateKernel;

 private:
  void Update(GpuContext& context, const std::vector<void*>& slots, const Shape& shape) override {
    const UpdateArrays<T> arrays = ArraysOf<T>(context, inputs_, slots, shape.elements());
    const Global<int64_t> slot = context.NewSlot([rows = shape[0]](int64_t number) {
      if (number < 0) return Status(Code::kInvalidArgument, Check::Words(number));
      return Status(Code::kInvalidArgument, Str("indices[", number - 1, "] is not in [0, ", rows, ")"));
    });
    if (!std::is_same_v<Check, NoCheck>) {
      Launch(context.stream(), GridSize{1, 1, false}, CheckScalars<Check, T>, arrays, slot);
    }
    const Tensor indices = context.input(inputs_.indices);
    if (indices.elements() == 0) return;
    const NamedRows rows(context, indices, SlicesOf(shape, 1), indices.elements(), shape[0], slot);
    const int64_t width = ElementsIn(shape, 1, shape.rank());
    Launch(context.stream(), LoopOver(indices.elements() * width), UpdateRowsLoop<F, T>, arrays, rows.View(context),
           width);
  }
};

// The same as MakeUpdate, of the rows that inputs.indices names.
template <class F, class Check = NoCheck>
std::unique_ptr<GpuKernel> MakeUpdateOfRows(const Node& node, const UpdateInputs& inputs) {
  const DType type = node.input_types[static_cast<size_t>(inputs.gradient)];
  return ForType(node, type, Floats(), [&](auto tag) -> std::unique_ptr<GpuKernel> {
    return std::make_unique<FormulaUpdateOfRows<F, typename decltype(tag)::Type, Check>>(node, inputs);
  });
}

}  // namespace plumb::fast::GPU_NAMESPACE

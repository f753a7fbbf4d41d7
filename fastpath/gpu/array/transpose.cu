// Axes in another order.
#include <vector>

#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/strided_copy.h"
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// Which axis of the input each axis of the output is.
std::vector<int> OrderOf(const Tensor& permutation, int rank) {
  std::vector<int> order;
  std::vector<bool> is_taken(static_cast<size_t>(rank), false);
  for (const int64_t axis : ToInt64s(permutation)) {
    Require(axis >= 0 && axis < rank, "axis ", axis, " is not one of ", rank, " axes");
    Require(!is_taken[static_cast<size_t>(axis)], "axis ", axis, " is named twice by the permutation");
    is_taken[static_cast<size_t>(axis)] = true;
    order.push_back(static_cast<int>(axis));
  }
  return order;
}

// Axes of one element may go anywhere without moving anything.
bool MovesNothing(const Shape& shape, const std::vector<int>& order) {
  int last = -1;
  for (const int axis : order) {
    if (shape[axis] == 1) continue;
    if (axis < last) return false;
    last = axis;
  }
  return true;
}

// Of words, every second one is an imaginary part.
template <class T>
PLUMB_GPU_KERNEL ConjugateLoop(Global<T> words) {
  for (int64_t i = First(); 2 * i < words.size; i += Stride()) words[2 * i + 1] = -words[2 * i + 1];
}

template <bool conjugates>
class Transpose final : public GpuKernel {
 public:
  explicit Transpose(const Node& node) : conjugates_(conjugates && IsComplex(node.input_types[0])) {}
  void Run(GpuContext& context) override {
    const Tensor& input = context.input(0);
    const std::vector<int> order = OrderOf(context.input(1), input.rank());
    const Shape shape = context.OutputShape(0);
    if (!conjugates_ && MovesNothing(input.shape(), order)) {
      if (conjugates) return SetUnaliased(context, 0, input, shape);
      return context.SetOutput(0, input.Reshaped(shape));  // R31
    }
    Tensor output = context.AllocateOutput(0, shape);
    Walk walk;
    for (int axis = 0; axis < shape.rank(); ++axis) {
      AddAxis(walk, shape[axis], StrideAlong(input.shape(), order[static_cast<size_t>(axis)]),
              StrideAlong(shape, axis));
    }
    CopyAlong(context, walk, input, 0, output, 0);
    if (!conjugates_) return;
    if (input.dtype() == DType::kComplex64) return Conjugate<float>(context, output);
    Conjugate<double>(context, output);
  }

 private:
  template <class T>
  static void Conjugate(GpuContext& context, Tensor& tensor) {
    const Global<T> words(static_cast<T*>(tensor.mutable_raw()), 2 * tensor.elements());
    Launch(context.stream(), LoopOver(tensor.elements()), ConjugateLoop<T>, words);
  }

  const bool conjugates_;
};

constexpr GpuKernelRow kRows[] = {
    {"Transpose", Make<Transpose<false>>},
    {"ConjugateTranspose", Make<Transpose<true>>},
};

}  // namespace

std::span<const GpuKernelRow> ArrayTranspose() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE

// Axes turned round, as a whole or in part.
#include <vector>

#include "fastpath/gpu/lib/axes.h"
#include "fastpath/gpu/lib/coordinates.h"
#include "fastpath/gpu/lib/strided_copy.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

constexpr int kMostDimensions = 8;

void CheckRank(const Shape& shape) {
  if (shape.rank() <= kMostDimensions) return;  // T9
  throw Unimplemented("a tensor of rank ", shape.rank(), " is not reversed; the limit is ", kMostDimensions);
}

class ReverseV2 final : public GpuKernel {
 public:
  explicit ReverseV2(const Node&) {}
  void Run(GpuContext& context) override {
    const Tensor x = context.input(0);
    if (x.rank() == 0 || x.elements() == 0) return context.SetOutput(0, x);  // R31
    CheckRank(x.shape());
    context.OutputShape(0);  // refuses axes that are out of range, or named twice
    std::vector<bool> is_reversed(static_cast<size_t>(x.rank()), false);
    for (const int64_t axis : ToInt64s(context.input(1))) {
      is_reversed[static_cast<size_t>(FromFront(axis, x.rank()))] = true;
    }
    Tensor out = context.AllocateOutput(0, x.shape());
    Walk walk;
    int64_t first = 0;
    for (int axis = 0; axis < x.rank(); ++axis) {
      const int64_t stride = StrideAlong(x.shape(), axis);
      const bool backwards = is_reversed[static_cast<size_t>(axis)];
      if (backwards) first += (x.dim(axis) - 1) * stride;
      AddAxis(walk, x.dim(axis), backwards ? -stride : stride, stride);
    }
    CopyAlong(context, walk, x, first, out, 0);
  }
};

struct Sizes {
  int rank = 0;
  int64_t of[kMostDimensions] = {};
};

template <class T>
PLUMB_GPU_KERNEL ReverseLoop(Global<const T> in, Global<const bool> is_reversed, Global<T> out, Sizes sizes) {
  for (int64_t i = First(); i < out.size; i += Stride()) {
    int64_t rest = i, place = 0, step = 1;
    for (int axis = sizes.rank - 1; axis >= 0; --axis) {
      const int64_t size = sizes.of[axis], at = rest % size;
      place += (is_reversed[axis] ? size - 1 - at : at) * step;
      rest /= size;
      step *= size;
    }
    out[i] = in[place];
  }
}

// Which axes are meant lies in the device's memory.
class Reverse final : public GpuKernel {
 public:
  explicit Reverse(const Node&) {}
  void Run(GpuContext& context) override {
    const Tensor x = context.input(0), dims = context.input(1);
    if (x.rank() == 0) return context.SetOutput(0, x);  // R31
    Require(x.dim(0) > 0, "the tensor has no entry along its first dimension: ", x.shape().ToString());
    Require(dims.rank() == 1 && dims.dim(0) == x.rank(), "dims must say of each dimension of ", x.shape().ToString(),
            " whether it is reversed, not have the shape ", dims.shape().ToString());
    CheckRank(x.shape());
    Sizes sizes;
    sizes.rank = x.rank();
    for (int axis = 0; axis < x.rank(); ++axis) sizes.of[axis] = x.dim(axis);
    Tensor y = context.AllocateOutput(0, x.shape());
    ForSizeOf(context.node(), x.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const Global<T> out = context.ViewOf<T>(y);
      Launch(context.stream(), LoopOver(out.size), ReverseLoop<T>, context.ViewOf<T>(x), context.ViewOf<bool>(dims),
             out, sizes);
    });
  }
};

// One axis of a tensor: how many entries it has, and how many elements lie between two of them.
struct Axis {
  int64_t size = 0, stride = 1;
  PLUMB_GPU_WORD int64_t At(int64_t i) const { return i / stride % size; }
};

template <class T, class Length>
PLUMB_GPU_KERNEL ReverseSequenceLoop(Global<const T> in, Global<const Length> lengths, Global<T> out, Axis batch,
                                     Axis sequence, Global<int64_t> slot) {
  for (int64_t i = First(); i < out.size; i += Stride()) {
    const int64_t entry = batch.At(i), place = sequence.At(i);
    const int64_t length = lengths[entry];
    if (length < 0 || length > sequence.size) {
      AtomicCas(slot[0], int64_t{0}, entry + 1);
      continue;
    }
    out[i] = in[place < length ? i + (length - 1 - 2 * place) * sequence.stride : i];
  }
}

// Lengths of an input without elements are checked as well.
template <class Length>
PLUMB_GPU_KERNEL CheckLengthsLoop(Global<const Length> lengths, int64_t most, Global<int64_t> slot) {
  for (int64_t i = First(); i < lengths.size; i += Stride()) {
    const int64_t length = lengths[i];
    if (length < 0 || length > most) AtomicCas(slot[0], int64_t{0}, i + 1);
  }
}

// The first seq_lengths[b] entries of each batch entry b reversed along seq_dim, the others as they are.
template <class Length>
class ReverseSequence final : public GpuKernel {
 public:
  explicit ReverseSequence(const Node& node)
      : seq_dim_(GetAttr<int64_t>(node.attrs, "seq_dim")), batch_dim_(GetAttrOr<int64_t>(node.attrs, "batch_dim", 0)) {}
  void Run(GpuContext& context) override {
    const Tensor x = context.input(0), lengths = context.input(1);
    const Shape shape = context.OutputShape(0);
    Require(seq_dim_ >= 0, "seq_dim must not be negative, which ", seq_dim_, " is");
    Require(seq_dim_ != batch_dim_, "seq_dim and batch_dim must differ, and are both ", seq_dim_);
    const int seq = static_cast<int>(seq_dim_), dim = static_cast<int>(batch_dim_);
    const Axis batch{shape[dim], StrideAlong(shape, dim)}, sequence{shape[seq], StrideAlong(shape, seq)};
    Tensor y = context.AllocateOutput(0, shape);
    const Global<const Length> many = context.ViewOf<Length>(lengths);
    const Global<int64_t> slot = context.NewSlot([most = sequence.size](int64_t number) {
      return InvalidArgument("seq_lengths[", number - 1, "] is not in [0, ", most, "]").status();
    });
    if (shape.elements() == 0) {
      Launch(context.stream(), LoopOver(many.size), CheckLengthsLoop<Length>, many, sequence.size, slot);
      return;
    }
    ForSizeOf(context.node(), x.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const Global<T> out = context.ViewOf<T>(y);
      Launch(context.stream(), LoopOver(out.size), ReverseSequenceLoop<T, Length>, context.ViewOf<T>(x), many, out,
             batch, sequence, slot);
    });
  }

 private:
  const int64_t seq_dim_, batch_dim_;
};

constexpr GpuKernelRow kRows[] = {
    {"Reverse", Make<Reverse>},
    {"ReverseV2", Make<ReverseV2>},
    {"ReverseSequence", MakeForIndices<ReverseSequence, 1>},
};

}  // namespace

std::span<const GpuKernelRow> ArrayReverse() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE

// MirrorPad and its gradient. Each element of a padded tensor is the image of one of the tensor inside; the gradient of
// that one is the sum of its images', at most three along each axis.
#include <string>
#include <vector>

#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/strided_copy.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/lib/words.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

constexpr int kMostDimensions = 5;

// The tensor inside, and how far it is continued on each side of each axis.
struct Mirror {
  int rank = 0;
  int64_t size[kMostDimensions] = {}, before[kMostDimensions] = {}, after[kMostDimensions] = {};
  int64_t skipped = 0;  // 1 where the border is left out of its image

  PLUMB_GPU_WORD int64_t Padded(int axis) const { return before[axis] + size[axis] + after[axis]; }
  // Which entry of the axis inside an entry of the padded axis shows.
  PLUMB_GPU_WORD int64_t Shown(int axis, int64_t place) const {
    place -= before[axis];
    if (place < 0) return skipped - 1 - place;
    return place < size[axis] ? place : 2 * size[axis] - 1 - skipped - place;
  }
  // Where image `which` (0: itself, 1: before, 2: behind) of an entry stands in the padded axis; -1: nowhere.
  PLUMB_GPU_WORD int64_t ImageOf(int axis, int64_t entry, int which) const {
    if (which == 0) return before[axis] + entry;
    if (which == 1) {
      const int64_t place = before[axis] - 1 - entry + skipped;
      return entry >= skipped && place >= 0 ? place : -1;
    }
    const int64_t from_end = size[axis] - 1 - entry - skipped;
    return from_end >= 0 && from_end < after[axis] ? before[axis] + size[axis] + from_end : -1;
  }
};

template <class T>
PLUMB_GPU_KERNEL PadLoop(Global<const T> in, Global<T> out, Mirror mirror) {
  for (int64_t i = First(); i < out.size; i += Stride()) {
    int64_t rest = i, place = 0, step = 1;
    for (int axis = mirror.rank - 1; axis >= 0; --axis) {
      place += mirror.Shown(axis, rest % mirror.Padded(axis)) * step;
      rest /= mirror.Padded(axis);
      step *= mirror.size[axis];
    }
    out[i] = in[place];
  }
}

template <class T>
PLUMB_GPU_KERNEL SumLoop(Global<const T> in, Global<T> out, Mirror mirror, int images) {
  for (int64_t i = First(); i < out.size; i += Stride()) {
    typename Computed<T>::Type sum = 0;
    for (int image = 0; image < images; ++image) {
      // The digits of `image` in base three are the images along the axes.
      int digits = image;
      int64_t rest = i, place = 0, step = 1;
      bool is_there = true;
      for (int axis = mirror.rank - 1; axis >= 0; --axis) {
        const int64_t at = mirror.ImageOf(axis, rest % mirror.size[axis], digits % 3);
        is_there = is_there && at >= 0;
        place += at * step;
        digits /= 3;
        rest /= mirror.size[axis];
        step *= mirror.Padded(axis);
      }
      if (is_there) sum = Add(sum, Computed<T>::Load(in[place]));
    }
    out[i] = Computed<T>::Store(sum);
  }
}

// What the row's rule does not know of comes first.
Shape MirroredShape(const GpuContext& context) {
  const int rank = context.input(0).rank();
  if (rank > kMostDimensions) {  // T9
    throw Unimplemented("a tensor of rank ", rank, " is not mirrored; the limit is ", kMostDimensions);
  }
  return context.OutputShape(0);
}

// `inside`: the shape of the tensor that is continued.
Mirror MirrorOf(const GpuContext& context, const Shape& inside) {
  const std::vector<int64_t> amounts = ToInt64s(context.input(1));
  Mirror mirror;
  mirror.rank = inside.rank();
  mirror.skipped = GetAttr<std::string>(context.node().attrs, "mode") == "REFLECT" ? 1 : 0;
  for (int axis = 0; axis < inside.rank(); ++axis) {
    mirror.size[axis] = inside[axis];
    mirror.before[axis] = amounts[static_cast<size_t>(2 * axis)];
    mirror.after[axis] = amounts[static_cast<size_t>(2 * axis + 1)];
    const int64_t most = inside[axis] - mirror.skipped;
    Require(mirror.before[axis] <= most && mirror.after[axis] <= most, "dimension ", axis, " of size ", inside[axis],
            " is mirrored by at most ", most, " elements, not ", mirror.before[axis], " and ", mirror.after[axis]);
  }
  return mirror;
}

class MirrorPad final : public GpuKernel {
 public:
  explicit MirrorPad(const Node&) {}
  void Run(GpuContext& context) override {
    const Tensor x = context.input(0);
    const Shape shape = MirroredShape(context);
    const Mirror mirror = MirrorOf(context, x.shape());
    if (shape == x.shape()) return context.SetOutput(0, x);  // R31
    Tensor y = context.AllocateOutput(0, shape);
    ForSizeOf(context.node(), x.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const Global<T> out = context.ViewOf<T>(y);
      Launch(context.stream(), LoopOver(out.size), PadLoop<T>, context.ViewOf<T>(x), out, mirror);
    });
  }
};

template <class T>
class MirrorPadGrad final : public GpuKernel {
 public:
  explicit MirrorPadGrad(const Node&) {}
  void Run(GpuContext& context) override {
    const Tensor dy = context.input(0);
    const Shape shape = MirroredShape(context);
    Require(shape.elements() > 0, "nothing is left between the paddings of the shape ", dy.shape().ToString());
    const Mirror mirror = MirrorOf(context, shape);
    if (shape == dy.shape()) return context.SetOutput(0, dy);  // R31
    Tensor sum = context.AllocateOutput(0, shape);
    const Global<T> out = context.ViewOf<T>(sum);
    int images = 1;
    for (int axis = 0; axis < shape.rank(); ++axis) images *= 3;
    Launch(context.stream(), LoopOver(out.size), SumLoop<T>, context.ViewOf<T>(dy), out, mirror, images);
  }
};

constexpr GpuKernelRow kRows[] = {
    {"MirrorPad", Make<MirrorPad>},
    {"MirrorPadGrad", MakeForType<MirrorPadGrad, Floats>},
};

}  // namespace

std::span<const GpuKernelRow> ArrayMirrorPad() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE

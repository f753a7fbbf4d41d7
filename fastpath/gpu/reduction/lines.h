// Steps from element to element along an axis, whose number lies in the device's memory: what running sums and their
// like are made of. A step says where it starts, kStart<V>, and what it makes of the running value and the next number;
// one that is not associative up to rounding says kGoesInTurn.
#pragma once

#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/team.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/lib/walk.h"
#include "fastpath/gpu/lib/words.h"

namespace plumb::fast::GPU_NAMESPACE {

// A tensor's dimensions, for a kernel that finds out which one is walked along.
struct Lines {
  int rank = 0;
  int64_t dim[kMostAxes] = {};
  bool is_exclusive = false, is_reverse = false;
};

// Element k of a line, in the order in which the line is walked.
struct Line {
  int64_t first = 0, size = 0, inner = 0;
  bool is_reverse = false;
  PLUMB_GPU_INLINE int64_t At(int64_t k) const { return first + (is_reverse ? size - 1 - k : k) * inner; }
};

template <class T, class Step>
PLUMB_GPU_INLINE void WalkAlone(Global<const T> x, Global<T> y, const Line& line, bool is_exclusive) {
  using V = typename Computed<T>::Type;
  V running = Step::template kStart<V>;
  for (int64_t k = 0; k < line.size; ++k) {
    const V with = Step()(running, Computed<T>::Load(x[line.At(k)]));
    y[line.At(k)] = Computed<T>::Store(is_exclusive ? running : with);
    running = with;
  }
}

// Whether a step says that every line is to be walked in its order.
template <class Step>
inline constexpr bool kGoesInTurn = requires {
  Step::kGoesInTurn;
};

// The lanes of a warp take 32 neighbours at a time.
template <class T, class Step>
PLUMB_GPU_INLINE void WalkTogether(Global<const T> x, Global<T> y, const Line& line, bool is_exclusive) {
  using V = typename Computed<T>::Type;
  const int lane = ThreadNumber() % kLanesOfWarp;
  V carried = Step::template kStart<V>;
  for (int64_t begin = 0; begin < line.size; begin += kLanesOfWarp) {
    const int64_t k = begin + lane;
    V own = k < line.size ? V(Computed<T>::Load(x[line.At(k)])) : Step::template kStart<V>;
    for (int distance = 1; distance < kLanesOfWarp; distance *= 2) {
      const V before = ShuffleFrom(own, lane - distance);
      if (lane >= distance) own = Step()(before, own);
    }
    const V with = Step()(carried, own), without = ShuffleFrom(with, lane - 1);
    if (k < line.size) y[line.At(k)] = Computed<T>::Store(!is_exclusive ? with : lane == 0 ? carried : without);
    carried = ShuffleFrom(with, kLanesOfWarp - 1);
  }
}

// Lines whose elements are neighbours are walked by warps, if their order allows it, others by a thread each. The slot
// gets 1 for an axis that the tensor does not have.
template <class T, class Axis, class Step>
PLUMB_GPU_KERNEL WalkLines(Global<const T> x, Global<const Axis> axes, Global<T> y, Lines lines, Global<int64_t> slot) {
  int64_t axis = axes[0];
  if (axis < 0) axis += lines.rank;
  if (axis < 0 || axis >= lines.rank) {
    if (First() == 0) AtomicCas(slot[0], int64_t{0}, int64_t{1});
    return;
  }
  Line line{0, lines.dim[axis], 1, lines.is_reverse};
  for (int64_t i = axis + 1; i < lines.rank; ++i) line.inner *= lines.dim[i];
  const bool is_together = !kGoesInTurn<Step> && line.inner < kLanesOfWarp;
  const int64_t count = y.size / line.size, lanes = is_together ? kLanesOfWarp : 1;
  for (int64_t i = First() / lanes; i < count; i += Stride() / lanes) {
    line.first = i / line.inner * line.size * line.inner + i % line.inner;
    if (lanes == 1) {
      WalkAlone<T, Step>(x, y, line, lines.is_exclusive);
    } else {
      WalkTogether<T, Step>(x, y, line, lines.is_exclusive);
    }
  }
}

template <class T, class Step>
class Cumulative final : public GpuKernel {
 public:
  explicit Cumulative(const Node& node)
      : exclusive_(GetAttr<bool>(node.attrs, "exclusive")), reverse_(GetAttr<bool>(node.attrs, "reverse")) {}
  void Run(GpuContext& context) override {
    Require(context.input(1).rank() == 0, "the axis must be a scalar, not of shape ",
            context.input(1).shape().ToString());
    if (context.input(1).dtype() == DType::kInt32) return RunAs<int32_t>(context);
    RunAs<int64_t>(context);
  }

 private:
  template <class Axis>
  void RunAs(GpuContext& context) const {
    const Shape shape = context.input(0).shape();
    if (shape.rank() > kMostAxes) throw Unimplemented("a GPU walks through at most ", kMostAxes, " axes");
    Lines lines;
    lines.rank = shape.rank();
    lines.is_exclusive = exclusive_;
    lines.is_reverse = reverse_;
    for (int i = 0; i < shape.rank(); ++i) lines.dim[i] = shape[i];
    Tensor y = context.AllocateOutput(0, shape);
    if (y.elements() == 0) return;
    const Global<int64_t> slot = context.NewSlot([rank = shape.rank()](int64_t) {
      return Status(Code::kInvalidArgument, Str("the axis is not one of ", rank, " axes"));
    });
    GridSize grid = LoopOver(y.elements());
    grid.has_barriers = true;
    Launch(context.stream(), grid, WalkLines<T, Axis, Step>, context.In<T>(0), context.In<Axis>(1),
           context.ViewOf<T>(y), lines, slot);
  }

  const bool exclusive_, reverse_;
};

}  // namespace plumb::fast::GPU_NAMESPACE

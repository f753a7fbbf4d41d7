// Roll: a tensor moved along its axes, round their ends. How far is known on the device only.
#include "fastpath/gpu/lib/axes.h"
#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/lib/walk.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

struct Sides {
  int rank = 0;
  int64_t size[kMostAxes] = {};
};

// moved[axis]: how far the axis moves, from 0 to its size. One thread; the slot gets the number of an axis that there
// is not, plus 1.
template <class Shift, class Axis>
PLUMB_GPU_KERNEL AddShifts(Global<const Shift> shifts, Global<const Axis> axes, Sides sides, Global<int64_t> moved,
                           Global<int64_t> slot) {
  for (int axis = 0; axis < sides.rank; ++axis) moved[axis] = 0;
  for (int64_t i = 0; i < axes.size; ++i) {
    const int64_t given = axes[i], axis = given < 0 ? given + sides.rank : given;
    if (axis < 0 || axis >= sides.rank) {
      AtomicCas(slot[0], int64_t{0}, i + 1);
      continue;
    }
    const int64_t shift = shifts[i], size = sides.size[axis] < 1 ? 1 : sides.size[axis];
    moved[axis] = (moved[axis] + shift % size + size) % size;
  }
}

template <class T>
PLUMB_GPU_KERNEL RollLoop(Global<const T> x, Sides sides, Global<const int64_t> moved, Global<T> y) {
  for (int64_t i = First(); i < y.size; i += Stride()) {
    int64_t rest = i, from = 0, step = 1;
    for (int axis = sides.rank - 1; axis >= 0; --axis) {
      const int64_t size = sides.size[axis], at = rest % size - moved[axis];
      from += (at < 0 ? at + size : at) * step;
      rest /= size;
      step *= size;
    }
    y[i] = x[from];
  }
}

class Roll final : public GpuKernel {
 public:
  explicit Roll(const Node&) {}
  void Run(GpuContext& context) override {
    const Tensor x = context.input(0), shift = context.input(1), axes = context.input(2);
    Require(shift.rank() <= 1 && shift.shape() == axes.shape(),
            "shift and axis must be scalars, or vectors of the same size, not of shapes ", shift.shape().ToString(),
            " and ", axes.shape().ToString());
    Sides sides;
    sides.rank = x.rank();
    for (int axis = 0; axis < x.rank(); ++axis) sides.size[axis] = x.dim(axis);
    Tensor moved = context.Scratch(DType::kInt64, Shape({x.rank()}));
    QueueShifts(context, sides, moved);
    Tensor y = context.AllocateOutput(0, x.shape());
    ForSizeOf(context.node(), x.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::Type;
      Launch(context.stream(), LoopOver(y.elements()), RollLoop<T>, context.ViewOf<T>(x), sides,
             context.ViewOf<int64_t>(moved), context.ViewOf<T>(y));
    });
  }

 private:
  static void QueueShifts(GpuContext& context, const Sides& sides, Tensor& moved) {
    const Node& node = context.node();
    const Global<int64_t> slot = context.NewSlot([rank = sides.rank](int64_t number) {
      return Status(Code::kInvalidArgument, Str("axis[", number - 1, "] is not one of ", rank, " axes"));
    });
    using Numbers = TypeList<int32_t, int64_t>;
    ForType(node, node.input_types[1], Numbers(), [&](auto shift) {
      using Shift = typename decltype(shift)::Type;
      return ForType(node, node.input_types[2], Numbers(), [&](auto axis) {
        using Axis = typename decltype(axis)::Type;
        Launch(context.stream(), GridSize{1, 1, false}, AddShifts<Shift, Axis>, context.In<Shift>(1),
               context.In<Axis>(2), sides, context.ViewOf<int64_t>(moved), slot);
        return true;
      });
    });
  }
};

constexpr GpuKernelRow kRows[] = {
    {"Roll", Make<Roll>},
};

}  // namespace

std::span<const GpuKernelRow> ArrayRoll() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE

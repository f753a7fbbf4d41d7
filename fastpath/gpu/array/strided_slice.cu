// StridedSlice, its gradient, and slices replaced: of tensors, and of variables (R28).
#include "fastpath/formulas/array/strided_slice_spec.h"
#include "fastpath/gpu/lib/owned_copy.h"
#include "fastpath/gpu/lib/strided_copy.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/lib/variables/variable_kernel.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// The way through what a slice selects of a tensor of this shape, from `first` on, beside the packed result.
struct SelectedWalk {
  Walk walk;
  int64_t first = 0;
};
SelectedWalk WalkThrough(const Shape& shape, const SliceSpec& spec, bool packs) {
  SelectedWalk selected;
  int64_t packed = 1, packed_stride[kMaxRank];
  for (int axis = spec.rank - 1; axis >= 0; --axis) {
    packed_stride[axis] = packed;
    packed *= spec.axes[axis].size;
  }
  for (int axis = 0; packed > 0 && axis < spec.rank; ++axis) {
    const SliceAxis& taken = spec.axes[axis];
    const int64_t step = StrideAlong(shape, axis);
    selected.first += taken.begin * step;
    // The stride of an axis with one element is never used, and could overflow.
    const int64_t stride = taken.size > 1 ? taken.stride * step : 0;
    AddAxis(selected.walk, taken.size, packs ? stride : packed_stride[axis], packs ? packed_stride[axis] : stride);
  }
  return selected;
}

class StridedSlice final : public GpuKernel {
 public:
  explicit StridedSlice(const Node& node) : masks_(node) {}
  void Run(GpuContext& context) override {
    const Tensor x = context.input(0);
    SliceSpec spec;
    MakeSliceSpec(x.shape(), context.input(1), context.input(2), context.input(3), masks_, spec);
    if (spec.whole && spec.by_one) return context.SetOutput(0, x.Reshaped(spec.result));  // R31
    if (spec.whole) return SetUnaliased(context, 0, x, spec.result);
    if (spec.takes_rows && SharesSlice(x, spec.axes[0].begin, spec.axes[0].size)) {  // R31
      return context.SetOutput(0, x.Rows(spec.axes[0].begin, spec.axes[0].size).Reshaped(spec.result));
    }
    Tensor out = context.AllocateOutput(0, spec.result);
    if (out.elements() == 0) return;
    const SelectedWalk selected = WalkThrough(x.shape(), spec, /*packs=*/true);
    CopyAlong(context, selected.walk, x, selected.first, out, 0);
  }

 private:
  const StridedSliceMasks masks_;
};

// The slice's gradient put where the slice was taken from; zeros elsewhere.
class StridedSliceGrad final : public GpuKernel {
 public:
  explicit StridedSliceGrad(const Node& node) : masks_(node) {}
  void Run(GpuContext& context) override {
    const Tensor dy = context.input(4);
    Require(context.input(0).rank() == 1, "the shape must be a vector, not of shape ",
            context.input(0).shape().ToString());
    const Shape shape(ToInt64s(context.input(0)));
    SliceSpec spec;
    MakeSliceSpec(shape, context.input(1), context.input(2), context.input(3), masks_, spec);
    Require(dy.shape() == spec.result, "the gradient's shape ", dy.shape().ToString(), " is not that of the slice, ",
            spec.result.ToString());
    if (spec.whole) return SetUnaliased(context, 0, dy, shape);
    Tensor out = context.AllocateOutput(0, shape);
    context.Clear(out);
    if (dy.elements() == 0) return;
    const SelectedWalk selected = WalkThrough(shape, spec, /*packs=*/false);
    CopyAlong(context, selected.walk, dy, 0, out, selected.first);
  }

 private:
  const StridedSliceMasks masks_;
};

// Queues a value that fits the slice, broadcast, into the place of what is selected of `whole`.
void Replace(GpuContext& context, const SliceSpec& spec, const Tensor& value, Tensor& whole) {
  Tensor fitted = value;
  if (value.shape() != spec.result) {
    fitted = context.Scratch(value.dtype(), spec.result);
    CopyAlong(context, BroadcastWalk(value.shape(), spec.result, spec.result), value, 0, fitted, 0);
  }
  const SelectedWalk selected = WalkThrough(whole.shape(), spec, /*packs=*/false);
  CopyAlong(context, selected.walk, fitted, 0, whole, selected.first);
}

class TensorStridedSliceUpdate final : public GpuKernel {
 public:
  explicit TensorStridedSliceUpdate(const Node& node) : masks_(node) {}
  void Run(GpuContext& context) override {
    const Shape shape = context.input(0).shape();
    SliceSpec spec;
    MakeSliceSpec(shape, context.input(1), context.input(2), context.input(3), masks_, spec);
    if (TakesNothing(spec)) return SetUnaliased(context, 0, context.input(0), shape);
    RequireFitsSlice(context.input(4).shape(), spec.result);
    Tensor out = OwnedCopy(context, 0, 0);
    Replace(context, spec, context.input(4), out);
  }

 private:
  const StridedSliceMasks masks_;
};

class StridedSliceAssign final : public VariableKernel {
 public:
  explicit StridedSliceAssign(const Node& node) : VariableKernel(node), masks_(node) {}

 private:
  void RunInside(GpuContext& context, Variable& variable) override {
    context.kernel().Unalias(4);  // it may be a slice of this very variable
    if (is_resource()) {
      bool is_empty = false;
      variable.ReadRows(node_, [&](const Tensor& now) {
        RequireType(now.dtype(), context.input(4).dtype());
        SliceSpec spec;
        is_empty = TakesNothing(SpecOf(context, now.shape(), spec));
      });
      if (is_empty) return;
    }
    VariableUpdate update(node_, variable);
    SliceSpec spec;
    if (TakesNothing(SpecOf(context, update.Value().shape(), spec))) return;
    RequireFitsSlice(context.input(4).shape(), spec.result);
    Replace(context, spec, context.input(4), update.Writable(0, Access::kSomeRows));
  }

  const SliceSpec& SpecOf(const GpuContext& context, const Shape& shape, SliceSpec& spec) const {
    MakeSliceSpec(shape, context.input(1), context.input(2), context.input(3), masks_, spec);
    return spec;
  }

  const StridedSliceMasks masks_;
};

constexpr GpuKernelRow kRows[] = {
    {"StridedSlice", Make<StridedSlice>},
    {"StridedSliceGrad", Make<StridedSliceGrad>},
    {"TensorStridedSliceUpdate", Make<TensorStridedSliceUpdate>},
    {"StridedSliceAssign", Make<StridedSliceAssign>},
    {"ResourceStridedSliceAssign", Make<StridedSliceAssign>},
};

}  // namespace

std::span<const GpuKernelRow> ArrayStridedSlice() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE

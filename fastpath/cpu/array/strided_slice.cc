// StridedSlice, its gradient, and slices of variables replaced.
#include <optional>

#include "fastpath/cpu/lib/broadcast_copy.h"
#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/owned_copy.h"
#include "fastpath/cpu/lib/rows.h"
#include "fastpath/cpu/lib/state/resource_kernel.h"
#include "fastpath/cpu/lib/strided_copy.h"
#include "fastpath/device/kernel.h"
#include "fastpath/formulas/array/strided_slice_spec.h"

namespace plumb::fast::cpu {
namespace {

// The box that a slice selects of a tensor, as loops over it (outermost first, `dense` being the packed result), and
// where it begins.
struct Box {
  int64_t offset = 0;
  int64_t sliced_stride[kMaxRank];
  int64_t dense_stride[kMaxRank];

  Box(const Shape& shape, const SliceSpec& spec) {
    int64_t step = 1, dense = 1;
    for (int axis = spec.rank - 1; axis >= 0; --axis) {
      offset += spec.axes[axis].begin * step;
      // The stride of an axis with one element is never used, and could overflow.
      sliced_stride[axis] = spec.axes[axis].size > 1 ? spec.axes[axis].stride * step : 0;
      dense_stride[axis] = dense;
      step *= shape[axis];
      dense *= spec.axes[axis].size;
    }
  }
};

class StridedSlice final : public Kernel {
 public:
  explicit StridedSlice(const Node& node) : type_(InputType(node, 0)), masks_(node) {}
  void Run(KernelContext& context) override {
    const Tensor& input = context.input(0);
    SliceSpec spec;
    MakeSliceSpec(input.shape(), context.input(1), context.input(2), context.input(3), masks_, spec);
    if (spec.whole) {
      const Tensor& whole = spec.by_one ? input : Unaliased(input);
      return context.SetOutput(0, whole.Reshaped(std::move(spec.result)));
    }
    if (spec.takes_rows && SharesSlice(input, spec.axes[0].begin, spec.axes[0].size)) {  // R31
      const Tensor rows = input.Rows(spec.axes[0].begin, spec.axes[0].size);
      return context.SetOutput(0, rows.Reshaped(std::move(spec.result)));
    }
    context.CopyGuarded(0);
    Tensor& output = context.AllocateOutput(0, type_, spec.result);
    if (output.elements() == 0) return;
    const Box box(input.shape(), spec);
    CopyPlan plan;
    for (int axis = 0; axis < spec.rank; ++axis) {
      plan.Append(spec.axes[axis].size, box.sliced_stride[axis], box.dense_stride[axis]);
    }
    CopyStrided(context.pool(), type_, plan, At(input.raw(), type_, box.offset), output.mutable_raw());
  }
  bool KeepsAliases() const override { return true; }

 private:
  DType type_;
  StridedSliceMasks masks_;
};

// The slice's gradient put where the slice was taken from; zeros elsewhere.
class StridedSliceGrad final : public Kernel {
 public:
  explicit StridedSliceGrad(const Node& node) : type_(InputType(node, 4)), masks_(node) {}
  void Run(KernelContext& context) override {
    const Tensor &wanted = context.input(0), &dy = context.input(4);
    Require(wanted.rank() == 1, "the shape must be a vector, not of shape ", wanted.shape().ToString());
    Dims dims;
    for (int64_t i = 0; i < wanted.elements(); ++i) dims.Append(IntAt(wanted, i));
    const Shape shape = dims.ToShape();
    SliceSpec spec;
    MakeSliceSpec(shape, context.input(1), context.input(2), context.input(3), masks_, spec);
    Require(dy.shape() == spec.result, "the gradient's shape ", dy.shape().ToString(), " is not that of the slice, ",
            spec.result.ToString());
    if (spec.whole) return context.SetOutput(0, Unaliased(dy).Reshaped(shape));
    Tensor& output = context.AllocateOutput(0, type_, shape);
    FillZero(context.pool(), output);
    if (dy.elements() == 0) return;
    const Box box(shape, spec);
    CopyPlan plan;
    for (int axis = 0; axis < spec.rank; ++axis) {
      plan.Append(spec.axes[axis].size, box.dense_stride[axis], box.sliced_stride[axis]);
    }
    CopyStrided(context.pool(), type_, plan, dy.raw(), At(output.mutable_raw(), type_, box.offset));
  }

 private:
  DType type_;
  StridedSliceMasks masks_;
};

// R28: a slice that a value replaces.
class SliceTarget {
 public:
  explicit SliceTarget(const Node& node) : masks_(node) {}

  // Null where the slice takes no element, whatever the value is then.
  std::optional<SliceSpec> Find(KernelContext& context, const Shape& shape) const {
    std::optional<SliceSpec> found(std::in_place);
    MakeSliceSpec(shape, context.input(1), context.input(2), context.input(3), masks_, *found);
    if (TakesNothing(*found)) return std::nullopt;
    return found;
  }

  // The value broadcast to the slice; dimensions of 1 before those of the slice are none.
  Tensor Fitted(ThreadPool& pool, const SliceSpec& spec, const Tensor& value) const {
    if (value.shape() == spec.result) return value;
    RequireFitsSlice(value.shape(), spec.result);
    Tensor result = Allocate(value.dtype(), spec.result);
    CopyBroadcast(pool, value, result);
    return result;
  }

  // Puts a value that has the slice's shape there.
  static void Replace(ThreadPool& pool, const SliceSpec& spec, const Tensor& value, Tensor& whole) {
    const Box box(whole.shape(), spec);
    CopyPlan plan;
    for (int axis = 0; axis < spec.rank; ++axis) {
      plan.Append(spec.axes[axis].size, box.dense_stride[axis], box.sliced_stride[axis]);
    }
    CopyStrided(pool, value.dtype(), plan, value.raw(), At(whole.mutable_raw(), value.dtype(), box.offset));
  }

  void ReplaceIn(KernelContext& context, VariableUpdate& update, const Tensor& value) const {
    const auto spec = Find(context, update.Value().shape());
    if (!spec) return;
    const Tensor fitted = Fitted(context.pool(), *spec, value);
    Replace(context.pool(), *spec, fitted, update.Writable(0, Access::kSomeRows));
  }

 private:
  const StridedSliceMasks masks_;
};

class TensorStridedSliceUpdate final : public Kernel {
 public:
  explicit TensorStridedSliceUpdate(const Node& node) : target_(node) {}
  void Run(KernelContext& context) override {
    const auto spec = target_.Find(context, context.input(0).shape());
    const Tensor value = Unaliased(context.input(4));
    if (!spec) return context.SetOutput(0, Unaliased(context.input(0)));
    const Tensor fitted = target_.Fitted(context.pool(), *spec, value);
    SliceTarget::Replace(context.pool(), *spec, fitted, OwnedCopy(context, 0, 0));
  }

 private:
  const SliceTarget target_;
};

class StridedSliceAssign final : public Kernel {
 public:
  explicit StridedSliceAssign(const Node& node) : node_(node.name), target_(node) {}
  void Run(KernelContext& context) override {
    const Tensor value = Unaliased(context.input(4));
    {
      VariableUpdate update(node_, context.ref(0));
      target_.ReplaceIn(context, update, value);
    }
    context.SetOutputRef(0, context.shared_ref(0));
  }

 private:
  const std::string node_;
  const SliceTarget target_;
};

class ResourceStridedSliceAssign final : public ResourceKernel {
 public:
  explicit ResourceStridedSliceAssign(const Node& node) : ResourceKernel(node), target_(node) {}
  void Run(KernelContext& context) override {
    const Tensor value = Unaliased(context.input(4));
    const auto variable = Existing(context);
    RequireType(variable->dtype(), value.dtype());
    bool is_empty = false;
    variable->ReadRows(node_, [&](const Tensor& now) { is_empty = !target_.Find(context, now.shape()); });
    if (is_empty) return;
    VariableUpdate update(node_, *variable);
    target_.ReplaceIn(context, update, value);
  }

 private:
  const SliceTarget target_;
};

constexpr KernelRow kRows[] = {
    {"StridedSlice", Make<StridedSlice>},
    {"StridedSliceGrad", Make<StridedSliceGrad>},
    {"TensorStridedSliceUpdate", Make<TensorStridedSliceUpdate>},
    {"StridedSliceAssign", Make<StridedSliceAssign>},
    {"ResourceStridedSliceAssign", Make<ResourceStridedSliceAssign>},
};

}  // namespace

std::span<const KernelRow> ArrayStridedSlice() { return kRows; }

}  // namespace plumb::fast::cpu

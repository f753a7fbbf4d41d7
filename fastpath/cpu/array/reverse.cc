// Axes turned round, as a whole or in part.
#include <algorithm>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/strided_copy.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

constexpr int kMaxDimensions = 8;

// What ReverseV2 and Reverse do once they know the axes.
class ReverseKernel : public Kernel {
 public:
  explicit ReverseKernel(const Node& node) : type_(InputType(node, 0)) {}
  bool KeepsAliases() const override { return true; }

 protected:
  void Turn(KernelContext& context, const bool* reversed) const {
    const Tensor& x = context.input(0);
    if (x.rank() > kMaxDimensions) {  // T9
      throw Unimplemented("a tensor of rank ", x.rank(), " is not reversed; the limit is ", kMaxDimensions);
    }
    context.CopyGuarded(0);
    if (x.elements() <= 1 || std::none_of(reversed, reversed + x.rank(), [](bool is) { return is; })) {
      context.SetOutput(0, Unaliased(x));
      return;
    }
    Tensor& output = context.AllocateOutput(0, type_, x.shape());
    const Strides strides(x.shape());
    CopyPlan plan;
    int64_t start = 0;
    for (int axis = 0; axis < x.rank(); ++axis) {
      if (reversed[axis]) start += (x.dim(axis) - 1) * strides[axis];
      plan.Append(x.dim(axis), reversed[axis] ? -strides[axis] : strides[axis], strides[axis]);
    }
    CopyStrided(context.pool(), type_, plan, At(x.raw(), type_, start), output.mutable_raw());
  }

 private:
  DType type_;
};

class ReverseV2 final : public ReverseKernel {
 public:
  using ReverseKernel::ReverseKernel;
  void Run(KernelContext& context) override {
    context.Unalias(1);
    const Tensor &x = context.input(0), &axes = context.input(1);
    if (x.rank() == 0 || x.elements() == 0) {  // R31: nothing can move, and the axes are not looked at
      context.SetOutput(0, x);
      return;
    }
    Require(axes.rank() == 1, "axis must be a vector, not of shape ", axes.shape().ToString());
    bool reversed[kMaxRank] = {};
    for (int64_t i = 0; i < axes.elements(); ++i) {
      const int axis = NormalizeAxis(IntAt(axes, i), x.rank());
      Require(!reversed[axis], "axis ", axis, " is named twice");
      reversed[axis] = true;
    }
    Turn(context, reversed);
  }
};

class Reverse final : public ReverseKernel {
 public:
  using ReverseKernel::ReverseKernel;
  void Run(KernelContext& context) override {
    context.Unalias(1);
    const Tensor &x = context.input(0), &dims = context.input(1);
    if (x.rank() == 0) return context.SetOutput(0, x);  // R31
    Require(x.dim(0) > 0, "the tensor has no entry along its first dimension: ", x.shape().ToString());
    Require(dims.rank() == 1 && dims.dim(0) == x.rank(), "dims must say of each dimension of ", x.shape().ToString(),
            " whether it is reversed, not have the shape ", dims.shape().ToString());
    Turn(context, dims.data<bool>().data());
  }
};

// The first seq_lengths[b] entries of each batch entry b reversed along seq_dim, the others as they are.
class ReverseSequence final : public Kernel {
 public:
  explicit ReverseSequence(const Node& node)
      : type_(InputType(node, 0)),
        seq_dim_(GetAttr<int64_t>(node.attrs, "seq_dim")),
        batch_dim_(GetAttrOr<int64_t>(node.attrs, "batch_dim", 0)) {}

  void Run(KernelContext& context) override {
    const Tensor &x = context.input(0), &lengths = context.input(1);
    Require(seq_dim_ >= 0 && seq_dim_ < x.rank() && batch_dim_ >= 0 && batch_dim_ < x.rank(), "seq_dim ", seq_dim_,
            " and batch_dim ", batch_dim_, " must be dimensions of ", x.shape().ToString());
    Require(seq_dim_ != batch_dim_, "seq_dim and batch_dim must differ, and are both ", seq_dim_);
    const int seq = static_cast<int>(seq_dim_), batch = static_cast<int>(batch_dim_);
    Require(lengths.rank() == 1 && lengths.elements() == x.dim(batch), "seq_lengths must hold ", x.dim(batch),
            " lengths, not have the shape ", lengths.shape().ToString());
    for (int64_t b = 0; b < lengths.elements(); ++b) {
      const int64_t length = IntAt(lengths, b);
      Require(length >= 0 && length <= x.dim(seq), "seq_lengths[", b, "] = ", length, " is not in [0, ", x.dim(seq),
              "]");
    }
    Tensor& output = context.AllocateOutput(0, type_, x.shape());
    if (x.elements() == 0) return;
    const Strides strides(x.shape());
    for (int64_t b = 0; b < x.dim(batch); ++b) {
      const int64_t length = IntAt(lengths, b), offset = b * strides[batch];
      const int64_t end = offset + length * strides[seq];
      CopySteps(context, strides, length, offset + std::max<int64_t>(0, length - 1) * strides[seq], -1, offset, output);
      CopySteps(context, strides, x.dim(seq) - length, end, 1, end, output);
    }
  }

 private:
  // `steps` entries along seq_dim of one batch entry, forwards (direction 1) or backwards (-1).
  void CopySteps(KernelContext& context, const Strides& strides, int64_t steps, int64_t from, int64_t direction,
                 int64_t to, Tensor& output) const {
    if (steps == 0) return;
    const Tensor& x = context.input(0);
    CopyPlan plan;
    for (int axis = 0; axis < x.rank(); ++axis) {
      if (axis == batch_dim_) continue;
      const bool is_seq = axis == seq_dim_;
      plan.Append(is_seq ? steps : x.dim(axis), is_seq ? direction * strides[axis] : strides[axis], strides[axis]);
    }
    CopyStrided(context.pool(), type_, plan, At(x.raw(), type_, from), At(output.mutable_raw(), type_, to));
  }

  DType type_;
  int64_t seq_dim_;
  int64_t batch_dim_;
};

constexpr KernelRow kRows[] = {
    {"Reverse", Make<Reverse>},
    {"ReverseV2", Make<ReverseV2>},
    {"ReverseSequence", Make<ReverseSequence>},
};

}  // namespace

std::span<const KernelRow> ArrayReverse() { return kRows; }

}  // namespace plumb::fast::cpu

// Values under another shape, which share their buffer.
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

// The dimensions asked for, where at most one is -1: whatever makes the element count right.
Shape ReshapeTarget(const Tensor& input, const Tensor& wanted) {
  Require(wanted.rank() <= 1, "a shape must be a vector, not of shape ", wanted.shape().ToString());
  Dims dims;
  int unknown = -1;
  bool wants_zero = false;
  int64_t known = 1;
  for (int64_t i = 0; i < wanted.elements(); ++i) {
    const int64_t size = IntAt(wanted, i);
    Require(size >= -1, "dimension ", i, " of a shape is ", size, "; it must be at least -1");
    Require(size != -1 || unknown < 0, "only one dimension of a shape may be -1, not ", unknown, " and ", i);
    if (size == -1) unknown = static_cast<int>(i);
    if (size == 0) wants_zero = true;
    dims.Append(size == -1 ? 1 : size);
    if (size <= 0) continue;
    const auto product = CheckedMultiply(known, size);
    Require(product.has_value(), "the shape asked for has too many elements");
    known = *product;
  }
  if (unknown >= 0) {
    // Where both sides have an empty dimension, the others still settle the unknown one.
    int64_t elements = 1;
    bool has_zero = false;
    for (const int64_t size : input.shape().dims()) {
      if (size == 0 && wants_zero) {
        has_zero = true;
      } else {
        const auto product = CheckedMultiply(elements, size);
        Require(product.has_value(), "the input's dimensions are too large to infer another one from");
        elements = *product;
      }
    }
    dims[unknown] = elements / known;
    Require(has_zero || dims[unknown] * known == elements, "a tensor of ", input.elements(),
            " elements cannot be cut into pieces of ", known);
  }
  return dims.ToShape();
}

class Reshape final : public Kernel {
 public:
  explicit Reshape(const Node&) {}
  void Run(KernelContext& context) override {
    const Tensor& input = context.input(0);
    context.SetOutput(0, input.Reshaped(ReshapeTarget(input, context.input(1))));
  }
  bool KeepsAliases() const override { return true; }
};

// The range goes along, as scalars of its own.
class QuantizedReshape final : public Kernel {
 public:
  explicit QuantizedReshape(const Node&) {}
  void Run(KernelContext& context) override {
    const Tensor& input = context.input(0);
    context.SetOutput(0, input.Reshaped(ReshapeTarget(input, context.input(1))));
    for (const int i : {2, 3}) {
      context.CopyGuarded(i);
      const Tensor& end = context.input(i);
      Require(end.rank() <= 1 && end.elements() == 1, "a range must be scalars or vectors of one, not of shape ",
              end.shape().ToString());
      *context.AllocateOutput(i - 1, DType::kFloat, {}).mutable_data<float>().data() = *end.data<float>().data();
    }
  }
  bool KeepsAliases() const override { return true; }
};

class ExpandDims final : public Kernel {
 public:
  explicit ExpandDims(const Node&) {}
  void Run(KernelContext& context) override {
    const Tensor& input = context.input(0);
    const int axis = NormalizeAxis(ScalarInt(context.input(1), "dim"), input.rank() + 1, "dim");
    Dims dims;
    for (int i = 0; i <= input.rank(); ++i) {
      if (i == axis) dims.Append(1);
      if (i < input.rank()) dims.Append(input.dim(i));
    }
    context.SetOutput(0, input.Reshaped(dims.ToShape()));
  }
  bool KeepsAliases() const override { return true; }
};

class Squeeze final : public Kernel {
 public:
  explicit Squeeze(const Node& node) {
    const auto found = node.attrs.find("squeeze_dims");
    if (found == node.attrs.end()) return;
    if (const auto* axes = found->second.Get<std::vector<int64_t>>()) axes_ = *axes;
  }
  void Run(KernelContext& context) override {
    const Tensor& input = context.input(0);
    bool named[kMaxRank] = {};
    for (const int64_t axis : axes_) named[NormalizeAxis(axis, input.rank(), "squeeze dimension")] = true;
    Dims dims;
    for (int axis = 0; axis < input.rank(); ++axis) {
      Require(!named[axis] || input.dim(axis) == 1, "cannot squeeze dimension ", axis, " of size ", input.dim(axis));
      if (axes_.empty() ? input.dim(axis) != 1 : !named[axis]) dims.Append(input.dim(axis));
    }
    context.SetOutput(0, input.Reshaped(dims.ToShape()));
  }
  bool KeepsAliases() const override { return true; }

 private:
  std::vector<int64_t> axes_;
};

constexpr KernelRow kRows[] = {
    {"Reshape", Make<Reshape>},
    {"QuantizedReshape", Make<QuantizedReshape>},
    {"ExpandDims", Make<ExpandDims>},
    {"Squeeze", Make<Squeeze>},
};

}  // namespace

std::span<const KernelRow> ArrayReshape() { return kRows; }

}  // namespace plumb::fast::cpu

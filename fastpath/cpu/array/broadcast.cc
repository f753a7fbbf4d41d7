// Small integer vectors that describe shapes.
#include <vector>

#include "fastpath/cpu/topics.h"
#include "fastpath/cpu/lib/dispatch.h"

namespace plumb::fast::cpu {
namespace {

// Writes integers as int32 or int64.
void SetVector(KernelContext& context, int output, DType type, const std::vector<int64_t>& values) {
  Tensor& tensor = context.AllocateOutput(output, type, Shape({static_cast<int64_t>(values.size())}));
  for (size_t i = 0; i < values.size(); ++i) {
    if (type == DType::kInt64) {
      static_cast<int64_t*>(tensor.mutable_raw())[i] = values[i];
    } else {
      static_cast<int32_t*>(tensor.mutable_raw())[i] = static_cast<int32_t>(values[i]);
    }
  }
}

// Which axes of the broadcast result each operand was repeated along, so that its gradient is summed over them. An axis
// of 1 on both sides counts for both, unless the shapes are equal.
class BroadcastGradientArgs final : public Kernel {
 public:
  explicit BroadcastGradientArgs(const Node& node) : type_(OutputType(node, 0)) {}
  void Run(KernelContext& context) override {
    const Tensor &s0 = context.input(0), &s1 = context.input(1);
    Require(s0.rank() == 1 && s1.rank() == 1, "shapes must be vectors");
    const std::vector<int64_t> x = ToInt64s(s0), y = ToInt64s(s1);
    std::vector<int64_t> x_axes, y_axes;
    if (x != y) {
      const size_t rank = std::max(x.size(), y.size());
      for (size_t axis = 0; axis < rank; ++axis) {
        const int64_t a = axis + x.size() < rank ? 1 : x[axis + x.size() - rank];
        const int64_t b = axis + y.size() < rank ? 1 : y[axis + y.size() - rank];
        Require(a == b || a == 1 || b == 1, "incompatible shapes: ", a, " against ", b, " in dimension ", axis);
        if (a == 1) x_axes.push_back(static_cast<int64_t>(axis));
        if (b == 1) y_axes.push_back(static_cast<int64_t>(axis));
      }
    }
    SetVector(context, 0, type_, x_axes);
    SetVector(context, 1, type_, y_axes);
  }

 private:
  DType type_;
};

// Where each of the shapes begins when they are concatenated.
class ConcatOffset final : public Kernel {
 public:
  explicit ConcatOffset(const Node&) {}
  void Run(KernelContext& context) override {
    const Tensor& first = context.input(1);
    Require(context.input(0).rank() == 0, "the concatenation dimension must be a scalar");
    Require(first.rank() == 1, "a shape must be a vector, not of shape ", first.shape().ToString());
    const int rank = static_cast<int>(std::min<int64_t>(first.elements(), kMaxRank));
    const int concat = NormalizeAxis(IntAt(context.input(0), 0), rank, "the concatenation dimension");
    int64_t offset = 0;
    for (int i = 1; i < context.num_inputs(); ++i) {
      const Tensor& shape = context.input(i);
      Require(shape.shape() == first.shape(), "shape ", i - 1, " has ", shape.elements(), " dimensions, the first has ",
              first.elements());
      for (int64_t axis = 0; axis < first.elements(); ++axis) {
        Require(axis == concat || IntAt(shape, axis) == IntAt(first, axis), "shape ", i - 1,
                " differs from the first in dimension ", axis);
      }
      std::vector<int64_t> offsets(static_cast<size_t>(first.elements()), 0);
      offsets[static_cast<size_t>(concat)] = offset;
      SetVector(context, i - 1, DType::kInt32, offsets);
      offset += IntAt(shape, concat);
    }
  }
};

class InvertPermutation final : public Kernel {
 public:
  explicit InvertPermutation(const Node& node) : type_(OutputType(node, 0)) {}
  void Run(KernelContext& context) override {
    const Tensor& x = context.input(0);
    Require(x.rank() == 1, "a permutation must be a vector, not of shape ", x.shape().ToString());
    std::vector<int64_t> inverse(static_cast<size_t>(x.elements()), -1);
    for (int64_t i = 0; i < x.elements(); ++i) {
      const int64_t to = IntAt(x, i);
      Require(to >= 0 && to < x.elements(), to, " is not in [0, ", x.elements(), ")");
      Require(inverse[static_cast<size_t>(to)] < 0, to, " occurs twice in the permutation");
      inverse[static_cast<size_t>(to)] = i;
    }
    SetVector(context, 0, type_, inverse);
  }

 private:
  DType type_;
};

}  // namespace

std::unique_ptr<Kernel> MakeBroadcastGradientArgs(const Node& node) {
  return std::make_unique<BroadcastGradientArgs>(node);
}
std::unique_ptr<Kernel> MakeConcatOffset(const Node& node) { return std::make_unique<ConcatOffset>(node); }
std::unique_ptr<Kernel> MakeInvertPermutation(const Node& node) { return std::make_unique<InvertPermutation>(node); }

}  // namespace plumb::fast::cpu

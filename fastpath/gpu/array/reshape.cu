// Values under another shape, which share their memory.
#include <algorithm>
#include <vector>

#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// The row's shape rule says the shape, and refuses what has another number of elements.
class Reshaped final : public GpuKernel {
 public:
  explicit Reshaped(const Node&) {}
  void Run(GpuContext& context) override { context.SetOutput(0, context.input(0).Reshaped(context.OutputShape(0))); }
};

int64_t Product(int64_t a, int64_t b) {
  const auto product = CheckedMultiply(a, b);
  Require(product.has_value(), "the shape asked for has too many elements");
  return *product;
}

// The dimensions asked for, of which one may be -1: whatever makes the number of elements right. Where both sides have
// an empty dimension, the others still settle it.
Shape ReshapeTarget(const Shape& from, const Tensor& wanted) {
  Require(wanted.rank() <= 1, "a shape must be a vector, not of shape ", wanted.shape().ToString());
  std::vector<int64_t> dims = ToInt64s(wanted);
  int64_t known = 1, elements = 1;
  for (const int64_t size : dims) known = size > 0 ? Product(known, size) : known;
  const auto open = std::find(dims.begin(), dims.end(), -1);
  if (open == dims.end()) return Shape(dims);
  Require(std::find(open + 1, dims.end(), -1) == dims.end(), "only one dimension of a shape may be -1");
  const bool wants_zero = std::find(dims.begin(), dims.end(), 0) != dims.end();
  bool has_zero = false;
  for (const int64_t size : from.dims()) {
    if (size == 0 && wants_zero) {
      has_zero = true;
    } else {
      elements = Product(elements, size);
    }
  }
  *open = elements / known;
  Require(has_zero || *open * known == elements, "a tensor of ", from.elements(),
          " elements cannot be cut into pieces of ", known);
  return Shape(dims);
}

class Reshape final : public GpuKernel {
 public:
  explicit Reshape(const Node&) {}
  void Run(GpuContext& context) override {
    const Tensor& x = context.input(0);
    context.SetOutput(0, x.Reshaped(ReshapeTarget(x.shape(), context.input(1))));
  }
};

constexpr GpuKernelRow kRows[] = {
    {"Reshape", Make<Reshape>},
    {"ExpandDims", Make<Reshaped>},
    {"Squeeze", Make<Reshaped>},
};

}  // namespace

std::span<const GpuKernelRow> ArrayReshape() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE

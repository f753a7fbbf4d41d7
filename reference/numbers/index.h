// Positions, axes and the whole numbers that say them. Nothing that comes from a value or an attribute is trusted.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "spec/core/tensor.h"

namespace plumb::reference {

// The elements of an integer tensor of rank 1 (a scalar counts as one element); else kInvalidArgument naming `what`.
std::vector<int64_t> IntegersOf(const Tensor& tensor, std::string_view what);
// The one element of an integer tensor: of any rank, or of a scalar only.
int64_t IntegerOf(const Tensor& tensor, std::string_view what);
int64_t ScalarOf(const Tensor& tensor, std::string_view what);
// IntegersOf as a shape: of a tensor of rank 0 or 1, or of a vector only.
Shape ShapeOf(const Tensor& tensor, std::string_view what);
Shape ShapeOfVector(const Tensor& tensor, std::string_view what);

// `axis` counted from the front; kInvalidArgument outside [-rank, rank).
int ResolveAxis(int64_t axis, int rank, std::string_view what);

// Row-major strides: how far apart neighbours along each axis are.
std::vector<int64_t> Strides(const Shape& shape);
// base + Σ coordinate·stride for the elements of `shape`, one after the other in row-major order.
class Walk {
 public:
  Walk(const Shape& shape, std::span<const int64_t> strides, int64_t base = 0)
      : shape_(shape), strides_(strides.begin(), strides.end()), coordinate_(shape.rank(), 0), position_(base) {}
  int64_t position() const { return position_; }
  void Next();

 private:
  Shape shape_;
  std::vector<int64_t> strides_, coordinate_;
  int64_t position_;
};
// The same all at once.
std::vector<int64_t> Positions(const Shape& shape, std::span<const int64_t> strides, int64_t base = 0);

// A shape seen from one axis: outer × size × inner elements.
struct AxisView {
  int64_t outer = 1, size = 1, inner = 1;
};
AxisView ViewAt(const Shape& shape, int axis);

// `shape` with dimension `axis` replaced, inserted or left out.
Shape WithDim(const Shape& shape, int axis, int64_t dim);
Shape WithInserted(const Shape& shape, int axis, int64_t dim);
Shape WithoutAxis(const Shape& shape, int axis);
// Dimensions [from, to) of `shape`.
Shape Subshape(const Shape& shape, int from, int to);
Shape Concatenated(const Shape& a, const Shape& b);

}  // namespace plumb::reference

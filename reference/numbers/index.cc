#include "reference/numbers/index.h"

#include "reference/numbers/numbers_io.h"

namespace plumb::reference {

std::vector<int64_t> IntegersOf(const Tensor& tensor, std::string_view what) {
  Require(tensor.rank() <= 1, what, " must be a vector, not of shape ", tensor.shape().ToString());
  Require(IsInteger(tensor.dtype()), what, " must be whole numbers, not ", DTypeName(tensor.dtype()));
  std::vector<int64_t> integers;
  for (const Integer number : Load<Integer>(tensor).at) integers.push_back(static_cast<int64_t>(number));
  return integers;
}

int64_t IntegerOf(const Tensor& tensor, std::string_view what) {
  Require(tensor.elements() == 1, what, " must be a scalar, not of shape ", tensor.shape().ToString());
  return IntegersOf(tensor.Reshaped(Shape()), what)[0];
}

int64_t ScalarOf(const Tensor& tensor, std::string_view what) {
  Require(tensor.rank() == 0, what, " must be a scalar, not of shape ", tensor.shape().ToString());
  return IntegerOf(tensor, what);
}

Shape ShapeOf(const Tensor& tensor, std::string_view what) { return Shape(IntegersOf(tensor, what)); }

Shape ShapeOfVector(const Tensor& tensor, std::string_view what) {
  Require(tensor.rank() == 1, what, " must be a vector, not of shape ", tensor.shape().ToString());
  return ShapeOf(tensor, what);
}

int ResolveAxis(int64_t axis, int rank, std::string_view what) {
  Require(-rank <= axis && axis < rank, what, " is ", axis, ", but must be in [", -rank, ", ", rank, ")");
  return static_cast<int>(axis < 0 ? axis + rank : axis);
}

std::vector<int64_t> Strides(const Shape& shape) {
  std::vector<int64_t> strides(shape.rank(), 0);
  if (shape.elements() == 0) return strides;
  int64_t stride = 1;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    strides[axis] = stride;
    stride *= shape.dim(axis);
  }
  return strides;
}

void Walk::Next() {  // like an odometer
  for (int axis = shape_.rank() - 1; axis >= 0; --axis) {
    position_ += strides_[axis];
    if (++coordinate_[axis] < shape_.dim(axis)) break;
    position_ -= strides_[axis] * shape_.dim(axis);
    coordinate_[axis] = 0;
  }
}

std::vector<int64_t> Positions(const Shape& shape, std::span<const int64_t> strides, int64_t base) {
  CheckResultSize(shape);
  std::vector<int64_t> positions(shape.elements());
  Walk walk(shape, strides, base);
  for (auto& entry : positions) {
    entry = walk.position();
    walk.Next();
  }
  return positions;
}

AxisView ViewAt(const Shape& shape, int axis) {
  if (shape.elements() == 0) return {0, shape.dim(axis), 0};
  AxisView view{1, shape.dim(axis), 1};
  for (int i = 0; i < shape.rank(); ++i) {
    if (i < axis) view.outer *= shape.dim(i);
    if (i > axis) view.inner *= shape.dim(i);
  }
  return view;
}

Shape WithDim(const Shape& shape, int axis, int64_t dim) {
  auto dims = shape.ToVector();
  dims[axis] = dim;
  return Shape(dims);
}
Shape WithInserted(const Shape& shape, int axis, int64_t dim) {
  auto dims = shape.ToVector();
  dims.insert(dims.begin() + axis, dim);
  return Shape(dims);
}
Shape WithoutAxis(const Shape& shape, int axis) {
  auto dims = shape.ToVector();
  dims.erase(dims.begin() + axis);
  return Shape(dims);
}
Shape Subshape(const Shape& shape, int from, int to) { return Shape(shape.dims().subspan(from, to - from)); }
Shape Concatenated(const Shape& a, const Shape& b) {
  auto dims = a.ToVector();
  dims.insert(dims.end(), b.dims().begin(), b.dims().end());
  return Shape(dims);
}

}  // namespace plumb::reference

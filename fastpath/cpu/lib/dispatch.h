// What kernel factories share: types and attributes of a node, and the error for a type without a kernel.
#pragma once

#include <memory>
#include <string_view>

#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {

inline DType InputType(const Node& node, int i) { return Base(node.input_types.at(i)); }
inline DType OutputType(const Node& node, int i) { return Base(node.output_types.at(i)); }

// kInvalidArgument: this node's types have no kernel here (rule A7).
[[noreturn]] void ThrowNoKernel(const Node& node);

// The factory of a kernel class that is constructed from its node.
template <class K>
std::unique_ptr<Kernel> Make(const Node& node) {
  return std::make_unique<K>(node);
}

// The same for a class that takes `argument` besides.
template <class K, auto argument>
std::unique_ptr<Kernel> MakeWith(const Node& node) {
  return std::make_unique<K>(node, argument);
}

// `axis` counted from the front; negative ones count from the end. kInvalidArgument unless in [-rank, rank).
int NormalizeAxis(int64_t axis, int rank, std::string_view what = "axis");

// The value of an int32 or int64 scalar (or one-element tensor, as TensorFlow takes it too).
int64_t ScalarInt(const Tensor& tensor, std::string_view what);

// Element i of an integer vector of either width.
inline int64_t IntAt(const Tensor& tensor, int64_t i) {
  switch (tensor.dtype()) {
    case DType::kInt64:
      return static_cast<const int64_t*>(tensor.raw())[i];
    case DType::kInt32:
      return static_cast<const int32_t*>(tensor.raw())[i];
    case DType::kInt16:
      return static_cast<const int16_t*>(tensor.raw())[i];
    case DType::kInt8:
      return static_cast<const int8_t*>(tensor.raw())[i];
    default:
      throw InvalidArgument("an integer is needed, not ", DTypeName(tensor.dtype()));
  }
}

// A dimension list on the stack: as long as a shape may be, and not initialised.
struct Dims {
  int rank = 0;
  int64_t size[kMaxRank + 1];

  Dims() = default;
  explicit Dims(const Shape& shape) : rank(shape.rank()) {
    for (int axis = 0; axis < rank; ++axis) size[axis] = shape[axis];
  }
  int64_t& operator[](int axis) { return size[axis]; }
  int64_t operator[](int axis) const { return size[axis]; }
  void Append(int64_t dim) {
    Require(rank < kMaxRank, "a tensor may have at most ", kMaxRank, " dimensions");
    size[rank++] = dim;
  }
  Shape ToShape() const { return Shape(std::span<const int64_t>(size, static_cast<size_t>(rank))); }
};

// The number of elements in the axes [begin, end) of a shape. It may wrap around in a shape that is empty as a whole.
inline int64_t ElementsIn(const Shape& shape, int begin, int end) {
  uint64_t product = 1;
  for (int axis = begin; axis < end; ++axis) product *= static_cast<uint64_t>(shape[axis]);
  return static_cast<int64_t>(product);
}

}  // namespace plumb::fast::cpu

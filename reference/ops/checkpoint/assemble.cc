#include "reference/ops/checkpoint/assemble.h"

#include <algorithm>

#include "spec/core/status.h"

namespace plumb::reference {
namespace {

using Index = std::vector<int64_t>;

// The next index in row-major order; goes back to zeros behind the last one.
void Advance(Index& index, const Shape& shape) {
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    if (++index[axis] < shape[axis]) return;
    index[axis] = 0;
  }
}

// Where an element of the whole lies within a slice, or -1.
int64_t PositionIn(const TensorSlice& slice, const Shape& whole, const Index& index) {
  int64_t position = 0;
  for (int axis = 0; axis < whole.rank(); ++axis) {
    const Extent& extent = slice.extents[axis];
    const int64_t end = extent.End(whole[axis]);
    if (index[axis] < extent.start || index[axis] >= end) return -1;
    position = position * (end - extent.start) + index[axis] - extent.start;
  }
  return position;
}

Tensor NewTensor(DType dtype, const Shape& shape) { return Tensor(dtype, shape); }

void CopyElement(const Tensor& from, int64_t i, Tensor& to, int64_t j) {
  VisitType(from.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    to.mutable_data<T>()[j] = from.data<T>()[i];
  });
}

// Types whose elements are put together from parts that are not the wanted slice itself.
bool CanBeAssembled(DType dtype) {
  constexpr DType kTypes[] = {DType::kFloat,  DType::kDouble,   DType::kInt8,      DType::kInt16,     DType::kInt32,
                              DType::kInt64,  DType::kUint8,    DType::kBool,      DType::kQint8,     DType::kQuint8,
                              DType::kQint32, DType::kBfloat16, DType::kComplex64, DType::kComplex128};
  return std::count(std::begin(kTypes), std::end(kTypes), dtype) > 0;
}

}  // namespace

Tensor Assemble(DType dtype, const Shape& shape, const TensorSlice& wanted, const std::vector<TensorSlice>& parts,
                const std::function<Tensor(size_t)>& read) {
  const Shape result_shape = ShapeOfSlice(wanted, shape);
  std::vector<Tensor> contents(parts.size());
  Tensor result(dtype, result_shape);
  Index index(static_cast<size_t>(shape.rank()));
  for (int64_t i = 0; i < result_shape.elements(); ++i, Advance(index, result_shape)) {
    Index place = index;
    for (size_t axis = 0; axis < place.size(); ++axis) place[axis] += wanted.extents[axis].start;
    bool is_there = false;
    for (size_t part = 0; part < parts.size() && !is_there; ++part) {
      const int64_t position = PositionIn(parts[part], shape, place);
      is_there = position >= 0;
      if (!is_there) continue;
      if (!contents[part].IsSet()) contents[part] = read(part);
      CopyElement(contents[part], position, result, i);
    }
    if (!is_there) {
      throw InvalidArgument("the parts in the checkpoint do not cover the slice '", wanted.ToString(), "'");
    }
  }
  return result;
}

Tensor ReadSlice(BundleReader& reader, const BundleEntry& entry, const TensorSlice& wanted) {
  const bool is_whole = entry.slices.empty();
  const std::vector<TensorSlice> parts =
      is_whole ? std::vector<TensorSlice>{TensorSlice::Whole(entry.shape.rank())} : entry.slices;
  const auto read = [&](size_t i) {
    return reader.Read(is_whole ? entry : reader.FindSlice(entry, parts[i]), NewTensor);
  };
  const auto equal = std::find(parts.begin(), parts.end(), wanted);
  if (equal != parts.end()) return read(static_cast<size_t>(equal - parts.begin()));
  Require(CanBeAssembled(entry.dtype), "a slice of '", entry.name, "', which is ", DTypeName(entry.dtype),
          ", can only be read as it was saved");
  return Assemble(entry.dtype, entry.shape, wanted, parts, read);
}

ShapeAndSlice SavedAs(const Tensor& tensor, const std::string& text) {
  if (text.empty()) return {tensor.shape(), TensorSlice::Whole(tensor.rank()), tensor.shape()};
  ShapeAndSlice as = ParseShapeAndSlice(text);
  Require(as.slice_shape == tensor.shape(), "'", text, "' is a part of the shape ", as.slice_shape.ToString(),
          ", but the tensor has the shape ", tensor.shape().ToString());
  return as;
}

}  // namespace plumb::reference

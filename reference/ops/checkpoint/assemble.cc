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

// Whether both are the same elements, however they are written.
bool IsSameRegion(const TensorSlice& a, const TensorSlice& b, const Shape& whole) {
  for (int axis = 0; axis < whole.rank(); ++axis) {
    const Extent &x = a.extents[axis], &y = b.extents[axis];
    if (x.start != y.start || x.End(whole[axis]) != y.End(whole[axis])) return false;
  }
  return true;
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
  // A slice that is not covered is refused before a part is read.
  struct Place {
    size_t part;
    int64_t position;
  };
  std::vector<Place> places;  // of each element of the result
  Index index(static_cast<size_t>(shape.rank()));
  for (int64_t i = 0; i < result_shape.elements(); ++i, Advance(index, result_shape)) {
    Index at = index;
    for (size_t axis = 0; axis < at.size(); ++axis) at[axis] += wanted.extents[axis].start;
    Place place = {0, -1};
    for (; place.part < parts.size(); ++place.part) {
      place.position = PositionIn(parts[place.part], shape, at);
      if (place.position >= 0) break;
    }
    if (place.part == parts.size()) {
      throw InvalidArgument("the parts in the checkpoint do not cover the slice '", wanted.ToString(), "'");
    }
    places.push_back(place);
  }
  std::vector<Tensor> contents(parts.size());
  Tensor result(dtype, result_shape);
  for (size_t i = 0; i < places.size(); ++i) {
    Tensor& content = contents[places[i].part];
    if (!content.IsSet()) content = read(places[i].part);
    CopyElement(content, places[i].position, result, static_cast<int64_t>(i));
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
  for (size_t i = 0; i < parts.size(); ++i) {
    if (IsSameRegion(parts[i], wanted, entry.shape)) return read(i);
  }
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

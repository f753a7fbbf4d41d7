// Parts of tensors as checkpoints name them (rules Z40, Z41).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "spec/core/shape.h"

namespace plumb {

namespace pb {
class TensorSliceProto;
}  // namespace pb

// Of one dimension: `length` elements from `start` on, or all.
struct Extent {
  static constexpr int64_t kAll = -1;
  int64_t start = 0;
  int64_t length = kAll;
  bool IsAll() const { return length == kAll; }
  int64_t End(int64_t dim) const { return IsAll() ? dim : start + length; }
  bool operator==(const Extent&) const = default;
};

// Slices are equal where they are written alike, as their keys are. Two that are not may be the same elements: of a
// dimension of 3, "0,3" and "-" are.
struct TensorSlice {
  std::vector<Extent> extents;  // one for each dimension

  static TensorSlice Whole(int rank) { return {std::vector<Extent>(static_cast<size_t>(rank))}; }
  bool IsWhole() const;
  // "0,3:-"
  std::string ToString() const;
  bool operator==(const TensorSlice&) const = default;
};

// Throws kInternal where the slice does not lie in the shape, as TensorFlow does.
Shape ShapeOfSlice(const TensorSlice& slice, const Shape& shape);
bool Overlap(const TensorSlice& a, const TensorSlice& b, const Shape& shape);

// "6 4 0,3:-": a shape and a slice in it. Throws kInvalidArgument for another text, and as ShapeOfSlice.
struct ShapeAndSlice {
  Shape shape;
  TensorSlice slice;
  Shape slice_shape;
};
ShapeAndSlice ParseShapeAndSlice(const std::string& text);

// The key of a slice in a table: keys are sorted by name, rank and extents.
std::string SliceKey(std::string_view name, const TensorSlice& slice);
// For messages: the name of the tensor that lies under a key, whole or as a slice.
std::string NameOfKey(std::string_view key);

// Slices as messages. Throws kDataLoss for one that no writer makes.
TensorSlice FromProto(const pb::TensorSliceProto& from);
void ToProto(const TensorSlice& slice, pb::TensorSliceProto* to);

}  // namespace plumb

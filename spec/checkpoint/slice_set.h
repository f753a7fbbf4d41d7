// What both formats of checkpoints say of the parts of a tensor.
#pragma once

#include <string_view>
#include <vector>

#include "spec/checkpoint/slice.h"

namespace plumb {

namespace pb {
class TensorShapeProto;
}  // namespace pb

namespace checkpoint {

// Throws kDataLoss where it is no shape of a tensor.
Shape StoredShape(const pb::TensorShapeProto& from, std::string_view name);
// Throws kInternal where two parts have an element in common, or one lies outside, as TensorFlow does. Those before
// `first` have been looked at.
void CheckApart(const std::vector<TensorSlice>& slices, const Shape& shape, std::string_view name, size_t first = 0);

}  // namespace checkpoint
}  // namespace plumb

// Slices of tensors put together from the parts that a checkpoint has (rule Z36).
#pragma once

#include <string>
#include <vector>

#include "fastpath/device/kernel.h"
#include "spec/checkpoint/slice.h"

namespace plumb::fast::cpu {

// Whether two slices of a tensor of this shape have the same elements, however they are written.
bool IsSameRegion(const TensorSlice& a, const TensorSlice& b, const Shape& shape);

// Which parts of a tensor have an element of the wanted slice: only that of the same region, if there is one, for it is
// the whole answer. kInvalidArgument where they do not cover the slice.
std::vector<size_t> PartsFor(const TensorSlice& wanted, const std::vector<TensorSlice>& parts, const Shape& shape,
                             const std::string& name);

// Copies the elements that both slices of a tensor of this shape have.
void CopyCommon(ThreadPool& pool, const Shape& shape, const TensorSlice& from_slice, const Tensor& from,
                const TensorSlice& to_slice, Tensor& to);

// What a text says of a tensor that is saved; an empty one stands for the whole. kInvalidArgument where it is about
// another shape.
ShapeAndSlice PlaceOf(const Tensor& tensor, const std::string& text);
// What a text says of a stored tensor of this shape.
TensorSlice WantedOf(const Shape& stored, const std::string& text, const std::string& name);

// The numbers 0, 1, … in the order of names.
std::vector<int> OrderOf(std::span<const std::string> names);

}  // namespace plumb::fast::cpu

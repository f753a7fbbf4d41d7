// Tensors put together from the parts in which a checkpoint has them (rule Z36).
#pragma once

#include <functional>
#include <vector>

#include "spec/checkpoint/bundle.h"
#include "spec/checkpoint/slice.h"
#include "spec/core/tensor.h"

namespace plumb::reference {

// The wanted slice of a tensor of this shape. `read` gives the elements of part `i`. kInvalidArgument where an element
// lies in no part; then no part is read.
Tensor Assemble(DType dtype, const Shape& shape, const TensorSlice& wanted, const std::vector<TensorSlice>& parts,
                const std::function<Tensor(size_t i)>& read);

// The same of a bundle's entry. kInvalidArgument for a type of which slices can only be read as they were saved.
Tensor ReadSlice(BundleReader& reader, const BundleEntry& entry, const TensorSlice& wanted);

// What a save op writes as tensor `i`: itself as a whole, or the part that its text says. kInvalidArgument where the
// text is of another shape.
ShapeAndSlice SavedAs(const Tensor& tensor, const std::string& text);

}  // namespace plumb::reference

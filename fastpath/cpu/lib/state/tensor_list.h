// Lists of tensors, the elements of variant tensors.
#pragma once

#include <limits>
#include <memory>
#include <string_view>
#include <vector>

#include "fastpath/device/kernel.h"
#include "spec/core/variant.h"
#include "spec/formats/tensor_list.h"

namespace plumb::fast::cpu {

// Shared and immutable, unless OwnedList says that nobody else has it. Its elements may lie in the memory of a device:
// kernels put in what HeldOf gives, and read what SeenHere gives (fastpath/memory/inside.h).
struct TensorList final : VariantPayload {
  static constexpr std::string_view kTypeName = kTensorListTypeName;
  DType element_dtype = DType::kInvalid;
  PartialShape element_shape;
  int64_t max_num_elements = -1;  // negative: any number
  std::vector<Tensor> elements;   // as the host holds them; unset: one that has no value yet

  std::string_view type_name() const override;
  EncodedVariant Encode() const override;
  static std::shared_ptr<const TensorList> Decode(const EncodedVariant& encoded);
  std::shared_ptr<const VariantPayload> Copy(const std::function<Tensor(const Tensor&)>& copy) const override;
};

// The list in an element of a variant tensor; kInvalidArgument where it holds anything else.
const TensorList& ListIn(const Variant& element);
// The list in an input, a scalar.
const TensorList& ListInput(const KernelContext& context, int input);
// The same, which must hold elements of this type.
const TensorList& ListInput(const KernelContext& context, int input, DType dtype);

// The list in an input to be changed: itself where this kernel is its only user, else a copy, of its first `most`
// elements where it has more. The input is gone afterwards.
std::shared_ptr<TensorList> OwnedList(KernelContext& context, int input,
                                      size_t most = std::numeric_limits<size_t>::max());
// The same of an element of a tensor that nobody else has.
std::shared_ptr<TensorList> OwnedListIn(Variant& element, size_t most = std::numeric_limits<size_t>::max());

Variant AsVariant(std::shared_ptr<const TensorList> list);
Tensor AsTensor(std::shared_ptr<const TensorList> list);

// Adds elements without a value; kResourceExhausted where there is no memory for so many.
void Grow(TensorList& list, int64_t size);

void RequireFits(const TensorList& list, const Shape& shape);
// kInvalidArgument when the list has as many elements as it may have.
void RequireRoom(const TensorList& list);

// What a shape tensor says of elements: a vector of dimensions, -1 for an open one, or the scalar -1 for any shape.
PartialShape ElementShapeOf(const Tensor& tensor);
// That and what the list knows.
PartialShape ElementShapeFor(const TensorList& list, const Tensor& tensor);
// The element's shape where all is known; kInvalidArgument where not.
Shape DefinedShape(const PartialShape& shape);

}  // namespace plumb::fast::cpu

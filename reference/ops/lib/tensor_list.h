// Lists of tensors, the elements of variant tensors.
#pragma once

#include <string_view>
#include <vector>

#include "reference/kernel/op_context.h"
#include "spec/core/variant.h"
#include "spec/formats/tensor_list.h"

namespace plumb::reference {

struct TensorList : VariantPayload {
  static constexpr std::string_view kTypeName = kTensorListTypeName;
  DType element_dtype = DType::kInvalid;
  PartialShape element_shape;
  int64_t max_num_elements = -1;  // negative: any number
  std::vector<Value> elements;    // unset: an element that has no value yet

  std::string_view type_name() const override;
  EncodedVariant Encode() const override;
  static std::shared_ptr<const TensorList> Decode(const EncodedVariant& encoded);
  std::shared_ptr<const VariantPayload> Copy(const std::function<Tensor(const Tensor&)>& copy) const override;
};

// The list in an element of a variant tensor; kInvalidArgument where it holds anything else.
const TensorList& ListIn(const Variant& element);
// The list in input `i`, a scalar.
const TensorList& ListInput(const OpContext& c, int i);
// The same for a node whose attribute element_dtype must be what the list holds.
const TensorList& TypedListInput(const OpContext& c, int i);

Variant AsVariant(TensorList list);
Tensor AsTensor(TensorList list);

// Adds elements without a value; kResourceExhausted where there is no memory for so many.
void Grow(TensorList& list, int64_t size);

// What a shape tensor says of elements: a vector of dimensions, -1 for an open one, or the scalar -1 for any shape.
PartialShape ElementShapeOf(const Tensor& tensor);
// That and what the list knows.
PartialShape ElementShapeFor(const TensorList& list, const Tensor& tensor);
// The element's shape where all is known; kInvalidArgument where not.
Shape DefinedShape(const PartialShape& shape);

}  // namespace plumb::reference

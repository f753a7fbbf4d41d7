// How a list of tensors is written down as an element of a variant tensor.
#pragma once

#include <cstdint>
#include <vector>

#include "spec/core/shape.h"
#include "spec/core/variant.h"

namespace plumb {

inline constexpr const char* kTensorListTypeName = "tensorflow::TensorList";

// TensorFlow's record: the tensors that have a value, and as varints in the metadata how many positions have none,
// these positions, the element type and the bound; then the element shape as a TensorShapeProto. An unset tensor is an
// element without a value.
EncodedVariant EncodeTensorList(DType element_dtype, const PartialShape& element_shape, int64_t max_num_elements,
                                const std::vector<Tensor>& elements);

struct TensorListRecord {
  DType element_dtype = DType::kInvalid;
  PartialShape element_shape;
  int64_t max_num_elements = -1;
  std::vector<Tensor> elements;
};
// kInvalidArgument for what is no such record, and where an element is not of the list's type and shape.
TensorListRecord DecodeTensorList(const EncodedVariant& encoded);

}  // namespace plumb

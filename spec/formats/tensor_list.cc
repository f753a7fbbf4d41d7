#include "spec/formats/tensor_list.h"

namespace plumb {
namespace {

void PutVarint(std::string& out, uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

// Field 2 of TensorShapeProto is a dimension, whose field 1 is its size; field 3 says that the rank is unknown.
std::string ShapeProto(const PartialShape& shape) {
  std::string proto;
  if (!shape.has_rank()) return {0x18, 0x01};
  for (const int64_t size : shape.dims()) {
    std::string dim;
    if (size != 0) {
      dim += 0x08;
      PutVarint(dim, static_cast<uint64_t>(size));
    }
    proto += 0x12;
    PutVarint(proto, dim.size());
    proto += dim;
  }
  return proto;
}

}  // namespace

EncodedVariant EncodeTensorList(DType element_dtype, const PartialShape& element_shape, int64_t max_num_elements,
                                const std::vector<Tensor>& elements) {
  EncodedVariant encoded;
  encoded.type_name = kTensorListTypeName;
  std::vector<uint64_t> without_value;
  for (size_t i = 0; i < elements.size(); ++i) {
    if (elements[i].IsSet()) {
      encoded.tensors.push_back(elements[i]);
    } else {
      without_value.push_back(i);
    }
  }
  PutVarint(encoded.metadata, without_value.size());
  for (const uint64_t position : without_value) PutVarint(encoded.metadata, position);
  PutVarint(encoded.metadata, static_cast<uint64_t>(element_dtype));
  PutVarint(encoded.metadata, static_cast<uint64_t>(max_num_elements));
  encoded.metadata += ShapeProto(element_shape);
  return encoded;
}

}  // namespace plumb

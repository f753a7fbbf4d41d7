#include "spec/formats/tensor_list.h"

#include "spec/core/bytes.h"

namespace plumb {
namespace {

// Field 2 of TensorShapeProto is a dimension, whose field 1 is its size; field 3 says that the rank is unknown.
std::string ShapeProto(const PartialShape& shape) {
  std::string proto;
  if (!shape.has_rank()) return {0x18, 0x01};
  for (const int64_t size : shape.dims()) {
    std::string dim;
    if (size != 0) {
      dim += 0x08;
      AppendVarint(static_cast<uint64_t>(size), &dim);
    }
    proto += 0x12;
    AppendVarint(dim.size(), &proto);
    proto += dim;
  }
  return proto;
}

ByteReader Reading(std::string_view metadata) {
  return {metadata, "the metadata of a tensor list", Code::kInvalidArgument};
}
std::string_view TakeBytes(ByteReader& reader) { return reader.Take(reader.TakeVarint()); }

// A field's number and how it is written: 0 a varint, 2 bytes of a length that comes first.
constexpr uint64_t kVarintField1 = 0x08, kBytesField2 = 0x12, kVarintField3 = 0x18;

int64_t DimensionFrom(std::string_view proto) {
  int64_t size = 0;
  for (ByteReader reader = Reading(proto); !reader.IsEmpty();) {
    const uint64_t field = reader.TakeVarint();
    if (field == kVarintField1) {
      size = static_cast<int64_t>(reader.TakeVarint());
    } else {
      Require(field == kBytesField2, "a dimension of a tensor list's elements has an unknown field");
      TakeBytes(reader);  // its name
    }
  }
  Require(size >= -1, "a tensor list's elements have the dimension ", size, "; unknown is -1");
  return size;
}

PartialShape ShapeFrom(std::string_view proto) {
  std::vector<int64_t> dims;
  bool has_rank = true;
  for (ByteReader reader = Reading(proto); !reader.IsEmpty();) {
    const uint64_t field = reader.TakeVarint();
    if (field == kVarintField3) {
      has_rank = reader.TakeVarint() == 0;
    } else {
      Require(field == kBytesField2, "the shape of a tensor list's elements has an unknown field");
      dims.push_back(DimensionFrom(TakeBytes(reader)));
    }
  }
  Require(has_rank || dims.empty(), "a shape of unknown rank has ", dims.size(), " dimensions");
  Require(std::ssize(dims) <= kMaxRank, "a shape has ", dims.size(), " dimensions; the limit is ", kMaxRank);
  int64_t known = 1;
  for (const int64_t dim : dims) {
    const auto product = CheckedMultiply(known, dim < 0 ? 1 : dim);
    Require(product.has_value(), "the element count of the shape of a tensor list's elements overflows");
    known = *product;
  }
  return has_rank ? PartialShape(std::move(dims)) : PartialShape::Unknown();
}

// Puts the tensors at the positions that have a value.
std::vector<Tensor> ElementsFrom(ByteReader& metadata, const std::vector<Tensor>& tensors) {
  const uint64_t without_value = metadata.TakeVarint();
  Require(without_value <= metadata.Rest().size(), "the metadata of a tensor list are too short for ", without_value,
          " elements without a value");
  std::vector<Tensor> elements(tensors.size() + without_value);
  uint64_t at = 0;
  auto next = tensors.begin();
  for (uint64_t i = 0; i < without_value; ++i) {
    const uint64_t position = metadata.TakeVarint();
    Require(position >= at && position < elements.size(), "in a tensor list of ", elements.size(), " elements, number ",
            position, " cannot be the next without a value");
    while (at < position) {
      Require(next != tensors.end(), "a tensor list has too few values");
      elements[at++] = *next++;
    }
    ++at;
  }
  while (next != tensors.end()) elements[at++] = *next++;
  return elements;
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
  AppendVarint(without_value.size(), &encoded.metadata);
  for (const uint64_t position : without_value) AppendVarint(position, &encoded.metadata);
  AppendVarint(static_cast<uint64_t>(element_dtype), &encoded.metadata);
  AppendVarint(static_cast<uint64_t>(max_num_elements), &encoded.metadata);
  encoded.metadata += ShapeProto(element_shape);
  return encoded;
}

TensorListRecord DecodeTensorList(const EncodedVariant& encoded) {
  ByteReader metadata = Reading(encoded.metadata);
  TensorListRecord record;
  record.elements = ElementsFrom(metadata, encoded.tensors);
  const uint64_t type = metadata.TakeVarint();
  record.element_dtype = DType(type);
  Require(type <= INT32_MAX && IsValid(record.element_dtype) && !IsRef(record.element_dtype),
          "a tensor list cannot hold elements of the type number ", type);
  record.max_num_elements = static_cast<int64_t>(metadata.TakeVarint());
  Require(record.max_num_elements >= -1, "a tensor list cannot be bound to ", record.max_num_elements, " elements");
  record.element_shape = ShapeFrom(metadata.Take(metadata.Rest().size()));
  for (const Tensor& element : record.elements) {
    if (!element.IsSet()) continue;
    Require(element.dtype() == record.element_dtype, "a tensor list of ", DTypeName(record.element_dtype),
            " has an element of ", DTypeName(element.dtype()));
    Require(record.element_shape.IsCompatibleWith(element.shape()), "a tensor list of elements of shape ",
            record.element_shape.ToString(), " has one of shape ", element.shape().ToString());
  }
  return record;
}

}  // namespace plumb

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

// Takes numbers and fields off the front of the metadata.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  bool IsEmpty() const { return bytes_.empty(); }
  size_t left() const { return bytes_.size(); }
  std::string_view Take(uint64_t count) {
    Require(count <= bytes_.size(), "the metadata of a tensor list end too early");
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }
  uint64_t TakeVarint() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<uint8_t>(Take(1)[0]);
      value |= uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return value;
    }
    throw InvalidArgument("the metadata of a tensor list have a number of more than ten bytes");
  }
  std::string_view TakeBytes() { return Take(TakeVarint()); }

 private:
  std::string_view bytes_;
};

// A field's number and how it is written: 0 a varint, 2 bytes of a length that comes first.
constexpr uint64_t kVarintField1 = 0x08, kBytesField2 = 0x12, kVarintField3 = 0x18;

int64_t DimensionFrom(std::string_view proto) {
  int64_t size = 0;
  for (Reader reader(proto); !reader.IsEmpty();) {
    const uint64_t field = reader.TakeVarint();
    if (field == kVarintField1) {
      size = static_cast<int64_t>(reader.TakeVarint());
    } else {
      Require(field == kBytesField2, "a dimension of a tensor list's elements has an unknown field");
      reader.TakeBytes();  // its name
    }
  }
  Require(size >= -1, "a tensor list's elements have the dimension ", size, "; unknown is -1");
  return size;
}

PartialShape ShapeFrom(std::string_view proto) {
  std::vector<int64_t> dims;
  bool has_rank = true;
  for (Reader reader(proto); !reader.IsEmpty();) {
    const uint64_t field = reader.TakeVarint();
    if (field == kVarintField3) {
      has_rank = reader.TakeVarint() == 0;
    } else {
      Require(field == kBytesField2, "the shape of a tensor list's elements has an unknown field");
      dims.push_back(DimensionFrom(reader.TakeBytes()));
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
std::vector<Tensor> ElementsFrom(Reader& metadata, const std::vector<Tensor>& tensors) {
  const uint64_t without_value = metadata.TakeVarint();
  Require(without_value <= metadata.left(), "the metadata of a tensor list are too short for ", without_value,
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
  PutVarint(encoded.metadata, without_value.size());
  for (const uint64_t position : without_value) PutVarint(encoded.metadata, position);
  PutVarint(encoded.metadata, static_cast<uint64_t>(element_dtype));
  PutVarint(encoded.metadata, static_cast<uint64_t>(max_num_elements));
  encoded.metadata += ShapeProto(element_shape);
  return encoded;
}

TensorListRecord DecodeTensorList(const EncodedVariant& encoded) {
  Reader metadata(encoded.metadata);
  TensorListRecord record;
  record.elements = ElementsFrom(metadata, encoded.tensors);
  const uint64_t type = metadata.TakeVarint();
  record.element_dtype = DType(type);
  Require(type <= INT32_MAX && IsValid(record.element_dtype) && !IsRef(record.element_dtype),
          "a tensor list cannot hold elements of the type number ", type);
  record.max_num_elements = static_cast<int64_t>(metadata.TakeVarint());
  Require(record.max_num_elements >= -1, "a tensor list cannot be bound to ", record.max_num_elements, " elements");
  record.element_shape = ShapeFrom(metadata.Take(metadata.left()));
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

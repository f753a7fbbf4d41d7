// TensorProto messages (rule 9.4) of strings, resource handles and variants.
#include "spec/graph/messages/object.h"

#include <cstdlib>

#include "spec/core/variant_codec.h"
#include "spec/proto/tensor.pb.h"

namespace plumb {
namespace {

// "[2,?]" as ResourceHandle keeps it; anything else is an unknown shape.
PartialShape ParseShapeText(const std::string& text) {
  std::vector<int64_t> dims;
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') return PartialShape::Unknown();
  const char* at = text.c_str() + 1;
  while (*at != ']') {
    char* end = nullptr;
    const int64_t dim = *at == '?' ? -1 : std::strtoll(at, &end, 10);
    if (*at == '?') end = const_cast<char*>(at) + 1;
    if (end == at || (*end != ',' && *end != ']')) return PartialShape::Unknown();
    dims.push_back(dim);
    at = *end == ',' ? end + 1 : end;
  }
  return PartialShape(std::move(dims));
}

ResourceHandle ObjectFromProto(const pb::ResourceHandleProto& from, Expansion*) {
  ResourceHandle handle;
  handle.device = from.device();
  handle.container = from.container();
  handle.name = from.name();
  handle.type_name = from.maybe_type_name();
  handle.hash_code = from.hash_code();
  if (from.dtypes_and_shapes_size() > 0) {
    handle.dtype = DType(from.dtypes_and_shapes(0).dtype());
    handle.shape_text = FromProto(from.dtypes_and_shapes(0).shape()).ToString();
  }
  return handle;
}

void ObjectToProto(const ResourceHandle& handle, pb::ResourceHandleProto* to) {
  to->set_device(handle.device);
  to->set_container(handle.container);
  to->set_name(handle.name);
  to->set_hash_code(handle.hash_code);
  to->set_maybe_type_name(handle.type_name);
  if (handle.dtype == DType::kInvalid && handle.shape_text.empty()) return;
  auto* entry = to->add_dtypes_and_shapes();
  entry->set_dtype(static_cast<pb::DataType>(handle.dtype));
  ToProto(ParseShapeText(handle.shape_text), entry->mutable_shape());
}

Variant ObjectFromProto(const pb::VariantTensorDataProto& from, Expansion* expansion) {
  EncodedVariant encoded{from.type_name(), from.metadata(), {}};
  for (const pb::TensorProto& tensor : from.tensors()) encoded.tensors.push_back(FromProto(tensor, expansion));
  return Decode(std::move(encoded));
}

// Of an element that was written down, and those within it with it.
void ObjectToProto(const Variant& variant, pb::VariantTensorDataProto* to) {
  const EncodedVariant encoded = Encode(variant);
  to->set_type_name(encoded.type_name);
  to->set_metadata(encoded.metadata);
  for (const Tensor& tensor : encoded.tensors) ToProtoInVariant(tensor, to->add_tensors());
}

const std::string& ObjectFromProto(const std::string& from, Expansion*) { return from; }
void ObjectToProto(const std::string& from, std::string* to) { *to = from; }

template <class T>
const auto& ObjectField(const pb::TensorProto& p) {
  if constexpr (std::is_same_v<T, std::string>) {
    return p.string_val();
  } else if constexpr (std::is_same_v<T, ResourceHandle>) {
    return p.resource_handle_val();
  } else {
    return p.variant_val();
  }
}
template <class T>
auto* AddObject(pb::TensorProto* p) {
  if constexpr (std::is_same_v<T, std::string>) {
    return p->add_string_val();
  } else if constexpr (std::is_same_v<T, ResourceHandle>) {
    return p->add_resource_handle_val();
  } else {
    return p->add_variant_val();
  }
}

// Takes a varint32 off the front of `bytes`.
uint32_t TakeLength(std::string_view* bytes) {
  uint32_t length = 0;
  for (int shift = 0; shift < 35; shift += 7) {
    Require(!bytes->empty(), "the content of a string tensor ends within its lengths");
    const uint8_t byte = static_cast<uint8_t>(bytes->front());
    bytes->remove_prefix(1);
    length |= static_cast<uint32_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return length;
  }
  throw InvalidArgument("the content of a string tensor has a length of more than five bytes");
}

Tensor StringsFromContent(std::string_view content, const Shape& shape) {
  Require(static_cast<uint64_t>(shape.elements()) <= content.size(), "a content of ", content.size(),
          " bytes cannot hold the strings of shape ", shape.ToString());
  std::vector<uint32_t> lengths(static_cast<size_t>(shape.elements()));
  for (uint32_t& length : lengths) length = TakeLength(&content);
  Tensor tensor(DType::kString, shape);
  const auto to = tensor.mutable_data<std::string>();
  for (size_t i = 0; i < lengths.size(); ++i) {
    Require(lengths[i] <= content.size(), "string ", i, " of a tensor is longer than the content that is left");
    to[i] = content.substr(0, lengths[i]);
    content.remove_prefix(lengths[i]);
  }
  Require(content.empty(), "the content of a string tensor has ", content.size(), " bytes too many");
  return tensor;
}

template <class T>
Tensor ObjectsFromValues(const pb::TensorProto& from, const Shape& shape, Expansion* expansion) {
  const auto& field = ObjectField<T>(from);
  const int64_t given = std::min<int64_t>(field.size(), shape.elements());
  expansion->Take(shape, given, sizeof(T));
  Tensor tensor(DTypeOf<T>, shape);
  const auto to = tensor.mutable_data<T>();
  for (int64_t i = 0; i < given; ++i) to[i] = ObjectFromProto(field.Get(static_cast<int>(i)), expansion);
  if constexpr (std::is_same_v<T, std::string>) {
    if (given == 0) return tensor;
    expansion->Take(shape, given, to[given - 1].size());
    std::fill(to.begin() + given, to.end(), to[given - 1]);
  }
  return tensor;
}

template <class T>
void WriteObjects(std::span<const T> values, pb::TensorProto* to) {
  for (const T& value : values) ObjectToProto(value, AddObject<T>(to));
}

void WriteStrings(std::span<const std::string> values, pb::TensorProto* to) {
  size_t count = values.size();
  while (count > 1 && values[count - 1] == values[count - 2]) --count;
  WriteObjects(values.first(count), to);
}

}  // namespace

Tensor ObjectsFromProto(const pb::TensorProto& from, DType dtype, const Shape& shape, Expansion* expansion) {
  if (shape.elements() == 0) return Tensor(dtype, shape);
  if (dtype == DType::kString && !from.tensor_content().empty())
    return StringsFromContent(from.tensor_content(), shape);
  if (dtype == DType::kString) return ObjectsFromValues<std::string>(from, shape, expansion);
  if (dtype == DType::kResource) return ObjectsFromValues<ResourceHandle>(from, shape, expansion);
  return ObjectsFromValues<Variant>(from, shape, expansion);
}

void ObjectsToProto(const Tensor& tensor, pb::TensorProto* to) {
  if (tensor.dtype() == DType::kString) return WriteStrings(tensor.data<std::string>(), to);
  ObjectsToProtoInVariant(tensor.dtype() == DType::kVariant ? WrittenDown(tensor) : tensor, to);
}

void ObjectsToProtoInVariant(const Tensor& tensor, pb::TensorProto* to) {
  if (tensor.dtype() == DType::kString) return WriteObjects<std::string>(tensor.data<std::string>(), to);
  if (tensor.dtype() == DType::kResource) return WriteObjects<ResourceHandle>(tensor.data<ResourceHandle>(), to);
  WriteObjects<Variant>(tensor.data<Variant>(), to);
}

}  // namespace plumb

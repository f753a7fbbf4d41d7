#include "spec/ops/sparse/tensor_content.h"

#include "spec/graph/proto_io.h"
#include "spec/proto/tensor.pb.h"

namespace plumb {
namespace {

// Seven bits of a number in each byte, the lowest first; all but the last have the eighth bit set.
void AppendVarint(uint64_t number, std::string& to) {
  for (; number >= 0x80; number >>= 7) to.push_back(static_cast<char>(number | 0x80));
  to.push_back(static_cast<char>(number));
}

uint64_t TakeVarint(std::string_view& from) {
  uint64_t number = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    Require(!from.empty(), "the list of strings ends within a length");
    const auto byte = static_cast<unsigned char>(from.front());
    from.remove_prefix(1);
    number |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return number;
  }
  throw InvalidArgument("a length in the list of strings has too many bytes");
}

// All lengths, then all letters.
std::string ListOf(const Tensor& strings) {
  std::string list;
  for (const std::string& text : strings.data<std::string>()) AppendVarint(text.size(), list);
  for (const std::string& text : strings.data<std::string>()) list += text;
  return list;
}

Tensor StringsFrom(std::string_view list, const Shape& shape) {
  Require(shape.elements() <= static_cast<int64_t>(list.size()), "the list of strings is too short for the shape ",
          shape.ToString());
  std::vector<uint64_t> lengths;
  for (int64_t i = 0; i < shape.elements(); ++i) lengths.push_back(TakeVarint(list));
  Tensor strings(DType::kString, shape);
  auto text = strings.mutable_data<std::string>().begin();
  for (const uint64_t length : lengths) {
    Require(length <= list.size(), "the list of strings ends within a string");
    *text++ = list.substr(0, length);
    list.remove_prefix(length);
  }
  return strings;
}

}  // namespace

std::string SerializedContent(const Tensor& tensor) {
  const bool is_text = tensor.dtype() == DType::kString;
  if (!is_text && ElementSize(tensor.dtype()) == 0) return SerializeTensorProto(tensor);
  pb::TensorProto message;
  message.set_dtype(static_cast<pb::DataType>(tensor.dtype()));
  ToProto(PartialShape(tensor.shape()), message.mutable_tensor_shape());
  if (is_text) message.set_tensor_content(ListOf(tensor));
  if (!is_text && tensor.bytes() > 0) message.set_tensor_content(tensor.raw(), tensor.bytes());
  return message.SerializeAsString();
}

Tensor ParsedContent(std::string_view bytes) {
  pb::TensorProto message;
  Require(message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())), "the bytes are no serialized tensor");
  Expansion expansion;
  if (message.dtype() != static_cast<pb::DataType>(DType::kString) || message.tensor_content().empty()) {
    return FromProto(message, &expansion);
  }
  return StringsFrom(message.tensor_content(), FromProto(message.tensor_shape()).ToShape());
}

}  // namespace plumb

#include "spec/ops/sparse/tensor_content.h"

#include "spec/core/bytes.h"
#include "spec/graph/proto_io.h"
#include "spec/proto/tensor.pb.h"

namespace plumb {
namespace {

// All lengths, then all letters.
std::string ListOf(const Tensor& strings) {
  std::string list;
  for (const std::string& text : strings.data<std::string>()) AppendVarint(text.size(), &list);
  for (const std::string& text : strings.data<std::string>()) list += text;
  return list;
}

Tensor StringsFrom(std::string_view list, const Shape& shape) {
  Require(shape.elements() <= static_cast<int64_t>(list.size()), "the list of strings is too short for the shape ",
          shape.ToString());
  ByteReader reader(list, "the list of strings", Code::kInvalidArgument);
  std::vector<uint64_t> lengths;
  for (int64_t i = 0; i < shape.elements(); ++i) lengths.push_back(reader.TakeVarint());
  Tensor strings(DType::kString, shape);
  auto text = strings.mutable_data<std::string>().begin();
  for (const uint64_t length : lengths) *text++ = reader.Take(length);
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

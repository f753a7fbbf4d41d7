#include "backends/library/values.h"

#include <algorithm>
#include <cstring>

#include "spec/graph/proto_io.h"

namespace plumb::library {
namespace {

bool IsEncoded(DType type) { return type == DType::kResource || type == DType::kVariant; }

Shape TakenShape(const Library& library, const PlumbTensor& value, const std::string& what) {
  if (value.rank < 0 || value.rank > kMaxRank) throw library.Fault("the rank ", value.rank, " for ", what);
  if (value.rank > 0 && value.dims == nullptr)
    throw library.Fault("a rank of ", value.rank, " without dims for ", what);
  for (int32_t axis = 0; axis < value.rank; ++axis) {
    if (value.dims[axis] < 0) throw library.Fault("the dimension ", value.dims[axis], " for ", what);
  }
  try {
    return Shape(std::span(value.dims, static_cast<size_t>(value.rank)));
  } catch (const Error& error) {
    throw library.Fault("a shape that is none for ", what, ": ", error.what());
  }
}

// What `data` has to hold: for each element its width, or one PlumbString.
int64_t BytesOf(const Library& library, DType type, const Shape& shape, const std::string& what) {
  if (IsEncoded(type)) return sizeof(PlumbString);
  const size_t width = type == DType::kString ? sizeof(PlumbString) : ElementSize(type);
  const auto bytes = CheckedMultiply(shape.elements(), static_cast<int64_t>(width));
  if (!bytes) throw library.Fault("the shape ", shape.ToString(), " for ", what, ", larger than the address space");
  return *bytes;
}

Tensor Decoded(const Library& library, const PlumbTensor& value, DType type, const Shape& shape,
               const std::string& what) {
  const std::string message = TakenText(library, *static_cast<const PlumbString*>(value.data), what);
  try {
    Tensor tensor = ParseTensorProto(message);
    if (tensor.dtype() == type && tensor.shape() == shape) return tensor;
  } catch (const Error& error) {
    throw library.Fault("no TensorProto for ", what, ": ", error.what());
  }
  throw library.Fault("a TensorProto of another type or shape than it says for ", what);
}

}  // namespace

std::string TakenText(const Library& library, const PlumbString& text, const std::string& what) {
  if (text.data == nullptr && text.size > 0) throw library.Fault("a string without data for ", what);
  if (text.size > std::string().max_size()) throw library.Fault("a string of ", text.size, " bytes for ", what);
  return std::string(text.data, text.data == nullptr ? 0 : text.size);
}

PlumbTensor Lent::Lend(const Tensor& tensor) {
  const DType type = tensor.dtype();
  PlumbTensor lent{static_cast<int32_t>(type), tensor.rank(), tensor.shape().dims().data(), tensor.raw(),
                   tensor.bytes()};
  if (ElementSize(type) > 0) return lent;
  std::vector<PlumbString>& strings = strings_.emplace_back();
  if (IsEncoded(type)) {
    strings.push_back(library::Lend(messages_.emplace_back(SerializeTensorProto(tensor))));
  } else {
    for (const std::string& text : tensor.data<std::string>()) strings.push_back(library::Lend(text));
  }
  lent.data = strings.data();
  lent.bytes = strings.size() * sizeof(PlumbString);
  return lent;
}

std::span<const PlumbString> Lent::Lend(std::span<const std::string> names) {
  std::vector<PlumbString>& strings = strings_.emplace_back();
  for (const std::string& name : names) strings.push_back(library::Lend(name));
  return strings;
}

Tensor Taken(const Library& library, const PlumbTensor* value, const std::string& what) {
  if (value == nullptr) throw library.Fault("null for ", what);
  const DType type = DType(value->dtype);
  if (!IsValid(type) || IsRef(type)) throw library.Fault("the element type ", value->dtype, " for ", what);
  const Shape shape = TakenShape(library, *value, what);
  const int64_t bytes = BytesOf(library, type, shape, what);
  if (value->bytes != static_cast<uint64_t>(bytes)) {
    throw library.Fault(value->bytes, " bytes for ", what, ", where ", DTypeName(type), shape.ToString(), " has ",
                        bytes);
  }
  if (bytes > 0 && value->data == nullptr) throw library.Fault("null data for ", what);
  if (IsEncoded(type)) return Decoded(library, *value, type, shape, what);
  Tensor tensor(type, shape);
  if (type == DType::kString) {
    const auto* texts = static_cast<const PlumbString*>(value->data);
    for (std::string& text : tensor.mutable_data<std::string>()) text = TakenText(library, *texts++, what);
    return tensor;
  }
  const auto* given = static_cast<const uint8_t*>(value->data);
  if (type == DType::kBool && std::any_of(given, given + bytes, [](uint8_t byte) { return byte > 1; })) {
    throw library.Fault("a bool that is neither 0 nor 1 for ", what);
  }
  if (bytes > 0) std::memcpy(tensor.mutable_raw(), given, static_cast<size_t>(bytes));
  return tensor;
}

Status Failure::StatusOf(int32_t code) {
  if (code == PLUMB_OK) return OkStatus();
  message_[sizeof(message_) - 1] = '\0';
  if (code < 0 || code > PLUMB_UNAUTHENTICATED) {
    return library_.Fault("the status code ", code, " (", std::string_view(message_), ")").status();
  }
  const Reason reason = error_.reason == PLUMB_REASON_NO_KERNEL ? Reason::kNoKernel : Reason::kOther;
  return Status(Code(code), message_, reason);
}

}  // namespace plumb::library

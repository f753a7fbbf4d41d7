#include "mpi/protocol/messages.h"

#include <algorithm>
#include <memory>

#include "fastpath/device/kernel.h"
#include "spec/graph/proto_io.h"

namespace plumb::dist {
namespace {

bool TravelsAsItIs(DType dtype) { return ElementSize(dtype) > 0; }

DType TypeOf(const Value& value) {
  const auto dtype = DType(value.dtype);
  Require(IsValid(dtype) && !IsRef(dtype), "a value from another rank has the type ", value.dtype,
          ", which is not known here");
  return dtype;
}

// Of a value whose elements take so many bytes.
Shape ShapeOf(const Value& value, size_t bytes) {
  Require(value.dims.size() <= static_cast<size_t>(kMaxRank), "a value from another rank has ", value.dims.size(),
          " dimensions");
  const Shape shape{std::span<const int64_t>(value.dims)};
  const auto wanted = CheckedMultiply(shape.elements(), static_cast<int64_t>(ElementSize(TypeOf(value))));
  if (wanted && static_cast<size_t>(*wanted) == bytes) return shape;
  throw InvalidArgument("a value from another rank has ", bytes, " bytes, and its type ", DTypeName(TypeOf(value)),
                        " and shape ", shape.ToString(), " need others");
}

}  // namespace

Hello DecodeHello(std::string_view bytes) {
  Require(KindOf(bytes) == MessageKind::kHello, "the first message from another rank is no greeting");
  Reader reader(bytes.substr(1));
  Hello hello;
  reader(hello.version);
  return hello.version == kProtocolVersion ? Decode<Hello>(bytes) : hello;
}

Payload PayloadOf(Value& value, const Tensor& tensor) {
  value.dtype = static_cast<int32_t>(tensor.dtype());
  value.dims = tensor.shape().ToVector();
  return TravelsAsItIs(tensor.dtype()) ? PayloadOf(tensor) : PayloadOf(SerializeTensorProto(tensor));
}

Payload ElementsOf(Value& value, const Tensor& tensor) {
  if (!TravelsAsItIs(tensor.dtype()) || tensor.bytes() > kHeldBytes) return PayloadOf(value, tensor);
  value.dtype = static_cast<int32_t>(tensor.dtype());
  value.dims = tensor.shape().ToVector();
  value.elements = {static_cast<const char*>(tensor.raw()), tensor.bytes()};
  return {};
}

Payload PayloadOf(std::string bytes) {
  const auto owner = std::make_shared<const std::string>(std::move(bytes));
  return {owner->data(), owner->size(), owner};
}

Place PlaceFor(const Value& value, size_t bytes) {
  const DType dtype = TypeOf(value);
  if (!TravelsAsItIs(dtype)) return NewPlace(bytes);
  const auto tensor = std::make_shared<Tensor>(fast::Allocate(dtype, ShapeOf(value, bytes)));
  return {tensor->mutable_raw(), tensor};
}

Tensor TensorOf(const Value& value, const Payload& payload) {
  const DType dtype = TypeOf(value);
  if (!TravelsAsItIs(dtype)) {
    Tensor tensor = ParseTensorProto({static_cast<const char*>(payload.data), payload.bytes});
    Require(tensor.dtype() == dtype && tensor.shape().ToVector() == value.dims,
            "a value from another rank has another type or shape than it says");
    return tensor;
  }
  if (payload.bytes == 0) {
    Tensor tensor = fast::Allocate(dtype, ShapeOf(value, value.elements.size()));
    std::copy(value.elements.begin(), value.elements.end(), static_cast<char*>(tensor.mutable_raw()));
    return tensor;
  }
  const Shape shape = ShapeOf(value, payload.bytes);
  // Placed by PlaceFor, of the same message.
  if (payload.is_placed) return *static_cast<const Tensor*>(payload.owner.get());
  return TensorOf(payload, dtype, shape);
}

}  // namespace plumb::dist

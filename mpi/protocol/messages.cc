#include "mpi/protocol/messages.h"

#include <algorithm>
#include <cmath>
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

MessageKind KindOf(std::string_view bytes) {
  Require(!bytes.empty(), "a message from another rank is empty");
  const auto kind = static_cast<unsigned char>(bytes[0]);
  Require(kind >= static_cast<unsigned char>(MessageKind::kHello) &&
              kind <= static_cast<unsigned char>(MessageKind::kRestore),
          "a message from another rank is of the kind ", static_cast<int>(kind), ", which is not known here");
  return MessageKind(kind);
}

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
    Require(tensor.dtype() == dtype, "a value from another rank has another type than it says");
    return tensor;
  }
  const Shape shape = ShapeOf(value, payload.bytes);
  // Placed by PlaceFor, of the same message.
  if (payload.is_placed) return *static_cast<const Tensor*>(payload.owner.get());
  return TensorOf(payload, dtype, shape);
}

Member Described(const CollectiveMember& member) {
  return {member.device,
          static_cast<int32_t>(member.kind),
          member.sends,
          member.group_size,
          member.group_key,
          member.instance_key,
          static_cast<int32_t>(member.merge),
          member.divides,
          static_cast<int32_t>(member.dtype),
          member.shape.ToVector(),
          std::llround(std::clamp(member.timeout_seconds, 0.0, 1e15) * 1000)};
}

CollectiveMember MemberFrom(const Member& member) {
  const auto dtype = DType(member.dtype);
  Require(member.kind >= 0 && member.kind <= static_cast<int32_t>(CollectiveKind::kBroadcast) && member.merge >= 0 &&
              member.merge <= static_cast<int32_t>(MergeOp::kAdd) && IsValid(dtype) && !IsRef(dtype) &&
              ElementSize(dtype) > 0 && member.group_size >= 1 && member.dims.size() <= static_cast<size_t>(kMaxRank),
          "a member of a group on another rank is of a kind that is not known here");
  CollectiveMember known;
  known.device = member.device;
  known.kind = CollectiveKind(member.kind);
  known.sends = member.sends;
  known.group_size = member.group_size;
  known.group_key = member.group_key;
  known.instance_key = member.instance_key;
  known.merge = MergeOp(member.merge);
  known.divides = member.divides;
  known.dtype = dtype;
  known.timeout_seconds = static_cast<double>(member.timeout_ms) / 1000;
  known.shape = Shape(std::span<const int64_t>(member.dims));
  return known;
}

}  // namespace plumb::dist

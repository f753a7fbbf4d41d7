#include "mpi/transport/transport.h"

#include <algorithm>
#include <cstring>
#include <thread>
#include <utility>

#include "fastpath/memory/allocator.h"

namespace plumb::dist {
namespace {

// A buffer on memory that a payload's owner keeps.
struct PayloadBuffer : Buffer {
  explicit PayloadBuffer(const Payload& payload) : owner(payload.owner) {
    data = const_cast<void*>(payload.data);  // is_view keeps writers off where it is the sender's
    bytes = payload.bytes;
    is_view = !payload.is_placed;
    release = [](Buffer* self) { delete static_cast<PayloadBuffer*>(self); };
  }
  std::shared_ptr<const void> owner;
};

}  // namespace

int Transport::Cores() const {
  int ranks = 0;
  for (int other = 0; other < size(); ++other) ranks += HostOf(other) == HostOf(rank()) ? 1 : 0;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()) / ranks);
}

Payload PayloadOf(const Tensor& tensor) {
  auto owner = std::make_shared<Tensor>(tensor);
  return {owner->raw(), owner->bytes(), owner};
}

Tensor TensorOf(const Payload& payload, DType dtype, const Shape& shape) {
  const size_t needed = static_cast<size_t>(shape.elements()) * ElementSize(dtype);
  if (payload.bytes != needed) {
    throw DataLoss("a payload of ", payload.bytes, " bytes came for a tensor of shape ", shape.ToString(),
                   ", which takes ", needed);
  }
  if (needed != 0 && reinterpret_cast<uintptr_t>(payload.data) % kTensorAlignment == 0) {
    return Tensor(dtype, shape, new PayloadBuffer(payload));
  }
  Tensor tensor(dtype, shape);
  if (needed != 0) std::memcpy(tensor.mutable_raw(), payload.data, needed);
  return tensor;
}

Place NewPlace(size_t bytes) {
  constexpr size_t kLargest = size_t{1} << 62;  // more than there ever is, and less than overflows
  if (bytes > kLargest) throw ResourceExhausted("no memory for a payload of ", bytes, " bytes");
  Buffer* buffer = fast::AllocateBuffer(static_cast<int64_t>(bytes));
  return {buffer->data, std::shared_ptr<void>(buffer->data, [buffer](void*) { buffer->Unref(); })};
}

}  // namespace plumb::dist

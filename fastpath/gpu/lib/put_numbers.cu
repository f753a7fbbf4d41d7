#include <algorithm>
#include <cstring>

#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/put_numbers.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// Arguments of a kernel have 4 KiB in all.
struct Bytes {
  uint8_t bytes[512];
};

PLUMB_GPU_KERNEL PutBytes(Global<uint8_t> out, Bytes from) {
  for (int64_t i = First(); i < out.size; i += Stride()) out[i] = from.bytes[i];
}

}  // namespace

void PutNumbers(GpuDevice& device, const Tensor& numbers, Tensor& here) {
  Check(cudaSetDevice(device.number()), "to choose a GPU");
  const auto* const from = static_cast<const uint8_t*>(numbers.raw());
  auto* const to = static_cast<uint8_t*>(here.mutable_raw());
  for (size_t begin = 0; begin < numbers.bytes(); begin += sizeof(Bytes)) {
    const size_t size = std::min(numbers.bytes() - begin, sizeof(Bytes));
    Bytes piece = {};
    std::memcpy(piece.bytes, from + begin, size);
    Launch(device.stream(), LoopOver(static_cast<int64_t>(size)), PutBytes,
           Global<uint8_t>(to + begin, static_cast<int64_t>(size)), piece);
  }
}

}  // namespace plumb::fast::GPU_NAMESPACE

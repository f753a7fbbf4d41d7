// Memory and copies of the fake CUDA runtime.
#include <cstring>
#include <utility>

#include "fastpath/gpu/emulator/runtime_call.h"

namespace plumb::fast::emulated_gpu::emulator {
namespace {

// One side of a copy: where it lay when the copy was asked for.
struct Side {
  uintptr_t address = 0;
  size_t bytes = 0;
  std::shared_ptr<Device> owner;  // null for the host's memory
  bool is_pinned = false;
};

Side SideAt(const void* address, size_t bytes) {
  World& world = World::Get();
  Side side = {reinterpret_cast<uintptr_t>(address), bytes, world.OwnerOf(address), false};
  side.is_pinned = side.owner == nullptr && world.pinned().Find(address).holder != nullptr;
  return side;
}

// One side of a copy while it is done.
struct OpenSide {
  void* data = nullptr;          // null if the memory is not, or no longer, allocated
  std::shared_ptr<void> holder;  // keeps pinned memory there
};

OpenSide Open(const Side& side) {
  if (side.owner == nullptr && !side.is_pinned) return {reinterpret_cast<void*>(side.address), nullptr};
  const auto* const address = reinterpret_cast<const void*>(side.address);
  PinnedMemory::Block block;
  if (side.owner != nullptr) {
    block.range = side.owner->Find(address);
  } else {
    block = World::Get().pinned().Find(address);
  }
  if (side.address < block.range.begin || side.address + side.bytes > block.range.end) return {};
  return {reinterpret_cast<void*>(side.address + block.range.distance), block.holder};
}

Failure IllegalSide(const char* what, const Side& side) {
  return {cudaErrorIllegalAddress,
          Status(Code::kInternal, Str(what, ": ", side.bytes, " bytes at ", side.address, " of ",
                                      side.owner == nullptr ? std::string("the host's pinned memory")
                                                            : Str("GPU ", side.owner->number()),
                                      " are not, or no longer, in one allocated block"))};
}

Failure Copy(const Side& to, const Side& from) {
  const OpenSide target = Open(to), source = Open(from);
  if (target.data == nullptr) return IllegalSide("a copy's target", to);
  if (source.data == nullptr) return IllegalSide("a copy's source", from);
  std::memcpy(target.data, source.data, to.bytes);
  return {};
}

Failure Fill(const Side& side, int value) {
  const OpenSide target = Open(side);
  if (target.data == nullptr) return IllegalSide("a fill's target", side);
  std::memset(target.data, value, side.bytes);
  return {};
}

bool Overlap(const Side& a, const Side& b) {
  return a.address < b.address + b.bytes && b.address < a.address + a.bytes;
}

cudaError_t PushCopy(Stream& stream, Side to, Side from) {
  if (Overlap(to, from)) return cudaErrorInvalidValue;
  if (const auto capture = stream.capture()) {
    const auto may_change = [](const Side& side) { return side.owner == nullptr && !side.is_pinned; };
    if (may_change(to) || may_change(from)) {
      capture->Invalidate();
      return cudaErrorStreamCaptureUnsupported;
    }
  } else {
    ++World::Get().counters().copies;
  }
  stream.Push([to = std::move(to), from = std::move(from)] { return Copy(to, from); });
  return cudaSuccess;
}

}  // namespace
}  // namespace plumb::fast::emulated_gpu::emulator

inline namespace cuda_emulated {

using namespace plumb::fast::emulated_gpu::emulator;

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  return OnCurrentDevice([&](const std::shared_ptr<Device>& device) {
    if (free == nullptr || total == nullptr) return cudaErrorInvalidValue;
    *free = device->memory() - device->allocated();
    *total = device->memory();
    return cudaSuccess;
  });
}

cudaError_t cudaMalloc(void** memory, size_t bytes) {
  return OnCurrentDevice([&](const std::shared_ptr<Device>& device) {
    if (memory == nullptr) return cudaErrorInvalidValue;
    if (World::Get().RefusedByCaptures()) return cudaErrorStreamCaptureUnsupported;
    *memory = bytes == 0 ? nullptr : device->Allocate(bytes);
    return *memory == nullptr && bytes > 0 ? cudaErrorMemoryAllocation : cudaSuccess;
  });
}

// A device that has failed gives its memory back, and answers with its failure.
cudaError_t cudaFree(void* memory) {
  if (Stream::IsOnThread()) return Answer(cudaErrorNotPermitted);
  if (memory == nullptr) return cudaSuccess;
  if (World::Get().RefusedByCaptures()) return Answer(cudaErrorStreamCaptureUnsupported);
  const std::shared_ptr<Device> owner = World::Get().OwnerOf(memory);
  if (owner == nullptr || !owner->Free(memory)) return Answer(cudaErrorInvalidValue);
  return Answer(owner->error());
}

cudaError_t cudaHostAlloc(void** memory, size_t bytes, unsigned flags) {
  return OnCurrentDevice([&](const std::shared_ptr<Device>&) {
    constexpr unsigned kKnown = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
    if (memory == nullptr || (flags & ~kKnown) != 0) return cudaErrorInvalidValue;
    if (World::Get().RefusedByCaptures()) return cudaErrorStreamCaptureUnsupported;
    *memory = bytes == 0 ? nullptr : World::Get().pinned().Allocate(bytes);
    return *memory == nullptr && bytes > 0 ? cudaErrorMemoryAllocation : cudaSuccess;
  });
}

cudaError_t cudaFreeHost(void* memory) {
  if (Stream::IsOnThread()) return Answer(cudaErrorNotPermitted);
  if (memory == nullptr) return cudaSuccess;
  if (World::Get().RefusedByCaptures()) return Answer(cudaErrorStreamCaptureUnsupported);
  return Answer(World::Get().pinned().Free(memory) ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return OnStream(stream, [&](Stream& found) {
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
    if (bytes == 0) return cudaSuccess;
    if (to == nullptr || from == nullptr) return cudaErrorInvalidValue;
    Side target = SideAt(to, bytes), source = SideAt(from, bytes);
    const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    if (kind != cudaMemcpyDefault &&
        (to_device != (target.owner != nullptr) || from_device != (source.owner != nullptr))) {
      return cudaErrorInvalidValue;
    }
    return PushCopy(found, std::move(target), std::move(source));
  });
}

cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t bytes,
                                cudaStream_t stream) {
  return OnStream(stream, [&](Stream& found) {
    const std::shared_ptr<Device> target_device = World::Get().device(to_device);
    const std::shared_ptr<Device> source_device = World::Get().device(from_device);
    if (target_device == nullptr || source_device == nullptr) return cudaErrorInvalidDevice;
    if (bytes == 0) return cudaSuccess;
    Side target = SideAt(to, bytes), source = SideAt(from, bytes);
    if (target.owner != target_device || source.owner != source_device) return cudaErrorInvalidValue;
    return PushCopy(found, std::move(target), std::move(source));
  });
}

cudaError_t cudaMemsetAsync(void* memory, int value, size_t bytes, cudaStream_t stream) {
  return OnStream(stream, [&](Stream& found) {
    if (bytes == 0) return cudaSuccess;
    Side side = SideAt(memory, bytes);
    if (side.owner == nullptr && !side.is_pinned) return cudaErrorInvalidValue;
    if (found.capture() == nullptr) ++World::Get().counters().fills;
    found.Push([side = std::move(side), value] { return Fill(side, value); });
    return cudaSuccess;
  });
}

}  // namespace cuda_emulated

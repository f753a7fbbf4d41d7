// What calls of the fake CUDA runtime have in common: who may call, which device is meant, and the last error.
#pragma once

#include <memory>
#include <vector>

#include "fastpath/gpu/emulator/world.h"

namespace plumb::fast::emulated_gpu::emulator {

// Remembers an error for cudaGetLastError, and hands it on.
cudaError_t Answer(cudaError_t error);
// Null where this host thread's device does not exist.
std::shared_ptr<Device> CurrentDevice();

// Whether one of the streams captures, which a call that waits for it does not survive.
bool RefusedByCaptures(const std::vector<std::shared_ptr<Stream>>& streams);

// `act(device)` for the current device; the failure of a device that has failed.
template <class Act>
cudaError_t OnCurrentDevice(const Act& act) {
  if (Stream::IsOnThread()) return Answer(cudaErrorNotPermitted);
  const std::shared_ptr<Device> device = CurrentDevice();
  if (device == nullptr) return Answer(World::Get().devices() == 0 ? cudaErrorNoDevice : cudaErrorInvalidDevice);
  if (device->error() != cudaSuccess) return Answer(device->error());
  return Answer(act(device));
}

// `act(stream)`; the failure of the stream's device, where it has failed by then.
template <class Act>
cudaError_t OnStream(cudaStream_t handle, const Act& act) {
  if (Stream::IsOnThread()) return Answer(cudaErrorNotPermitted);
  const std::shared_ptr<Stream> stream = World::Get().Find(handle);
  if (stream == nullptr) return Answer(cudaErrorInvalidResourceHandle);
  if (stream->device()->error() != cudaSuccess) return Answer(stream->device()->error());
  const std::shared_ptr<Capture> capture = stream->capture();
  if (capture != nullptr && !capture->is_valid()) return Answer(cudaErrorStreamCaptureInvalidated);
  return Answer(act(*stream));
}

}  // namespace plumb::fast::emulated_gpu::emulator

// Streams, events and launches of the fake CUDA runtime.
#include <cuda_runtime_api.h>

#include <exception>
#include <utility>
#include <vector>

#include "fastpath/gpu/emulator/include/gpu_language.h"
#include "fastpath/gpu/emulator/runtime_call.h"

namespace plumb::fast::emulated_gpu::emulator {
namespace {

Failure RunGrid(const Device& device, const GridSize& size, const void* kernel, const std::function<void()>& body) {
  std::vector<std::shared_ptr<void>> held;  // pinned memory that the grid has touched
  const auto find = [&](const void* address) {
    if (device.Owns(address)) return device.Find(address);
    PinnedMemory::Block block = World::Get().pinned().Find(address);
    held.push_back(std::move(block.holder));
    return block.range;
  };
  try {
    Grid::Run(kernel, size, body, find);
  } catch (const IllegalAddress& error) {
    return {cudaErrorIllegalAddress, error.status()};
  } catch (const Error& error) {
    return {cudaErrorLaunchFailure, error.status()};
  } catch (const std::exception& error) {
    return {cudaErrorLaunchFailure, Status(Code::kInternal, Str("a kernel threw: ", error.what()))};
  }
  return {};
}

// A stream waits for what another one, or the same, was given while it captured.
cudaError_t WaitWhileCapturing(Stream& waiting, const Event& event) {
  const std::shared_ptr<Capture> own = waiting.capture();
  if (event.captured == nullptr) {
    if (event.recorded == nullptr) return cudaSuccess;
    own->Invalidate();
    return cudaErrorStreamCaptureIsolation;
  }
  const bool goes_on = event.stream->capture() == event.captured;
  if (!goes_on) {
    if (own != nullptr) own->Invalidate();
    return cudaErrorCapturedEvent;
  }
  if (own == nullptr) {
    event.captured->Enter(waiting.shared_from_this());
    waiting.SetCapture(event.captured);
    return cudaSuccess;
  }
  if (own != event.captured) {
    own->Invalidate();
    event.captured->Invalidate();
    return cudaErrorStreamCaptureMerge;
  }
  own->Join(waiting, *event.stream, event.position);
  return cudaSuccess;
}

// What whoever asks an event is refused for.
cudaError_t AskedOfEvent(const Event& event) {
  if (event.captured != nullptr) {
    event.captured->Invalidate();
    return cudaErrorCapturedEvent;
  }
  return World::Get().RefusedByCaptures() ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
}

}  // namespace

bool RefusedByCaptures(const std::vector<std::shared_ptr<Stream>>& streams) {
  bool is_refused = false;
  for (const auto& stream : streams) {
    const std::shared_ptr<Capture> capture = stream->capture();
    if (capture == nullptr) continue;
    capture->Invalidate();
    is_refused = true;
  }
  return is_refused;
}

}  // namespace plumb::fast::emulated_gpu::emulator

namespace plumb::fast::emulated_gpu {

void LaunchGrid(cudaStream_t stream, const GridSize& size, const void* kernel, std::function<void()> body) {
  if (emulator::Stream::IsOnThread()) throw Internal("a kernel is launched by a kernel or by a host function");
  if (size.blocks == 0) return;
  emulator::Grid::Check(size);
  const std::shared_ptr<emulator::Stream> found = emulator::World::Get().Find(stream);
  if (found == nullptr) throw Internal("a kernel is launched in a stream that does not exist");
  if (found->device() != emulator::CurrentDevice()) {
    throw Internal("a kernel is launched in a stream of GPU ", found->device()->number(),
                   ", which is not the current device: call cudaSetDevice before");
  }
  if (const cudaError_t error = emulator::Answer(found->device()->error()); error != cudaSuccess) {
    throw Internal("a kernel is launched on GPU ", found->device()->number(),
                   ", which has failed: ", cudaGetErrorName(error), ", ", found->device()->failure().message());
  }
  const std::shared_ptr<emulator::Capture> capture = found->capture();
  if (capture == nullptr) ++emulator::World::Get().counters().kernels;
  if (capture != nullptr && !capture->is_valid()) {
    emulator::Answer(cudaErrorStreamCaptureInvalidated);
    throw Internal("a kernel is launched in a stream that captures what was refused before");
  }
  found->Push([device = found->device(), size, kernel, body = std::move(body)] {
    return emulator::RunGrid(*device, size, kernel, body);
  });
}

}  // namespace plumb::fast::emulated_gpu

inline namespace cuda_emulated {

using namespace plumb::fast::emulated_gpu::emulator;

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return OnCurrentDevice([&](const std::shared_ptr<Device>& device) {
    if (stream == nullptr || flags > cudaStreamNonBlocking) return cudaErrorInvalidValue;
    *stream = World::Get().NewStream(device);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  if (Stream::IsOnThread()) return Answer(cudaErrorNotPermitted);
  const std::shared_ptr<Stream> found = World::Get().Find(stream);
  if (found != nullptr && RefusedByCaptures({found})) return Answer(cudaErrorStreamCaptureUnsupported);
  if (found == nullptr || !World::Get().Destroy(stream)) return Answer(cudaErrorInvalidResourceHandle);
  return Answer(found->device()->error());
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  if (Stream::IsOnThread()) return Answer(cudaErrorNotPermitted);
  const std::shared_ptr<Stream> found = World::Get().Find(stream);
  if (found == nullptr) return Answer(cudaErrorInvalidResourceHandle);
  if (RefusedByCaptures({found}) || World::Get().RefusedByCaptures()) {
    return Answer(cudaErrorStreamCaptureUnsupported);
  }
  found->Mark()->Await();
  return Answer(found->device()->error());
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return OnStream(stream, [](Stream& found) {
    if (RefusedByCaptures({found.shared_from_this()})) return cudaErrorStreamCaptureUnsupported;
    if (!found.IsIdle()) return cudaErrorNotReady;
    return found.device()->error();
  });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  return OnStream(stream, [&](Stream& found) {
    const Event recorded = World::Get().Find(event);
    if (recorded.device == nullptr) return cudaErrorInvalidResourceHandle;
    if (flags != cudaEventWaitDefault) return cudaErrorInvalidValue;
    if (found.capture() != nullptr || recorded.captured != nullptr) return WaitWhileCapturing(found, recorded);
    if (recorded.recorded != nullptr) found.PushWait(recorded.recorded);
    return cudaSuccess;
  });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* user_data) {
  return OnStream(stream, [&](Stream& found) {
    if (function == nullptr) return cudaErrorInvalidValue;
    found.PushHostFunction([function, user_data] { function(user_data); });
    return cudaSuccess;
  });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return OnCurrentDevice([&](const std::shared_ptr<Device>& device) {
    if (event == nullptr || (flags & ~(cudaEventBlockingSync | cudaEventDisableTiming)) != 0)
      return cudaErrorInvalidValue;
    *event = World::Get().NewEvent(device, (flags & cudaEventDisableTiming) == 0);
    return cudaSuccess;
  });
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  if (Stream::IsOnThread()) return Answer(cudaErrorNotPermitted);
  const Event found = World::Get().Find(event);
  if (found.device == nullptr || !World::Get().Destroy(event)) return Answer(cudaErrorInvalidResourceHandle);
  return Answer(found.device->error());
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return OnStream(stream, [&](Stream& found) {
    const Event known = World::Get().Find(event);
    if (known.device == nullptr || known.device != found.device()) return cudaErrorInvalidResourceHandle;
    Event recorded;
    recorded.device = known.device;
    recorded.is_timed = known.is_timed;
    if ((recorded.captured = found.capture()) != nullptr) {
      recorded.stream = found.shared_from_this();
      recorded.position = recorded.captured->PositionOf(found);
    } else {
      recorded.recorded = found.Mark();
    }
    World::Get().SetRecorded(event, std::move(recorded));
    return cudaSuccess;
  });
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  if (Stream::IsOnThread()) return Answer(cudaErrorNotPermitted);
  const Event found = World::Get().Find(event);
  if (found.device == nullptr) return Answer(cudaErrorInvalidResourceHandle);
  if (found.device->error() != cudaSuccess) return Answer(found.device->error());
  if (const cudaError_t refused = AskedOfEvent(found); refused != cudaSuccess) return Answer(refused);
  return found.recorded == nullptr || found.recorded->has_happened() ? cudaSuccess : cudaErrorNotReady;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  if (Stream::IsOnThread()) return Answer(cudaErrorNotPermitted);
  const Event found = World::Get().Find(event);
  if (found.device == nullptr) return Answer(cudaErrorInvalidResourceHandle);
  if (const cudaError_t refused = AskedOfEvent(found); refused != cudaSuccess) return Answer(refused);
  if (found.recorded != nullptr) found.recorded->Await();
  return Answer(found.device->error());
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  if (Stream::IsOnThread()) return Answer(cudaErrorNotPermitted);
  if (milliseconds == nullptr) return Answer(cudaErrorInvalidValue);
  const Event first = World::Get().Find(start), last = World::Get().Find(end);
  for (const Event& event : {first, last}) {
    if (event.device == nullptr || !event.is_timed) return Answer(cudaErrorInvalidResourceHandle);
    if (const cudaError_t refused = AskedOfEvent(event); refused != cudaSuccess) return Answer(refused);
    if (event.recorded == nullptr) return Answer(cudaErrorInvalidResourceHandle);
  }
  if (first.device != last.device) return Answer(cudaErrorInvalidResourceHandle);
  if (first.device->error() != cudaSuccess) return Answer(first.device->error());
  if (!first.recorded->has_happened() || !last.recorded->has_happened()) return cudaErrorNotReady;
  *milliseconds = static_cast<float>(last.recorded->time() - first.recorded->time()) / 1000;
  return cudaSuccess;
}

}  // namespace cuda_emulated

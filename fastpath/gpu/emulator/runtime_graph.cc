// Captures and graphs of the fake CUDA runtime.
#include <algorithm>
#include <utility>

#include "fastpath/gpu/emulator/runtime_call.h"

namespace plumb::fast::emulated_gpu::emulator {
namespace {

constexpr size_t kBytesOfNode = 64;  // of the device's memory, in a graph that is ready to be launched

// How a capture ends by a call of this thread for this stream.
cudaError_t EndOf(const Capture& capture, const Stream& stream) {
  if (capture.origin() != &stream) return cudaErrorStreamCaptureUnmatched;
  if (!capture.is_valid()) return cudaErrorStreamCaptureInvalidated;
  return capture.IsJoined() ? cudaSuccess : cudaErrorStreamCaptureUnjoined;
}

// One launch of a graph, as the stream does it.
void PushLaunch(Stream& stream, const std::shared_ptr<GraphExec>& exec) {
  ++exec->queued;
  const auto begin = [exec]() PLUMB_NO_THREAD_SAFETY_ANALYSIS {  // on the stream's thread, which ends it too
    exec->turn.lock();
    return Failure();
  };
  const auto end = [exec]() PLUMB_NO_THREAD_SAFETY_ANALYSIS {
    --exec->queued;
    exec->turn.unlock();
  };
  stream.PushGraph(exec->graph.work, begin, end);
}

}  // namespace
}  // namespace plumb::fast::emulated_gpu::emulator

inline namespace cuda_emulated {

using namespace plumb::fast::emulated_gpu::emulator;

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return OnStream(stream, [&](Stream& found) {
    if (mode < cudaStreamCaptureModeGlobal || mode > cudaStreamCaptureModeRelaxed) return cudaErrorInvalidValue;
    if (found.capture() != nullptr) return cudaErrorIllegalState;
    const auto capture = std::make_shared<Capture>(&found, mode);
    found.SetCapture(capture);
    World::Get().Begin(capture);
    return cudaSuccess;
  });
}

// Also of a device that has failed: the stream captures no longer.
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  if (Stream::IsOnThread()) return Answer(cudaErrorNotPermitted);
  if (graph == nullptr) return Answer(cudaErrorInvalidValue);
  *graph = nullptr;
  const std::shared_ptr<Stream> found = World::Get().Find(stream);
  if (found == nullptr) return Answer(cudaErrorInvalidResourceHandle);
  const std::shared_ptr<Capture> capture = found->capture();
  if (capture == nullptr) return Answer(cudaErrorIllegalState);
  if (capture->IsOfOtherThread()) return Answer(cudaErrorStreamCaptureWrongThread);
  const cudaError_t ended = EndOf(*capture, *found);
  if (ended == cudaErrorStreamCaptureUnmatched) {
    capture->Invalidate();
    return Answer(ended);
  }
  for (const auto& other : capture->others()) other->SetCapture(nullptr);
  found->SetCapture(nullptr);
  GraphWork work = capture->End();
  if (ended != cudaSuccess) return Answer(ended);
  if (found->device()->error() != cudaSuccess) return Answer(found->device()->error());
  *graph = World::Get().NewGraph({found->device(), std::make_shared<const GraphWork>(std::move(work))});
  return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  if (status == nullptr) return Answer(cudaErrorInvalidValue);
  const std::shared_ptr<Stream> found = World::Get().Find(stream);
  if (found == nullptr) return Answer(cudaErrorInvalidResourceHandle);
  const std::shared_ptr<Capture> capture = found->capture();
  *status = capture == nullptr    ? cudaStreamCaptureStatusNone
            : capture->is_valid() ? cudaStreamCaptureStatusActive
                                  : cudaStreamCaptureStatusInvalidated;
  return cudaSuccess;
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  const Graph found = World::Get().Find(graph);
  if (found.device == nullptr || count == nullptr) return Answer(cudaErrorInvalidValue);
  if (nodes != nullptr) return Answer(cudaErrorNotSupported);
  *count = found.work->size();
  return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return Answer(World::Get().Destroy(graph) ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags) {
  if (Stream::IsOnThread()) return Answer(cudaErrorNotPermitted);
  const Graph found = World::Get().Find(graph);
  if (exec == nullptr || found.device == nullptr || flags != 0) return Answer(cudaErrorInvalidValue);
  if (World::Get().RefusedByCaptures()) return Answer(cudaErrorStreamCaptureUnsupported);
  if (found.device->error() != cudaSuccess) return Answer(found.device->error());
  void* const memory = found.device->Allocate(std::max<size_t>(1, found.work->size()) * kBytesOfNode);
  if (memory == nullptr) return Answer(cudaErrorMemoryAllocation);
  *exec = World::Get().NewExec(found, memory);
  return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  return OnStream(stream, [&](Stream& found) {
    const std::shared_ptr<GraphExec> known = World::Get().Find(exec);
    if (known == nullptr || known->graph.device != found.device()) return cudaErrorInvalidValue;
    if (const auto capture = found.capture()) {
      capture->Invalidate();
      return cudaErrorStreamCaptureUnsupported;
    }
    ++World::Get().counters().graphs;
    PushLaunch(found, known);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  if (Stream::IsOnThread()) return Answer(cudaErrorNotPermitted);
  const std::shared_ptr<GraphExec> known = World::Get().Find(exec);
  if (known == nullptr || !World::Get().Destroy(exec)) return Answer(cudaErrorInvalidValue);
  const std::shared_ptr<Device>& device = known->graph.device;
  device->Free(known->memory);
  if (known->queued > 0 && device->error() == cudaSuccess) {
    device->Fail({cudaErrorIllegalAddress,
                  plumb::Status(plumb::Code::kInternal, "a graph was destroyed before it had been done")});
  }
  return Answer(device->error());
}

}  // namespace cuda_emulated

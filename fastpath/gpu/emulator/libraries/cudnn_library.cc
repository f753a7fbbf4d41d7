// The fake of cuDNN as a library: its functions by name, its version, its handles.
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include "fastpath/gpu/emulator/libraries/cudnn_world.h"
#include "fastpath/gpu/emulator/world.h"
#include "fastpath/gpu/lib/dnn/cudnn_functions.h"

namespace plumb::fast::emulated_gpu {
namespace emulator {

CudnnWorld& CudnnWorld::Get() {
  static CudnnWorld& world = *new CudnnWorld;
  return world;
}

CudnnWorld::CudnnWorld() {
  const char* const asked = std::getenv("PLUMB_EMULATED_CUDNN");
  installed_.lacks_some = true;
  installed_.is_installed = asked == nullptr || std::string_view(asked) != "absent";
}

EmulatedCudnn CudnnWorld::installed() const {
  MutexLock lock(mutex_);
  return installed_;
}

EmulatedCudnn CudnnWorld::Install(const EmulatedCudnn& installed) {
  MutexLock lock(mutex_);
  return std::exchange(installed_, installed);
}

CudnnCalls CudnnWorld::calls() const {
  MutexLock lock(mutex_);
  return calls_;
}

}  // namespace emulator

using emulator::CudnnWorld;

namespace {

void* FindByName(const char* name) {
#define PLUMB_IF_NAMED(function) \
  if (std::strcmp(name, #function) == 0) return reinterpret_cast<void*>(&function);  // NOLINT: as dlsym does
  PLUMB_CUDNN_FUNCTIONS(PLUMB_IF_NAMED)
  PLUMB_CUDNN_GRAPH_FUNCTIONS(PLUMB_IF_NAMED)
#undef PLUMB_IF_NAMED
  return nullptr;
}

}  // namespace

FindFunction OpenCudnn(std::string* why) {
  if (CudnnWorld::Get().installed().is_installed) return FindByName;
  *why = "libcudnn.so.9: the emulator is told to have none";
  return nullptr;
}

EmulatedCudnn InstallEmulatedCudnn(const EmulatedCudnn& installed) { return CudnnWorld::Get().Install(installed); }
CudnnCalls EmulatedCudnnCalls() { return CudnnWorld::Get().calls(); }

int64_t CudnnCalls::convolutions() const {
  int64_t sum = 0;
  for (const auto& [algorithm, count] : forward) sum += count;
  for (const auto& [algorithm, count] : to_images) sum += count;
  for (const auto& [algorithm, count] : to_filter) sum += count;
  for (const auto& [engine, count] : engines) sum += count;
  return sum;
}

size_t cudnnGetVersion() { return CudnnWorld::Get().installed().version; }

const char* cudnnGetErrorString(cudnnStatus_t status) {
  switch (status / kCudnnStatusKind) {
    case CUDNN_STATUS_SUCCESS:
      return "CUDNN_STATUS_SUCCESS";
    case CUDNN_STATUS_NOT_INITIALIZED / kCudnnStatusKind:
      return "CUDNN_STATUS_NOT_INITIALIZED";
    case CUDNN_STATUS_BAD_PARAM / kCudnnStatusKind:
      return "CUDNN_STATUS_BAD_PARAM";
    case CUDNN_STATUS_NOT_SUPPORTED / kCudnnStatusKind:
      return "CUDNN_STATUS_NOT_SUPPORTED";
    case CUDNN_STATUS_INTERNAL_ERROR / kCudnnStatusKind:
      return "CUDNN_STATUS_INTERNAL_ERROR";
    default:
      return "CUDNN_STATUS_EXECUTION_FAILED";
  }
}

// It takes memory of the device.
cudnnStatus_t cudnnCreate(cudnnHandle_t* handle) {
  if (handle == nullptr) return CUDNN_STATUS_BAD_PARAM;
  if (!CudnnWorld::Get().installed().can_begin) return CUDNN_STATUS_NOT_INITIALIZED;
  if (emulator::World::Get().RefusedByCaptures()) return CUDNN_STATUS_INTERNAL_ERROR;
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess) return CUDNN_STATUS_NOT_INITIALIZED;
  *handle = new cudnnContext{nullptr, device};
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnDestroy(cudnnHandle_t handle) {
  delete handle;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetStream(cudnnHandle_t handle, cudaStream_t stream) {
  if (handle == nullptr) return CUDNN_STATUS_BAD_PARAM;
  const auto found = emulator::World::Get().Find(stream);
  if (found == nullptr || found->device()->number() != handle->device) return CUDNN_STATUS_BAD_PARAM;
  handle->stream = stream;
  return CUDNN_STATUS_SUCCESS;
}

}  // namespace plumb::fast::emulated_gpu

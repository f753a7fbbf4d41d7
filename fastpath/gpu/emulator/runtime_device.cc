// Errors and devices of the fake CUDA runtime.
#include <cstdio>

#include "fastpath/gpu/emulator/runtime_call.h"

namespace plumb::fast::emulated_gpu::emulator {
namespace {

thread_local int current_device = 0;
thread_local cudaError_t last_error = cudaSuccess;

struct ErrorText {
  cudaError_t error;
  const char* name;
  const char* text;
};

// The texts are those of the toolkit's library.
constexpr ErrorText kErrors[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInitializationError, "cudaErrorInitializationError", "initialization error"},
    {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {cudaErrorInvalidMemcpyDirection, "cudaErrorInvalidMemcpyDirection", "invalid copy direction for memcpy"},
    {cudaErrorInsufficientDriver, "cudaErrorInsufficientDriver",
     "CUDA driver version is insufficient for CUDA runtime version"},
    {cudaErrorDevicesUnavailable, "cudaErrorDevicesUnavailable", "CUDA-capable device(s) is/are busy or unavailable"},
    {cudaErrorNoDevice, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {cudaErrorNoKernelImageForDevice, "cudaErrorNoKernelImageForDevice",
     "no kernel image is available for execution on the device"},
    {cudaErrorECCUncorrectable, "cudaErrorECCUncorrectable", "uncorrectable ECC error encountered"},
    {cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {cudaErrorIllegalState, "cudaErrorIllegalState", "the operation cannot be performed in the present state"},
    {cudaErrorNotReady, "cudaErrorNotReady", "device not ready"},
    {cudaErrorIllegalAddress, "cudaErrorIllegalAddress", "an illegal memory access was encountered"},
    {cudaErrorLaunchOutOfResources, "cudaErrorLaunchOutOfResources", "too many resources requested for launch"},
    {cudaErrorLaunchFailure, "cudaErrorLaunchFailure", "unspecified launch failure"},
    {cudaErrorNotPermitted, "cudaErrorNotPermitted", "operation not permitted"},
    {cudaErrorNotSupported, "cudaErrorNotSupported", "operation not supported"},
    {cudaErrorStreamCaptureUnsupported, "cudaErrorStreamCaptureUnsupported",
     "operation not permitted when stream is capturing"},
    {cudaErrorStreamCaptureInvalidated, "cudaErrorStreamCaptureInvalidated",
     "operation failed due to a previous error during capture"},
    {cudaErrorStreamCaptureMerge, "cudaErrorStreamCaptureMerge",
     "operation would result in a merge of separate capture sequences"},
    {cudaErrorStreamCaptureUnmatched, "cudaErrorStreamCaptureUnmatched",
     "capture was not ended in the same stream as it began"},
    {cudaErrorStreamCaptureUnjoined, "cudaErrorStreamCaptureUnjoined", "capturing stream has unjoined work"},
    {cudaErrorStreamCaptureIsolation, "cudaErrorStreamCaptureIsolation",
     "dependency created on uncaptured work in another stream"},
    {cudaErrorCapturedEvent, "cudaErrorCapturedEvent",
     "operation not permitted on an event last recorded in a capturing stream"},
    {cudaErrorStreamCaptureWrongThread, "cudaErrorStreamCaptureWrongThread",
     "attempt to terminate a thread-local capture sequence from another thread"},
    {cudaErrorUnknown, "cudaErrorUnknown", "unknown error"},
};

const ErrorText* Find(cudaError_t error) {
  for (const ErrorText& known : kErrors) {
    if (known.error == error) return &known;
  }
  return nullptr;
}

cudaError_t Store(int* to, int value) {
  if (to == nullptr) return Answer(cudaErrorInvalidValue);
  *to = value;
  return cudaSuccess;
}

}  // namespace

cudaError_t Answer(cudaError_t error) {
  if (error != cudaSuccess && error != cudaErrorNotReady) last_error = error;
  return error;
}

std::shared_ptr<Device> CurrentDevice() { return World::Get().device(current_device); }

}  // namespace plumb::fast::emulated_gpu::emulator

inline namespace cuda_emulated {

using namespace plumb::fast::emulated_gpu::emulator;

const char* cudaGetErrorName(cudaError_t error) {
  const ErrorText* const known = Find(error);
  return known == nullptr ? "unrecognized error code" : known->name;
}

const char* cudaGetErrorString(cudaError_t error) {
  const ErrorText* const known = Find(error);
  return known == nullptr ? "unrecognized error code" : known->text;
}

cudaError_t cudaGetLastError() {
  const cudaError_t error = cudaPeekAtLastError();
  last_error = cudaSuccess;
  return error;
}

cudaError_t cudaPeekAtLastError() {
  const std::shared_ptr<Device> device = CurrentDevice();
  return last_error != cudaSuccess || device == nullptr ? last_error : device->error();
}

cudaError_t cudaDriverGetVersion(int* version) { return Store(version, CUDART_VERSION); }
cudaError_t cudaRuntimeGetVersion(int* version) { return Store(version, CUDART_VERSION); }

cudaError_t cudaGetDeviceCount(int* count) {
  const int devices = World::Get().devices();
  const cudaError_t error = Store(count, devices);
  return error == cudaSuccess && devices == 0 ? Answer(cudaErrorNoDevice) : error;
}

cudaError_t cudaSetDevice(int device) {
  if (Stream::IsOnThread()) return Answer(cudaErrorNotPermitted);
  if (World::Get().device(device) == nullptr) return Answer(cudaErrorInvalidDevice);
  current_device = device;
  return cudaSuccess;
}

cudaError_t cudaGetDevice(int* device) { return Store(device, current_device); }

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  const std::shared_ptr<Device> found = World::Get().device(device);
  if (properties == nullptr) return Answer(cudaErrorInvalidValue);
  if (found == nullptr) return Answer(cudaErrorInvalidDevice);
  *properties = {};
  std::snprintf(properties->name, sizeof properties->name, "Emulated GPU");
  properties->totalGlobalMem = found->memory();
  properties->major = 9;
  properties->minor = 0;
  properties->multiProcessorCount = 4;
  return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize() {
  if (Stream::IsOnThread()) return Answer(cudaErrorNotPermitted);
  const std::shared_ptr<Device> device = CurrentDevice();
  if (device == nullptr) return Answer(cudaErrorInvalidDevice);
  const auto streams = World::Get().StreamsOf(*device);
  if (RefusedByCaptures(streams)) return Answer(cudaErrorStreamCaptureUnsupported);
  for (const auto& stream : streams) stream->Mark()->Await();
  return Answer(device->error());
}

}  // namespace cuda_emulated

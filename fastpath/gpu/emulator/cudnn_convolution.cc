// Convolutions of the fake of cuDNN: plain loops, as kernels of the emulator, which checks every access against the
// extent of the operands. All algorithms are these loops; what they need of a workspace is written to.
#include "fastpath/gpu/emulator/cudnn_convolution.h"

#include <cstdint>
#include <type_traits>

#include "fastpath/gpu/emulator/cudnn_algorithms.h"
#include "fastpath/gpu/emulator/include/gpu_language.h"
#include "fastpath/gpu/emulator/tf32.h"
#include "fastpath/gpu/emulator/world.h"

namespace plumb::fast::emulated_gpu {
namespace emulator {
namespace {

constexpr size_t kWorkspaceAlignment = 16;
constexpr int64_t kTouched = 256;         // one byte of so many
constexpr int64_t kAlgorithmTakes = 100;  // microseconds of the emulator's clock

template <class T>
using SumOf = std::conditional_t<std::is_same_v<T, double>, double, float>;

using Place = std::array<int64_t, kMostAxesOfSpace>;

// The digits of `rest` in the number system of these sizes, the last axis first; it is left with what is above them.
Place TakePlace(int64_t& rest, const Place& sizes) {
  Place place{};
  for (size_t i = kMostAxesOfSpace; i-- > 0;) {
    place[i] = rest % sizes[i];
    rest /= sizes[i];
  }
  return place;
}
// To the next place of these sizes; false behind the last one, which is followed by the first.
bool Advance(Place& place, const Place& sizes) {
  for (size_t i = kMostAxesOfSpace; i-- > 0;) {
    if (++place[i] < sizes[i]) return true;
    place[i] = 0;
  }
  return false;
}

int64_t Offset(const std::array<int64_t, kMostAxesOfSpace + 2>& strides, int64_t first, int64_t channel,
               const Place& place) {
  return first * strides[0] + channel * strides[1] + place[0] * strides[2] + place[1] * strides[3] +
         place[2] * strides[4];
}

// Where an output's window has its `at`-th place in the input; false for padding.
bool Seen(const Convolved& it, const Place& output, const Place& at, Place& input) {
  for (size_t i = 0; i < kMostAxesOfSpace; ++i) {
    input[i] = output[i] * it.stride[i] - it.padding[i] + at[i] * it.dilation[i];
    if (input[i] < 0 || input[i] >= it.in[i]) return false;
  }
  return true;
}
// The output whose window has `input` at its `at`-th place; false where there is none.
bool SeenBy(const Convolved& it, const Place& input, const Place& at, Place& output) {
  for (size_t i = 0; i < kMostAxesOfSpace; ++i) {
    const int64_t first = input[i] + it.padding[i] - at[i] * it.dilation[i];
    output[i] = first / it.stride[i];
    if (first < 0 || first % it.stride[i] != 0 || output[i] >= it.out[i]) return false;
  }
  return true;
}

template <class T>
void Finish(T& result, SumOf<T> sum, SumOf<T> alpha, SumOf<T> beta) {
  sum *= alpha;
  if (beta != 0) sum += beta * static_cast<SumOf<T>>(result);
  result = static_cast<T>(sum);
}

int64_t FirstThread() { return BlockNumber() * Threads() + ThreadNumber(); }
int64_t AllThreads() { return Blocks() * Threads(); }

template <class T>
PLUMB_GPU_KERNEL Forward(Convolved it, SumOf<T> alpha, SumOf<T> beta, Global<const T> x, Global<const T> w,
                         Global<T> y) {
  const int64_t group_in = it.channels_in / it.groups, group_out = it.channels_out / it.groups;
  for (int64_t i = FirstThread(); i < it.y_elements(); i += AllThreads()) {
    int64_t rest = i;
    const Place output = TakePlace(rest, it.out);
    const int64_t channel = rest % it.channels_out, image = rest / it.channels_out;
    SumOf<T> sum = 0;
    Place at{}, input{};
    do {
      if (!Seen(it, output, at, input)) continue;
      const int64_t from = Offset(it.x_strides, image, channel / group_out * group_in, input);
      const int64_t weight = Offset(it.w_strides, channel, 0, at);
      for (int64_t c = 0; c < group_in; ++c) {
        sum += FactorOf<SumOf<T>>(x[from + c * it.x_strides[1]], it.as_tf32) *
               FactorOf<SumOf<T>>(w[weight + c * it.w_strides[1]], it.as_tf32);
      }
    } while (Advance(at, it.window));
    Finish(y[Offset(it.y_strides, image, channel, output)], sum, alpha, beta);
  }
}

template <class T>
PLUMB_GPU_KERNEL ToImages(Convolved it, SumOf<T> alpha, SumOf<T> beta, Global<const T> w, Global<const T> dy,
                          Global<T> dx) {
  const int64_t group_in = it.channels_in / it.groups, group_out = it.channels_out / it.groups;
  for (int64_t i = FirstThread(); i < it.x_elements(); i += AllThreads()) {
    int64_t rest = i;
    const Place input = TakePlace(rest, it.in);
    const int64_t channel = rest % it.channels_in, image = rest / it.channels_in;
    SumOf<T> sum = 0;
    Place at{}, output{};
    const int64_t first = channel / group_in * group_out;  // of the channels out of its group
    do {
      if (!SeenBy(it, input, at, output)) continue;
      const int64_t weight = Offset(it.w_strides, first, channel % group_in, at);
      const int64_t to = Offset(it.y_strides, image, first, output);
      for (int64_t k = 0; k < group_out; ++k) {
        sum += FactorOf<SumOf<T>>(w[weight + k * it.w_strides[0]], it.as_tf32) *
               FactorOf<SumOf<T>>(dy[to + k * it.y_strides[1]], it.as_tf32);
      }
    } while (Advance(at, it.window));
    Finish(dx[Offset(it.x_strides, image, channel, input)], sum, alpha, beta);
  }
}

template <class T>
PLUMB_GPU_KERNEL ToFilter(Convolved it, SumOf<T> alpha, SumOf<T> beta, Global<const T> x, Global<const T> dy,
                          Global<T> dw) {
  const int64_t group_in = it.channels_in / it.groups, group_out = it.channels_out / it.groups;
  for (int64_t i = FirstThread(); i < it.w_elements(); i += AllThreads()) {
    int64_t rest = i;
    const Place at = TakePlace(rest, it.window);
    const int64_t c = rest % group_in, channel = rest / group_in, from = channel / group_out * group_in + c;
    SumOf<T> sum = 0;
    Place input{}, output{};
    for (int64_t image = 0; image < it.images; ++image) {
      do {
        if (!Seen(it, output, at, input)) continue;
        sum += FactorOf<SumOf<T>>(x[Offset(it.x_strides, image, from, input)], it.as_tf32) *
               FactorOf<SumOf<T>>(dy[Offset(it.y_strides, image, channel, output)], it.as_tf32);
      } while (Advance(output, it.out));
    }
    Finish(dw[Offset(it.w_strides, channel, c, at)], sum, alpha, beta);
  }
}

PLUMB_GPU_KERNEL Touch(Global<uint8_t> workspace) {
  for (int64_t i = FirstThread() * kTouched; i < workspace.size; i += AllThreads() * kTouched) workspace[i] = 0xAB;
  if (FirstThread() == 0) workspace[workspace.size - 1] = 0xAB;
}

GridSize GridFor(int64_t elements) { return {.blocks = (elements + 255) / 256, .threads = 256, .has_barriers = false}; }

template <class T>
void QueueForward(cudaStream_t stream, const Convolved& it, const ConvolutionData& data) {
  Launch(stream, GridFor(it.y_elements()), Forward<T>, it, *static_cast<const SumOf<T>*>(data.alpha),
         *static_cast<const SumOf<T>*>(data.beta), Global<const T>(static_cast<const T*>(data.first), it.x_elements()),
         Global<const T>(static_cast<const T*>(data.second), it.w_elements()),
         Global<T>(static_cast<T*>(data.result), it.y_elements()));
}
template <class T>
void QueueToImages(cudaStream_t stream, const Convolved& it, const ConvolutionData& data) {
  Launch(stream, GridFor(it.x_elements()), ToImages<T>, it, *static_cast<const SumOf<T>*>(data.alpha),
         *static_cast<const SumOf<T>*>(data.beta), Global<const T>(static_cast<const T*>(data.first), it.w_elements()),
         Global<const T>(static_cast<const T*>(data.second), it.y_elements()),
         Global<T>(static_cast<T*>(data.result), it.x_elements()));
}
template <class T>
void QueueToFilter(cudaStream_t stream, const Convolved& it, const ConvolutionData& data) {
  Launch(stream, GridFor(it.w_elements()), ToFilter<T>, it, *static_cast<const SumOf<T>*>(data.alpha),
         *static_cast<const SumOf<T>*>(data.beta), Global<const T>(static_cast<const T*>(data.first), it.x_elements()),
         Global<const T>(static_cast<const T*>(data.second), it.y_elements()),
         Global<T>(static_cast<T*>(data.result), it.w_elements()));
}

void Count(CudnnCalls& calls, cudnnConvolutionFwdAlgo_t algorithm) { ++calls.forward[algorithm]; }
void Count(CudnnCalls& calls, cudnnConvolutionBwdDataAlgo_t algorithm) { ++calls.to_images[algorithm]; }
void Count(CudnnCalls& calls, cudnnConvolutionBwdFilterAlgo_t algorithm) { ++calls.to_filter[algorithm]; }

bool IsAligned(const void* data, size_t bytes) { return reinterpret_cast<uintptr_t>(data) % bytes == 0; }

size_t BytesOf(cudnnDataType_t type) {
  if (type == CUDNN_DATA_DOUBLE) return sizeof(double);
  return type == CUDNN_DATA_FLOAT ? sizeof(float) : sizeof(Half);
}

cudnnStatus_t CheckData(cudnnDataType_t type, const ConvolutionData& data, size_t workspace) {
  for (const void* const pointer :
       {data.alpha, data.beta, data.first, data.second, static_cast<const void*>(data.result)}) {
    if (pointer == nullptr) return CUDNN_STATUS_BAD_PARAM;
  }
  for (const void* const operand : {data.first, data.second, static_cast<const void*>(data.result)}) {
    if (!IsAligned(operand, BytesOf(type))) return CUDNN_STATUS_BAD_PARAM;
  }
  if (data.workspace_bytes < workspace) return CUDNN_STATUS_BAD_PARAM;
  if (workspace > 0 && data.workspace == nullptr) return CUDNN_STATUS_BAD_PARAM;
  return IsAligned(data.workspace, kWorkspaceAlignment) ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_BAD_PARAM;
}

template <class T>
void QueueAs(cudaStream_t stream, const Convolved& it, Pass pass, const ConvolutionData& data) {
  if (pass == Pass::kForward) return QueueForward<T>(stream, it, data);
  if (pass == Pass::kToImages) return QueueToImages<T>(stream, it, data);
  QueueToFilter<T>(stream, it, data);
}

void QueueTyped(cudaStream_t stream, cudnnDataType_t type, const Convolved& it, Pass pass,
                const ConvolutionData& data) {
  switch (type) {
    case CUDNN_DATA_FLOAT:
      return QueueAs<float>(stream, it, pass, data);
    case CUDNN_DATA_DOUBLE:
      return QueueAs<double>(stream, it, pass, data);
    case CUDNN_DATA_HALF:
      return QueueAs<Half>(stream, it, pass, data);
    case CUDNN_DATA_BFLOAT16:
      return QueueAs<BFloat16>(stream, it, pass, data);
  }
}

}  // namespace

cudnnStatus_t QueueConvolution(cudnnHandle_t handle, cudnnDataType_t type, const Convolved& it, Pass pass,
                               size_t workspace, const ConvolutionData& data, int64_t microseconds) {
  const cudnnStatus_t status = CheckData(type, data, workspace);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess || device != handle->device) return CUDNN_STATUS_EXECUTION_FAILED;
  try {
    if (workspace > 0) {
      Launch(handle->stream, GridFor(static_cast<int64_t>(workspace) / kTouched + 1), Touch,
             Global<uint8_t>(static_cast<uint8_t*>(data.workspace), static_cast<int64_t>(workspace)));
    }
    QueueTyped(handle->stream, type, it, pass, data);
  } catch (const Error&) {  // the device has failed, perhaps by the first of the kernels
    return CUDNN_STATUS_EXECUTION_FAILED;
  }
  CudnnWorld::Get().Count([&](CudnnCalls& calls) { calls.channels_first = it.channels_first; });
  if (const auto stream = World::Get().Find(handle->stream); stream != nullptr) stream->PushTime(microseconds);
  return cudaPeekAtLastError() == cudaSuccess ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_EXECUTION_FAILED;
}

namespace {

Pass PassOf(cudnnConvolutionFwdAlgo_t) { return Pass::kForward; }
Pass PassOf(cudnnConvolutionBwdDataAlgo_t) { return Pass::kToImages; }
Pass PassOf(cudnnConvolutionBwdFilterAlgo_t) { return Pass::kToFilter; }

template <class Algorithm>
cudnnStatus_t Convolve(cudnnHandle_t handle, const cudnnTensorStruct* x, const cudnnFilterStruct* w,
                       const cudnnConvolutionStruct* convolution, const cudnnTensorStruct* y, Algorithm algorithm,
                       const ConvolutionData& data) {
  if (handle == nullptr) return CUDNN_STATUS_BAD_PARAM;
  Convolved it;
  cudnnStatus_t status = Decode(x, w, convolution, y, &it);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  const std::optional<size_t> workspace = WorkspaceOf(it, algorithm);
  if (!workspace) return CUDNN_STATUS_NOT_SUPPORTED;
  it.as_tf32 = convolution->math != CUDNN_FMA_MATH;
  status = QueueConvolution(handle, x->type, it, PassOf(algorithm), *workspace, data, kAlgorithmTakes);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  CudnnWorld::Get().Count([&](CudnnCalls& calls) {
    Count(calls, algorithm);
    calls.math = convolution->math;
  });
  return status;
}

}  // namespace
}  // namespace emulator

cudnnStatus_t cudnnConvolutionForward(cudnnHandle_t handle, const void* alpha, cudnnTensorDescriptor_t x,
                                      const void* x_data, cudnnFilterDescriptor_t w, const void* w_data,
                                      cudnnConvolutionDescriptor_t convolution, cudnnConvolutionFwdAlgo_t algorithm,
                                      void* workspace, size_t workspace_bytes, const void* beta,
                                      cudnnTensorDescriptor_t y, void* y_data) {
  return emulator::Convolve(handle, x, w, convolution, y, algorithm,
                            {alpha, x_data, w_data, workspace, workspace_bytes, beta, y_data});
}

cudnnStatus_t cudnnConvolutionBackwardData(cudnnHandle_t handle, const void* alpha, cudnnFilterDescriptor_t w,
                                           const void* w_data, cudnnTensorDescriptor_t dy, const void* dy_data,
                                           cudnnConvolutionDescriptor_t convolution,
                                           cudnnConvolutionBwdDataAlgo_t algorithm, void* workspace,
                                           size_t workspace_bytes, const void* beta, cudnnTensorDescriptor_t dx,
                                           void* dx_data) {
  return emulator::Convolve(handle, dx, w, convolution, dy, algorithm,
                            {alpha, w_data, dy_data, workspace, workspace_bytes, beta, dx_data});
}

cudnnStatus_t cudnnConvolutionBackwardFilter(cudnnHandle_t handle, const void* alpha, cudnnTensorDescriptor_t x,
                                             const void* x_data, cudnnTensorDescriptor_t dy, const void* dy_data,
                                             cudnnConvolutionDescriptor_t convolution,
                                             cudnnConvolutionBwdFilterAlgo_t algorithm, void* workspace,
                                             size_t workspace_bytes, const void* beta, cudnnFilterDescriptor_t dw,
                                             void* dw_data) {
  return emulator::Convolve(handle, x, dw, convolution, dy, algorithm,
                            {alpha, x_data, dy_data, workspace, workspace_bytes, beta, dw_data});
}

}  // namespace plumb::fast::emulated_gpu

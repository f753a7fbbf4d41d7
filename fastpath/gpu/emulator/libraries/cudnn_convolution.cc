// Convolutions of the fake of cuDNN: plain loops, as kernels of the emulator, which checks what they touch against the
// extent of the operands. All algorithms are these loops; what they need of a workspace is written to.
#include "fastpath/gpu/emulator/libraries/cudnn_convolution.h"

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "fastpath/gpu/emulator/libraries/cudnn_algorithms.h"
#include "fastpath/gpu/emulator/libraries/run_of.h"
#include "fastpath/gpu/emulator/libraries/tf32.h"
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

int64_t Offset(const std::array<int64_t, kMostAxesOfSpace + 2>& strides, int64_t first, int64_t channel,
               const Place& place) {
  return first * strides[0] + channel * strides[1] + place[0] * strides[2] + place[1] * strides[3] +
         place[2] * strides[4];
}

// The numbers n from `first` to `end` - 1.
struct Span {
  int64_t first, end;
};
// Those below `size` for which from + n * step lies in [0, limit).
Span Inside(int64_t from, int64_t step, int64_t size, int64_t limit) {
  const int64_t first = from >= 0 ? 0 : (step - 1 - from) / step;
  const int64_t end = from >= limit ? 0 : std::min(size, (limit - 1 - from) / step + 1);
  return {first, std::max(first, end)};
}
// The places of an output's window, or the outputs for a place of their windows, that see no padding.
Span WindowInside(const Convolved& it, size_t axis, int64_t output) {
  return Inside(output * it.stride[axis] - it.padding[axis], it.dilation[axis], it.window[axis], it.in[axis]);
}
Span OutputsInside(const Convolved& it, size_t axis, int64_t at) {
  return Inside(at * it.dilation[axis] - it.padding[axis], it.stride[axis], it.out[axis], it.in[axis]);
}
// Where an output's window has its `at`-th place in the input.
int64_t Seen(const Convolved& it, size_t axis, int64_t output, int64_t at) {
  return output * it.stride[axis] - it.padding[axis] + at * it.dilation[axis];
}
// The output whose window has `input` at its `at`-th place; -1 where there is none.
int64_t SeenBy(const Convolved& it, size_t axis, int64_t input, int64_t at) {
  const int64_t first = input + it.padding[axis] - at * it.dilation[axis];
  if (first < 0 || first % it.stride[axis] != 0) return -1;
  const int64_t output = first / it.stride[axis];
  return output < it.out[axis] ? output : -1;
}

// Products of `count` elements of two views, from their places on and a stride apart.
template <class T>
struct Run {
  Global<const T> view;
  int64_t first, stride;
};
template <class T>
void AddProducts(SumOf<T>& sum, const Run<T>& a, const Run<T>& b, int64_t count, bool as_tf32) {
  const T *const from_a = RunOf(a.view, a.first, a.stride, count), *const from_b =
                                                                       RunOf(b.view, b.first, b.stride, count);
  for (int64_t i = 0; i < count; ++i) {
    sum += FactorOf<SumOf<T>>(from_a[i * a.stride], as_tf32) * FactorOf<SumOf<T>>(from_b[i * b.stride], as_tf32);
  }
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
    Span spans[kMostAxesOfSpace];
    for (size_t axis = 0; axis < kMostAxesOfSpace; ++axis) spans[axis] = WindowInside(it, axis, output[axis]);
    Place at, input;
    for (at[0] = spans[0].first; at[0] < spans[0].end; ++at[0]) {
      input[0] = Seen(it, 0, output[0], at[0]);
      for (at[1] = spans[1].first; at[1] < spans[1].end; ++at[1]) {
        input[1] = Seen(it, 1, output[1], at[1]);
        for (at[2] = spans[2].first; at[2] < spans[2].end; ++at[2]) {
          input[2] = Seen(it, 2, output[2], at[2]);
          AddProducts<T>(sum, {x, Offset(it.x_strides, image, channel / group_out * group_in, input), it.x_strides[1]},
                         {w, Offset(it.w_strides, channel, 0, at), it.w_strides[1]}, group_in, it.as_tf32);
        }
      }
    }
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
    const int64_t first = channel / group_in * group_out;  // of the channels out of its group
    Place at, output;
    for (at[0] = 0; at[0] < it.window[0]; ++at[0]) {
      if ((output[0] = SeenBy(it, 0, input[0], at[0])) < 0) continue;
      for (at[1] = 0; at[1] < it.window[1]; ++at[1]) {
        if ((output[1] = SeenBy(it, 1, input[1], at[1])) < 0) continue;
        for (at[2] = 0; at[2] < it.window[2]; ++at[2]) {
          if ((output[2] = SeenBy(it, 2, input[2], at[2])) < 0) continue;
          AddProducts<T>(sum, {w, Offset(it.w_strides, first, channel % group_in, at), it.w_strides[0]},
                         {dy, Offset(it.y_strides, image, first, output), it.y_strides[1]}, group_out, it.as_tf32);
        }
      }
    }
    Finish(dx[Offset(it.x_strides, image, channel, input)], sum, alpha, beta);
  }
}

// Along axis 1, which is the last of images and has many places in most.
template <class T>
PLUMB_GPU_KERNEL ToFilter(Convolved it, SumOf<T> alpha, SumOf<T> beta, Global<const T> x, Global<const T> dy,
                          Global<T> dw) {
  const int64_t group_in = it.channels_in / it.groups, group_out = it.channels_out / it.groups;
  for (int64_t i = FirstThread(); i < it.w_elements(); i += AllThreads()) {
    int64_t rest = i;
    const Place at = TakePlace(rest, it.window);
    const int64_t c = rest % group_in, channel = rest / group_in, from = channel / group_out * group_in + c;
    SumOf<T> sum = 0;
    const Span spans[] = {OutputsInside(it, 0, at[0]), OutputsInside(it, 1, at[1]), OutputsInside(it, 2, at[2])};
    const int64_t x_stride = it.x_strides[3] * it.stride[1], y_stride = it.y_strides[3];
    Place output = {0, spans[1].first, 0}, input = {0, Seen(it, 1, output[1], at[1]), 0};
    for (int64_t image = 0; image < it.images; ++image) {
      for (output[0] = spans[0].first; output[0] < spans[0].end; ++output[0]) {
        input[0] = Seen(it, 0, output[0], at[0]);
        for (output[2] = spans[2].first; output[2] < spans[2].end; ++output[2]) {
          input[2] = Seen(it, 2, output[2], at[2]);
          AddProducts<T>(sum, {x, Offset(it.x_strides, image, from, input), x_stride},
                         {dy, Offset(it.y_strides, image, channel, output), y_stride}, spans[1].end - spans[1].first,
                         it.as_tf32);
        }
      }
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

#include "fastpath/gpu/emulator/libraries/cudnn_algorithms.h"

#include <algorithm>

#include "fastpath/gpu/emulator/world.h"

namespace plumb::fast::emulated_gpu {
namespace emulator {
namespace {

constexpr size_t kFew = 1000;                    // bytes of a small table
constexpr int64_t kMostSeen = int64_t{1} << 20;  // of patches that are gathered at once

// Winograd's and Fourier's transforms are for windows that move by single steps.
bool IsTransformed(const Convolved& it) {
  const auto is_one = [](int64_t number) { return number == 1; };
  return it.groups == 1 && std::all_of(it.stride.begin(), it.stride.end(), is_one) &&
         std::all_of(it.dilation.begin(), it.dilation.end(), is_one);
}

size_t FloatsOf(int64_t count) { return static_cast<size_t>(count) * sizeof(float); }

}  // namespace

bool HasAny(const Convolved& it) {
  const EmulatedCudnn installed = CudnnWorld::Get().installed();
  if (!installed.has_algorithms || !installed.lacks_some) return installed.has_algorithms;
  constexpr int64_t kOneIn = 4;
  return it.seen() <= kMostSeen && (it.x_elements() + it.w_elements() + it.y_elements()) % kOneIn != 0;
}

std::vector<AlgorithmOffered<cudnnConvolutionFwdAlgo_t>> Offered(const Convolved& it, cudnnConvolutionFwdAlgo_t) {
  if (!HasAny(it)) return {};
  std::vector<AlgorithmOffered<cudnnConvolutionFwdAlgo_t>> offered;
  if (IsTransformed(it)) {
    offered.push_back({CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD, 0, CUDNN_DETERMINISTIC});
    offered.push_back({CUDNN_CONVOLUTION_FWD_ALGO_FFT, FloatsOf(it.x_elements()), CUDNN_DETERMINISTIC});
  }
  if (it.groups == 1 && it.seen() <= kMostSeen) {
    offered.push_back({CUDNN_CONVOLUTION_FWD_ALGO_GEMM, FloatsOf(it.seen()), CUDNN_DETERMINISTIC});
  }
  offered.push_back({CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM, kFew, CUDNN_DETERMINISTIC});
  offered.push_back({CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, 0, CUDNN_DETERMINISTIC});
  return offered;
}

std::vector<AlgorithmOffered<cudnnConvolutionBwdDataAlgo_t>> Offered(const Convolved& it,
                                                                     cudnnConvolutionBwdDataAlgo_t) {
  if (!HasAny(it)) return {};
  std::vector<AlgorithmOffered<cudnnConvolutionBwdDataAlgo_t>> offered;
  if (IsTransformed(it)) offered.push_back({CUDNN_CONVOLUTION_BWD_DATA_ALGO_WINOGRAD, 0, CUDNN_DETERMINISTIC});
  offered.push_back({CUDNN_CONVOLUTION_BWD_DATA_ALGO_0, 0, CUDNN_NON_DETERMINISTIC});
  offered.push_back({CUDNN_CONVOLUTION_BWD_DATA_ALGO_1, kFew, CUDNN_DETERMINISTIC});
  return offered;
}

std::vector<AlgorithmOffered<cudnnConvolutionBwdFilterAlgo_t>> Offered(const Convolved& it,
                                                                       cudnnConvolutionBwdFilterAlgo_t) {
  if (!HasAny(it)) return {};
  std::vector<AlgorithmOffered<cudnnConvolutionBwdFilterAlgo_t>> offered;
  if (IsTransformed(it)) {
    offered.push_back(
        {CUDNN_CONVOLUTION_BWD_FILTER_ALGO_WINOGRAD_NONFUSED, FloatsOf(it.w_elements()), CUDNN_DETERMINISTIC});
  }
  offered.push_back({CUDNN_CONVOLUTION_BWD_FILTER_ALGO_0, 0, CUDNN_NON_DETERMINISTIC});
  offered.push_back({CUDNN_CONVOLUTION_BWD_FILTER_ALGO_3, FloatsOf(it.w_elements()), CUDNN_NON_DETERMINISTIC});
  offered.push_back({CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1, FloatsOf(it.w_elements()), CUDNN_DETERMINISTIC});
  return offered;
}

namespace {

// Algorithms that are not offered come last, as not supported.
template <class Algorithm>
cudnnStatus_t Choose(cudnnHandle_t handle, const cudnnTensorStruct* x, const cudnnFilterStruct* w,
                     const cudnnConvolutionStruct* convolution, const cudnnTensorStruct* y, int most, int* count,
                     CudnnAlgoPerf<Algorithm>* found, Algorithm count_of_all) {
  if (handle == nullptr || count == nullptr || found == nullptr) return CUDNN_STATUS_BAD_PARAM;
  if (most < 1) return CUDNN_STATUS_BAD_PARAM;
  Convolved decoded;
  const cudnnStatus_t status = Decode(x, w, convolution, y, &decoded);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  if (World::Get().RefusedByCaptures()) return CUDNN_STATUS_INTERNAL_ERROR;
  CudnnWorld::Get().Count([](CudnnCalls& calls) { ++calls.choices; });
  *count = 0;
  float time = 1;
  for (const auto& offered : Offered(decoded, count_of_all)) {
    if (*count == most) return CUDNN_STATUS_SUCCESS;
    found[(*count)++] = {offered.algorithm,   CUDNN_STATUS_SUCCESS, time++, offered.workspace,
                         offered.determinism, convolution->math,    {}};
  }
  for (int i = 0; i < count_of_all && *count < most; ++i) {
    const auto algorithm = static_cast<Algorithm>(i);
    if (WorkspaceOf(decoded, algorithm)) continue;
    found[(*count)++] = {algorithm, CUDNN_STATUS_NOT_SUPPORTED, -1, 0, CUDNN_DETERMINISTIC, CUDNN_DEFAULT_MATH, {}};
  }
  return CUDNN_STATUS_SUCCESS;
}

template <class Algorithm>
cudnnStatus_t Measure(cudnnHandle_t handle, const cudnnTensorStruct* x, const cudnnFilterStruct* w,
                      const cudnnConvolutionStruct* convolution, const cudnnTensorStruct* y, Algorithm algorithm,
                      size_t* bytes) {
  if (handle == nullptr || bytes == nullptr) return CUDNN_STATUS_BAD_PARAM;
  Convolved decoded;
  const cudnnStatus_t status = Decode(x, w, convolution, y, &decoded);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  const std::optional<size_t> workspace = WorkspaceOf(decoded, algorithm);
  if (!workspace) return CUDNN_STATUS_NOT_SUPPORTED;
  *bytes = *workspace;
  return CUDNN_STATUS_SUCCESS;
}

}  // namespace
}  // namespace emulator

using emulator::Choose;
using emulator::Measure;

cudnnStatus_t cudnnGetConvolutionForwardAlgorithm_v7(cudnnHandle_t handle, cudnnTensorDescriptor_t x,
                                                     cudnnFilterDescriptor_t w,
                                                     cudnnConvolutionDescriptor_t convolution,
                                                     cudnnTensorDescriptor_t y, int most, int* count,
                                                     cudnnConvolutionFwdAlgoPerf_t* found) {
  return Choose(handle, x, w, convolution, y, most, count, found, CUDNN_CONVOLUTION_FWD_ALGO_COUNT);
}
cudnnStatus_t cudnnGetConvolutionForwardWorkspaceSize(cudnnHandle_t handle, cudnnTensorDescriptor_t x,
                                                      cudnnFilterDescriptor_t w,
                                                      cudnnConvolutionDescriptor_t convolution,
                                                      cudnnTensorDescriptor_t y, cudnnConvolutionFwdAlgo_t algorithm,
                                                      size_t* bytes) {
  return Measure(handle, x, w, convolution, y, algorithm, bytes);
}

cudnnStatus_t cudnnGetConvolutionBackwardDataAlgorithm_v7(cudnnHandle_t handle, cudnnFilterDescriptor_t w,
                                                          cudnnTensorDescriptor_t dy,
                                                          cudnnConvolutionDescriptor_t convolution,
                                                          cudnnTensorDescriptor_t dx, int most, int* count,
                                                          cudnnConvolutionBwdDataAlgoPerf_t* found) {
  return Choose(handle, dx, w, convolution, dy, most, count, found, CUDNN_CONVOLUTION_BWD_DATA_ALGO_COUNT);
}
cudnnStatus_t cudnnGetConvolutionBackwardDataWorkspaceSize(cudnnHandle_t handle, cudnnFilterDescriptor_t w,
                                                           cudnnTensorDescriptor_t dy,
                                                           cudnnConvolutionDescriptor_t convolution,
                                                           cudnnTensorDescriptor_t dx,
                                                           cudnnConvolutionBwdDataAlgo_t algorithm, size_t* bytes) {
  return Measure(handle, dx, w, convolution, dy, algorithm, bytes);
}

cudnnStatus_t cudnnGetConvolutionBackwardFilterAlgorithm_v7(cudnnHandle_t handle, cudnnTensorDescriptor_t x,
                                                            cudnnTensorDescriptor_t dy,
                                                            cudnnConvolutionDescriptor_t convolution,
                                                            cudnnFilterDescriptor_t dw, int most, int* count,
                                                            cudnnConvolutionBwdFilterAlgoPerf_t* found) {
  return Choose(handle, x, dw, convolution, dy, most, count, found, CUDNN_CONVOLUTION_BWD_FILTER_ALGO_COUNT);
}
cudnnStatus_t cudnnGetConvolutionBackwardFilterWorkspaceSize(cudnnHandle_t handle, cudnnTensorDescriptor_t x,
                                                             cudnnTensorDescriptor_t dy,
                                                             cudnnConvolutionDescriptor_t convolution,
                                                             cudnnFilterDescriptor_t dw,
                                                             cudnnConvolutionBwdFilterAlgo_t algorithm, size_t* bytes) {
  return Measure(handle, x, dw, convolution, dy, algorithm, bytes);
}

}  // namespace plumb::fast::emulated_gpu

// Compiled where cuDNN's header is installed: what we say of its functions is what it says.
#include <cudnn.h>

#include <type_traits>

#include "fastpath/gpu/lib/dnn/cudnn_abi.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// What a parameter is to the machine.
struct Number32 {};
template <class T>
struct Passed {
  using Type = std::conditional_t<std::is_pointer_v<T>, void*, T>;
};
template <class T>
requires(std::is_enum_v<T> || std::is_same_v<T, int>) struct Passed<T> {
  static_assert(sizeof(T) == sizeof(int));
  using Type = Number32;
};
template <class Function>
struct Called;
template <class Result, class... Arguments>
struct Called<Result(Arguments...)> {
  using Type = typename Passed<Result>::Type(typename Passed<Arguments>::Type...);
};
template <class Ours, class Theirs>
constexpr bool kIsSameCall = std::is_same_v<typename Called<Ours>::Type, typename Called<Theirs>::Type>;

#define PLUMB_CHECK_CALL(name) static_assert(kIsSameCall<decltype(GPU_NAMESPACE::name), decltype(::name)>, #name);
PLUMB_CUDNN_FUNCTIONS(PLUMB_CHECK_CALL)
#undef PLUMB_CHECK_CALL

#define PLUMB_CHECK_NUMBER(name) static_assert(static_cast<int>(GPU_NAMESPACE::name) == static_cast<int>(::name), #name)
PLUMB_CHECK_NUMBER(CUDNN_STATUS_SUCCESS);
PLUMB_CHECK_NUMBER(CUDNN_STATUS_NOT_INITIALIZED);
PLUMB_CHECK_NUMBER(CUDNN_STATUS_BAD_PARAM);
PLUMB_CHECK_NUMBER(CUDNN_STATUS_NOT_SUPPORTED);
PLUMB_CHECK_NUMBER(CUDNN_STATUS_INTERNAL_ERROR);
PLUMB_CHECK_NUMBER(CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED);
PLUMB_CHECK_NUMBER(CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED);
PLUMB_CHECK_NUMBER(CUDNN_STATUS_EXECUTION_FAILED);
PLUMB_CHECK_NUMBER(CUDNN_DATA_FLOAT);
PLUMB_CHECK_NUMBER(CUDNN_DATA_DOUBLE);
PLUMB_CHECK_NUMBER(CUDNN_DATA_HALF);
PLUMB_CHECK_NUMBER(CUDNN_DATA_BFLOAT16);
PLUMB_CHECK_NUMBER(CUDNN_TENSOR_NCHW);
PLUMB_CHECK_NUMBER(CUDNN_TENSOR_NHWC);
PLUMB_CHECK_NUMBER(CUDNN_CONVOLUTION);
PLUMB_CHECK_NUMBER(CUDNN_CROSS_CORRELATION);
PLUMB_CHECK_NUMBER(CUDNN_DEFAULT_MATH);
PLUMB_CHECK_NUMBER(CUDNN_TENSOR_OP_MATH);
PLUMB_CHECK_NUMBER(CUDNN_TENSOR_OP_MATH_ALLOW_CONVERSION);
PLUMB_CHECK_NUMBER(CUDNN_FMA_MATH);
PLUMB_CHECK_NUMBER(CUDNN_NON_DETERMINISTIC);
PLUMB_CHECK_NUMBER(CUDNN_DETERMINISTIC);
PLUMB_CHECK_NUMBER(CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM);
PLUMB_CHECK_NUMBER(CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM);
PLUMB_CHECK_NUMBER(CUDNN_CONVOLUTION_FWD_ALGO_GEMM);
PLUMB_CHECK_NUMBER(CUDNN_CONVOLUTION_FWD_ALGO_DIRECT);
PLUMB_CHECK_NUMBER(CUDNN_CONVOLUTION_FWD_ALGO_FFT);
PLUMB_CHECK_NUMBER(CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD);
PLUMB_CHECK_NUMBER(CUDNN_CONVOLUTION_FWD_ALGO_COUNT);
PLUMB_CHECK_NUMBER(CUDNN_CONVOLUTION_BWD_DATA_ALGO_0);
PLUMB_CHECK_NUMBER(CUDNN_CONVOLUTION_BWD_DATA_ALGO_1);
PLUMB_CHECK_NUMBER(CUDNN_CONVOLUTION_BWD_DATA_ALGO_WINOGRAD);
PLUMB_CHECK_NUMBER(CUDNN_CONVOLUTION_BWD_DATA_ALGO_COUNT);
PLUMB_CHECK_NUMBER(CUDNN_CONVOLUTION_BWD_FILTER_ALGO_0);
PLUMB_CHECK_NUMBER(CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1);
PLUMB_CHECK_NUMBER(CUDNN_CONVOLUTION_BWD_FILTER_ALGO_3);
PLUMB_CHECK_NUMBER(CUDNN_CONVOLUTION_BWD_FILTER_ALGO_WINOGRAD_NONFUSED);
PLUMB_CHECK_NUMBER(CUDNN_CONVOLUTION_BWD_FILTER_ALGO_COUNT);
#undef PLUMB_CHECK_NUMBER
static_assert(kCudnnMostAxes == CUDNN_DIM_MAX);

template <class Ours, class Theirs>
constexpr bool IsSameMemory() {
  return sizeof(Ours) == sizeof(Theirs) && offsetof(Ours, algo) == offsetof(Theirs, algo) &&
         offsetof(Ours, status) == offsetof(Theirs, status) && offsetof(Ours, time) == offsetof(Theirs, time) &&
         std::is_same_v<decltype(Ours::time), decltype(Theirs::time)> &&
         offsetof(Ours, memory) == offsetof(Theirs, memory) &&
         offsetof(Ours, determinism) == offsetof(Theirs, determinism) &&
         offsetof(Ours, mathType) == offsetof(Theirs, mathType);
}
static_assert(IsSameMemory<GPU_NAMESPACE::cudnnConvolutionFwdAlgoPerf_t, ::cudnnConvolutionFwdAlgoPerf_t>());
static_assert(IsSameMemory<GPU_NAMESPACE::cudnnConvolutionBwdDataAlgoPerf_t, ::cudnnConvolutionBwdDataAlgoPerf_t>());
static_assert(
    IsSameMemory<GPU_NAMESPACE::cudnnConvolutionBwdFilterAlgoPerf_t, ::cudnnConvolutionBwdFilterAlgoPerf_t>());

}  // namespace
}  // namespace plumb::fast::GPU_NAMESPACE

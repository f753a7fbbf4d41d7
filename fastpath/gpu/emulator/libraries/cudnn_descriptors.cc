// Descriptors of the fake of cuDNN: what they refuse, and what they say together. The statuses are those of version
// 9.19; stricter than the library, a tensor has at least 4 axes, and no stride is negative.
#include <algorithm>
#include <limits>

#include "fastpath/gpu/emulator/libraries/cudnn_world.h"

namespace plumb::fast::emulated_gpu {
namespace {

constexpr int kLeastAxes = 4;
constexpr int64_t kMostElements = std::numeric_limits<int>::max();

template <class Struct>
cudnnStatus_t Create(Struct** made) {
  if (made == nullptr) return CUDNN_STATUS_BAD_PARAM;
  *made = new Struct;
  return CUDNN_STATUS_SUCCESS;
}
template <class Struct>
cudnnStatus_t Destroy(Struct* descriptor) {
  delete descriptor;
  return CUDNN_STATUS_SUCCESS;
}

bool IsType(cudnnDataType_t type) {
  return type == CUDNN_DATA_FLOAT || type == CUDNN_DATA_DOUBLE || type == CUDNN_DATA_HALF ||
         type == CUDNN_DATA_BFLOAT16;
}
bool IsSumType(cudnnDataType_t type) { return IsType(type) && type != CUDNN_DATA_BFLOAT16; }
bool IsPositive(const std::vector<int64_t>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](int64_t number) { return number > 0; });
}

// Of sizes that are positive: whether their product is more than the library counts.
bool IsTooLarge(const std::vector<int64_t>& sizes) {
  int64_t elements = 1;
  for (const int64_t size : sizes) {
    elements *= size;
    if (elements > kMostElements) return true;
  }
  return false;
}

cudnnStatus_t CheckSizes(cudnnDataType_t type, const std::vector<int64_t>& sizes) {
  if (!IsType(type) || !IsPositive(sizes)) return CUDNN_STATUS_BAD_PARAM;
  return IsTooLarge(sizes) ? CUDNN_STATUS_NOT_SUPPORTED : CUDNN_STATUS_SUCCESS;
}

}  // namespace

namespace emulator {

std::vector<int64_t> PackedStrides(const std::vector<int64_t>& sizes, bool channels_first) {
  std::vector<int64_t> strides(sizes.size());
  int64_t step = 1;
  const auto place = [&](size_t axis) {
    strides[axis] = step;
    step *= sizes[axis];
  };
  if (!channels_first) place(1);
  for (size_t axis = sizes.size() - 1; axis > 1; --axis) place(axis);
  if (channels_first) place(1);
  place(0);
  return strides;
}

namespace {

cudnnStatus_t CheckTypes(const cudnnTensorStruct& x, const cudnnFilterStruct& w,
                         const cudnnConvolutionStruct& convolution, const cudnnTensorStruct& y) {
  if (x.type != w.type || x.type != y.type) return CUDNN_STATUS_BAD_PARAM;
  const cudnnDataType_t sums = x.type == CUDNN_DATA_DOUBLE ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT;
  if (convolution.computed != sums) return CUDNN_STATUS_NOT_SUPPORTED;
  return convolution.mode == CUDNN_CROSS_CORRELATION ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_NOT_SUPPORTED;
}

cudnnStatus_t CheckShapes(const cudnnTensorStruct& x, const cudnnFilterStruct& w,
                          const cudnnConvolutionStruct& convolution, const cudnnTensorStruct& y) {
  const size_t axes = x.sizes.size();
  if (w.sizes.size() != axes || y.sizes.size() != axes || convolution.padding.size() != axes - 2) {
    return CUDNN_STATUS_BAD_PARAM;
  }
  if (w.sizes[1] * convolution.groups != x.sizes[1] || w.sizes[0] % convolution.groups != 0 ||
      y.sizes[1] != w.sizes[0] || y.sizes[0] != x.sizes[0]) {
    return CUDNN_STATUS_BAD_PARAM;
  }
  for (size_t i = 0; i < axes - 2; ++i) {
    const int64_t extent = (w.sizes[i + 2] - 1) * convolution.dilations[i] + 1;
    const int64_t room = x.sizes[i + 2] + 2 * convolution.padding[i] - extent;
    if (room < 0 || y.sizes[i + 2] != room / convolution.strides[i] + 1) return CUDNN_STATUS_BAD_PARAM;
  }
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t CheckLayouts(const cudnnTensorStruct& x, const cudnnFilterStruct& w, const cudnnTensorStruct& y) {
  const bool channels_first = w.format == CUDNN_TENSOR_NCHW;
  const bool is_taken = channels_first || CudnnWorld::Get().installed().takes_channels_last;
  const bool is_packed =
      x.strides == PackedStrides(x.sizes, channels_first) && y.strides == PackedStrides(y.sizes, channels_first);
  return is_taken && is_packed ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_NOT_SUPPORTED;
}

Convolved Decoded(const cudnnTensorStruct& x, const cudnnFilterStruct& w, const cudnnConvolutionStruct& convolution,
                  const cudnnTensorStruct& y) {
  Convolved decoded;
  decoded.images = x.sizes[0];
  decoded.channels_in = x.sizes[1];
  decoded.channels_out = y.sizes[1];
  decoded.groups = convolution.groups;
  decoded.axes = static_cast<int64_t>(x.sizes.size()) - 2;
  decoded.channels_first = w.format == CUDNN_TENSOR_NCHW;
  const std::vector<int64_t> w_strides = PackedStrides(w.sizes, decoded.channels_first);
  for (size_t axis = 0; axis < x.sizes.size(); ++axis) {
    decoded.x_strides[axis] = x.strides[axis];
    decoded.w_strides[axis] = w_strides[axis];
    decoded.y_strides[axis] = y.strides[axis];
  }
  for (size_t i = 0; i < convolution.padding.size(); ++i) {
    decoded.in[i] = x.sizes[i + 2];
    decoded.out[i] = y.sizes[i + 2];
    decoded.window[i] = w.sizes[i + 2];
    decoded.padding[i] = convolution.padding[i];
    decoded.stride[i] = convolution.strides[i];
    decoded.dilation[i] = convolution.dilations[i];
  }
  return decoded;
}

}  // namespace

cudnnStatus_t Decode(const cudnnTensorStruct* x, const cudnnFilterStruct* w, const cudnnConvolutionStruct* convolution,
                     const cudnnTensorStruct* y, Convolved* convolved) {
  if (x == nullptr || w == nullptr || convolution == nullptr || y == nullptr) {
    return CUDNN_STATUS_BAD_PARAM;
  }
  if (x->sizes.empty() || w->sizes.empty() || convolution->padding.empty() || y->sizes.empty()) {
    return CUDNN_STATUS_BAD_PARAM;
  }
  for (const cudnnStatus_t status :
       {CheckTypes(*x, *w, *convolution, *y), CheckShapes(*x, *w, *convolution, *y), CheckLayouts(*x, *w, *y)}) {
    if (status != CUDNN_STATUS_SUCCESS) return status;
  }
  *convolved = Decoded(*x, *w, *convolution, *y);
  return CUDNN_STATUS_SUCCESS;
}

}  // namespace emulator

cudnnStatus_t cudnnCreateTensorDescriptor(cudnnTensorDescriptor_t* tensor) { return Create(tensor); }
cudnnStatus_t cudnnDestroyTensorDescriptor(cudnnTensorDescriptor_t tensor) { return Destroy(tensor); }
cudnnStatus_t cudnnCreateFilterDescriptor(cudnnFilterDescriptor_t* filter) { return Create(filter); }
cudnnStatus_t cudnnDestroyFilterDescriptor(cudnnFilterDescriptor_t filter) { return Destroy(filter); }
cudnnStatus_t cudnnCreateConvolutionDescriptor(cudnnConvolutionDescriptor_t* convolution) {
  return Create(convolution);
}
cudnnStatus_t cudnnDestroyConvolutionDescriptor(cudnnConvolutionDescriptor_t convolution) {
  return Destroy(convolution);
}

cudnnStatus_t cudnnSetTensorNdDescriptor(cudnnTensorDescriptor_t tensor, cudnnDataType_t type, int axes,
                                         const int* sizes, const int* strides) {
  if (tensor == nullptr || sizes == nullptr || strides == nullptr) return CUDNN_STATUS_BAD_PARAM;
  if (axes < kLeastAxes || axes > kCudnnMostAxes) return CUDNN_STATUS_NOT_SUPPORTED;
  const cudnnTensorStruct set = {type, {sizes, sizes + axes}, {strides, strides + axes}};
  const cudnnStatus_t status = CheckSizes(type, set.sizes);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  if (!IsPositive(set.strides)) return CUDNN_STATUS_BAD_PARAM;
  *tensor = set;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetFilterNdDescriptor(cudnnFilterDescriptor_t filter, cudnnDataType_t type,
                                         cudnnTensorFormat_t format, int axes, const int* sizes) {
  if (filter == nullptr || sizes == nullptr) return CUDNN_STATUS_BAD_PARAM;
  if (format != CUDNN_TENSOR_NCHW && format != CUDNN_TENSOR_NHWC) return CUDNN_STATUS_BAD_PARAM;
  if (axes < kLeastAxes || axes > kCudnnMostAxes) return CUDNN_STATUS_NOT_SUPPORTED;
  const cudnnFilterStruct set = {type, format, {sizes, sizes + axes}};
  const cudnnStatus_t status = CheckSizes(type, set.sizes);
  if (status == CUDNN_STATUS_SUCCESS) *filter = set;
  return status;
}

cudnnStatus_t cudnnSetConvolutionNdDescriptor(cudnnConvolutionDescriptor_t convolution, int axes, const int* padding,
                                              const int* strides, const int* dilations, cudnnConvolutionMode_t mode,
                                              cudnnDataType_t computed) {
  if (convolution == nullptr || padding == nullptr || strides == nullptr || dilations == nullptr) {
    return CUDNN_STATUS_BAD_PARAM;
  }
  if (axes < 2 || axes > static_cast<int>(emulator::kMostAxesOfSpace)) return CUDNN_STATUS_NOT_SUPPORTED;
  cudnnConvolutionStruct set;
  set.padding.assign(padding, padding + axes);
  set.strides.assign(strides, strides + axes);
  set.dilations.assign(dilations, dilations + axes);
  set.mode = mode;
  set.computed = computed;
  const bool is_padded = std::all_of(padding, padding + axes, [](int amount) { return amount >= 0; });
  const bool is_mode = mode == CUDNN_CONVOLUTION || mode == CUDNN_CROSS_CORRELATION;
  if (!is_padded || !is_mode || !IsPositive(set.strides) || !IsPositive(set.dilations) || !IsSumType(computed)) {
    return CUDNN_STATUS_BAD_PARAM;
  }
  *convolution = set;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetConvolutionGroupCount(cudnnConvolutionDescriptor_t convolution, int groups) {
  if (convolution == nullptr) return CUDNN_STATUS_BAD_PARAM;
  if (groups < 1) return CUDNN_STATUS_BAD_PARAM;
  convolution->groups = groups;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetConvolutionMathType(cudnnConvolutionDescriptor_t convolution, cudnnMathType_t math) {
  if (convolution == nullptr) return CUDNN_STATUS_BAD_PARAM;
  if (math < CUDNN_DEFAULT_MATH || math > CUDNN_FMA_MATH) return CUDNN_STATUS_BAD_PARAM;
  convolution->math = math;
  return CUDNN_STATUS_SUCCESS;
}

}  // namespace plumb::fast::emulated_gpu

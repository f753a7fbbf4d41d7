// What follows from the attributes of a descriptor, and which engines there are for a graph.
#include <algorithm>
#include <array>

#include "fastpath/gpu/emulator/libraries/cudnn_algorithms.h"
#include "fastpath/gpu/emulator/libraries/cudnn_graph.h"
#include "fastpath/gpu/emulator/world.h"

namespace plumb::fast::emulated_gpu::emulator {
namespace {

constexpr size_t kFew = 1024;  // bytes of a small table
constexpr cudnnBackendKnobType_t kTiles{2}, kSplits{13};

std::vector<int> Narrowed(const std::vector<int64_t>& numbers) { return {numbers.begin(), numbers.end()}; }

cudnnStatus_t FinalizeTensor(const GraphDescriptor& tensor, cudnnTensorStruct* set) {
  const auto type = tensor.Values<cudnnDataType_t>(CUDNN_ATTR_TENSOR_DATA_TYPE);
  const auto sizes = Narrowed(tensor.Values<int64_t>(CUDNN_ATTR_TENSOR_DIMENSIONS));
  const auto strides = Narrowed(tensor.Values<int64_t>(CUDNN_ATTR_TENSOR_STRIDES));
  const auto alignment = tensor.Values<int64_t>(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT);
  const bool is_whole = type.size() == 1 && !sizes.empty() && sizes.size() == strides.size() && alignment.size() == 1 &&
                        alignment[0] > 0 && tensor.Values<int64_t>(CUDNN_ATTR_TENSOR_UNIQUE_ID).size() == 1;
  if (!is_whole) return CUDNN_STATUS_BAD_PARAM;
  return cudnnSetTensorNdDescriptor(set, type[0], static_cast<int>(sizes.size()), sizes.data(), strides.data());
}

cudnnStatus_t FinalizeConvolution(const GraphDescriptor& descriptor, cudnnConvolutionStruct* set) {
  const auto axes = descriptor.Values<int64_t>(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS);
  const auto computed = descriptor.Values<cudnnDataType_t>(CUDNN_ATTR_CONVOLUTION_COMP_TYPE);
  const auto mode = descriptor.Values<cudnnConvolutionMode_t>(CUDNN_ATTR_CONVOLUTION_CONV_MODE);
  const auto padding = Narrowed(descriptor.Values<int64_t>(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS));
  const auto behind = Narrowed(descriptor.Values<int64_t>(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS));
  const auto strides = Narrowed(descriptor.Values<int64_t>(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES));
  const auto dilations = Narrowed(descriptor.Values<int64_t>(CUDNN_ATTR_CONVOLUTION_DILATIONS));
  if (axes.size() != 1 || computed.size() != 1 || mode.size() != 1) return CUDNN_STATUS_BAD_PARAM;
  for (const auto& numbers : {padding, behind, strides, dilations}) {
    if (static_cast<int64_t>(numbers.size()) != axes[0]) return CUDNN_STATUS_BAD_PARAM;
  }
  if (padding != behind) return CUDNN_STATUS_NOT_SUPPORTED;
  return cudnnSetConvolutionNdDescriptor(set, static_cast<int>(axes[0]), padding.data(), strides.data(),
                                         dilations.data(), mode[0], computed[0]);
}

// The names of an operation's attributes.
struct Names {
  Pass pass;
  cudnnBackendAttributeName_t alpha, beta, convolution, w, x, y;
};
Names NamesOf(cudnnBackendDescriptorType_t type) {
  if (type == CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR) {
    return {Pass::kForward,
            CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA,
            CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA,
            CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC,
            CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W,
            CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X,
            CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y};
  }
  if (type == CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR) {
    return {Pass::kToImages,
            CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA,
            CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA,
            CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC,
            CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W,
            CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX,
            CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY};
  }
  return {Pass::kToFilter,
          CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA,
          CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA,
          CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC,
          CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW,
          CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X,
          CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY};
}

// Whether the one value of an attribute is this.
template <class T>
bool IsValue(const GraphDescriptor& descriptor, cudnnBackendAttributeName_t name, T value) {
  return descriptor.Values<T>(name) == std::vector<T>{value};
}

// Stricter than the library: factors other than 1 and 0 are none of ours.
bool HasFactors(const GraphDescriptor& operation, const Names& names, cudnnDataType_t type) {
  if (type == CUDNN_DATA_DOUBLE) {
    return IsValue(operation, names.alpha, 1.0) && IsValue(operation, names.beta, 0.0);
  }
  return IsValue(operation, names.alpha, 1.0F) && IsValue(operation, names.beta, 0.0F);
}

cudnnStatus_t FinalizeOperation(GraphDescriptor& operation) {
  const Names names = NamesOf(operation.type);
  const GraphDescriptor* const x = operation.Object(names.x);
  const GraphDescriptor* const w = operation.Object(names.w);
  const GraphDescriptor* const y = operation.Object(names.y);
  const GraphDescriptor* const convolution = operation.Object(names.convolution);
  if (x == nullptr || w == nullptr || y == nullptr || convolution == nullptr) return CUDNN_STATUS_BAD_PARAM;
  cudnnTensorStruct images, weights, results;
  cudnnConvolutionStruct slid;
  for (const cudnnStatus_t status : {FinalizeTensor(*x, &images), FinalizeTensor(*w, &weights),
                                     FinalizeTensor(*y, &results), FinalizeConvolution(*convolution, &slid)}) {
    if (status != CUDNN_STATUS_SUCCESS) return status;
  }
  if (!HasFactors(operation, names, images.type)) return CUDNN_STATUS_NOT_SUPPORTED;
  cudnnFilterStruct filter{weights.type, CUDNN_TENSOR_NCHW, weights.sizes};
  if (weights.strides != PackedStrides(weights.sizes, true)) filter.format = CUDNN_TENSOR_NHWC;
  if (weights.strides != PackedStrides(weights.sizes, filter.format == CUDNN_TENSOR_NCHW)) {
    return CUDNN_STATUS_NOT_SUPPORTED;
  }
  slid.groups = std::max<int64_t>(1, images.sizes[1] / weights.sizes[1]);
  GraphConvolution& made = operation.convolution;
  made.pass = names.pass;
  made.type = images.type;
  for (const auto& [tensor, name] : {std::pair{x, &made.x}, {w, &made.w}, {y, &made.y}}) {
    *name = tensor->Values<int64_t>(CUDNN_ATTR_TENSOR_UNIQUE_ID)[0];
    made.alignment = std::max(made.alignment, tensor->Values<int64_t>(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT)[0]);
  }
  return Decode(&images, &filter, &slid, &results, &made.it);
}

// What another descriptor leads to.
cudnnStatus_t Inherit(GraphDescriptor& descriptor, cudnnBackendAttributeName_t name) {
  const GraphDescriptor* const other = descriptor.Object(name);
  if (other == nullptr) return CUDNN_STATUS_BAD_PARAM;
  descriptor.convolution = other->convolution;
  descriptor.engine = other->engine;
  return CUDNN_STATUS_SUCCESS;
}

bool HasHandle(const GraphDescriptor& descriptor, cudnnBackendAttributeName_t name) {
  const auto handles = descriptor.Values<cudnnHandle_t>(name);
  return handles.size() == 1 && handles[0] != nullptr;
}

cudnnStatus_t FinalizeHeuristics(GraphDescriptor& heuristics) {
  const cudnnStatus_t status = Inherit(heuristics, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  if (heuristics.Values<cudnnBackendHeurMode_t>(CUDNN_ATTR_ENGINEHEUR_MODE).size() != 1) return CUDNN_STATUS_BAD_PARAM;
  if (World::Get().RefusedByCaptures()) return CUDNN_STATUS_INTERNAL_ERROR;
  if (!HasAny(heuristics.convolution.it)) return CUDNN_STATUS_NOT_SUPPORTED;
  CudnnWorld::Get().Count([](CudnnCalls& calls) { ++calls.heuristics; });
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t FinalizePlan(GraphDescriptor& plan) {
  if (!HasHandle(plan, CUDNN_ATTR_EXECUTION_PLAN_HANDLE)) return CUDNN_STATUS_BAD_PARAM;
  const cudnnStatus_t status = Inherit(plan, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  return World::Get().RefusedByCaptures() ? CUDNN_STATUS_INTERNAL_ERROR : plan.engine.planned;
}

}  // namespace

cudnnStatus_t FinalizeGraph(GraphDescriptor& descriptor) {
  cudnnTensorStruct tensor;
  cudnnConvolutionStruct convolution;
  switch (descriptor.type) {
    case CUDNN_BACKEND_TENSOR_DESCRIPTOR:
      return FinalizeTensor(descriptor, &tensor);
    case CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR:
      return FinalizeConvolution(descriptor, &convolution);
    case CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR:
    case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR:
    case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR:
      return FinalizeOperation(descriptor);
    case CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR:
      if (!HasHandle(descriptor, CUDNN_ATTR_OPERATIONGRAPH_HANDLE)) return CUDNN_STATUS_BAD_PARAM;
      return Inherit(descriptor, CUDNN_ATTR_OPERATIONGRAPH_OPS);
    case CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR:
      return FinalizeHeuristics(descriptor);
    case CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR:
      return FinalizePlan(descriptor);
    case CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR: {
      const auto names = descriptor.Values<int64_t>(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS);
      const auto pointers = descriptor.Values<void*>(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS);
      return names.empty() || names.size() != pointers.size() ? CUDNN_STATUS_BAD_PARAM : CUDNN_STATUS_SUCCESS;
    }
    default:
      return CUDNN_STATUS_NOT_SUPPORTED;
  }
}

std::vector<EngineOffered> EnginesOffered(const Convolved& it, cudnnDataType_t type, cudnnBackendHeurMode_t mode) {
  const EngineOffered few_tiles = {.number = 2, .knobs = {{kTiles, 1}}, .microseconds = 200};
  const EngineOffered tiles = {
      .number = 74, .knobs = {{kTiles, 5}, {kSplits, 0}}, .workspace = kFew, .microseconds = 40};
  const size_t images = static_cast<size_t>(it.x_elements()) * sizeof(float);
  const EmulatedCudnn installed = CudnnWorld::Get().installed();
  std::vector<EngineOffered> offered;
  if (installed.lacks_some) {
    if (mode == CUDNN_HEUR_MODE_A) offered = {{.number = 4, .executed = CUDNN_STATUS_EXECUTION_FAILED}, tiles};
  } else if (mode == CUDNN_HEUR_MODE_A) {
    offered = {{.number = 67, .notes = {CUDNN_NUMERICAL_NOTE_TENSOR_CORE}, .microseconds = 10},
               {.number = 25, .notes = {CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC}, .microseconds = 5},
               {.number = 30, .notes = {CUDNN_NUMERICAL_NOTE_WINOGRAD}, .microseconds = 5},
               {.number = 40, .notes = {CUDNN_NUMERICAL_NOTE_FFT}, .microseconds = 5},
               {.number = 50, .is_compiled_first = true, .microseconds = 5},
               few_tiles,
               {.number = 3, .microseconds = 5, .planned = CUDNN_STATUS_NOT_SUPPORTED},
               {.number = 4, .microseconds = 5, .executed = CUDNN_STATUS_EXECUTION_FAILED},
               tiles};
  } else if (mode == CUDNN_HEUR_MODE_B) {
    offered = {tiles,
               few_tiles,
               {.number = 74, .knobs = {{kTiles, 6}, {kSplits, 0}}, .workspace = images, .microseconds = 20}};
  } else {
    offered = {{.number = 1, .microseconds = 150}};
  }
  if (!it.channels_first && type == CUDNN_DATA_FLOAT) {
    for (EngineOffered& engine : offered) engine.microseconds += installed.channels_last_takes_more;
  }
  return offered;
}

}  // namespace plumb::fast::emulated_gpu::emulator

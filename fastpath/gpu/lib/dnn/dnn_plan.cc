#include "fastpath/gpu/lib/dnn/dnn_plan.h"

#include <array>
#include <utility>

#include "fastpath/gpu/lib/dnn/dnn_graph.h"
#include "spec/core/status.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// Algorithms that add up products.
bool AddsProducts(cudnnConvolutionFwdAlgo_t algorithm) {
  return algorithm == CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM ||
         algorithm == CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM ||
         algorithm == CUDNN_CONVOLUTION_FWD_ALGO_GEMM || algorithm == CUDNN_CONVOLUTION_FWD_ALGO_DIRECT;
}
bool AddsProducts(cudnnConvolutionBwdDataAlgo_t algorithm) {
  return algorithm == CUDNN_CONVOLUTION_BWD_DATA_ALGO_0 || algorithm == CUDNN_CONVOLUTION_BWD_DATA_ALGO_1;
}
bool AddsProducts(cudnnConvolutionBwdFilterAlgo_t algorithm) {
  return algorithm == CUDNN_CONVOLUTION_BWD_FILTER_ALGO_0 || algorithm == CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1 ||
         algorithm == CUDNN_CONVOLUTION_BWD_FILTER_ALGO_3;
}

// Products of 16-bit floats are exact in float, on tensor cores too; those of float are not in TF32.
cudnnMathType_t MathOf(const DnnProblem& problem) {
  if (ElementSize(problem.type) == 2) return CUDNN_TENSOR_OP_MATH;
  return problem.as_tf32 ? CUDNN_DEFAULT_MATH : CUDNN_FMA_MATH;
}

template <class Struct>
CudnnDescriptor<Struct> New(const CudnnFunctions& cudnn, cudnnStatus_t (*create)(Struct**),
                            cudnnStatus_t (*destroy)(Struct*)) {
  Struct* made = nullptr;
  CheckDnn(cudnn, create(&made), "a descriptor");
  return {made, destroy};
}

std::shared_ptr<DnnPlan> NewPlan(const CudnnFunctions& cudnn, const DnnProblem& problem) {
  return std::make_shared<DnnPlan>(
      DnnPlan{problem.pass,
              problem.type,
              problem.as_tf32,
              New(cudnn, cudnn.cudnnCreateTensorDescriptor, cudnn.cudnnDestroyTensorDescriptor),
              New(cudnn, cudnn.cudnnCreateTensorDescriptor, cudnn.cudnnDestroyTensorDescriptor),
              New(cudnn, cudnn.cudnnCreateFilterDescriptor, cudnn.cudnnDestroyFilterDescriptor),
              New(cudnn, cudnn.cudnnCreateConvolutionDescriptor, cudnn.cudnnDestroyConvolutionDescriptor),
              {},
              false});
}

cudnnStatus_t Describe(const CudnnFunctions& cudnn, const DnnProblem& problem, const DnnPlan& plan) {
  const cudnnDataType_t type = DataTypeOf(problem.type);
  const int axes = static_cast<int>(problem.x.size());
  const auto describe = [&](cudnnTensorStruct* tensor, const std::vector<int>& sizes) {
    return cudnn.cudnnSetTensorNdDescriptor(tensor, type, axes, sizes.data(),
                                            StridesOf(sizes, problem.channels_first).data());
  };
  const cudnnTensorFormat_t format = problem.channels_first ? CUDNN_TENSOR_NCHW : CUDNN_TENSOR_NHWC;
  for (const cudnnStatus_t status :
       {describe(plan.x.get(), problem.x), describe(plan.y.get(), problem.y),
        cudnn.cudnnSetFilterNdDescriptor(plan.w.get(), type, format, axes, problem.w.data()),
        cudnn.cudnnSetConvolutionNdDescriptor(plan.convolution.get(), axes - 2, problem.padding.data(),
                                              problem.step.data(), problem.spacing.data(), CUDNN_CROSS_CORRELATION,
                                              SumTypeOf(problem.type)),
        cudnn.cudnnSetConvolutionGroupCount(plan.convolution.get(), problem.groups),
        cudnn.cudnnSetConvolutionMathType(plan.convolution.get(), MathOf(problem))}) {
    if (status != CUDNN_STATUS_SUCCESS) return status;
  }
  return CUDNN_STATUS_SUCCESS;
}

// Adds those that may be taken. `ask(most, count, found)` asks for algorithms, `measure(algorithm, bytes)` for the
// workspace of one.
template <class Algorithm, class Ask, class Measure>
void AddEngines(const CudnnFunctions& cudnn, Algorithm count_of_all, DnnPlan& plan, bool in_one_order, const Ask& ask,
                const Measure& measure) {
  std::vector<CudnnAlgoPerf<Algorithm>> found(static_cast<size_t>(count_of_all));
  int count = 0;
  const cudnnStatus_t status = ask(static_cast<int>(found.size()), &count, found.data());
  if (IsRefusal(status)) return;
  CheckDnn(cudnn, status, "to choose an algorithm");
  found.resize(static_cast<size_t>(count));
  const bool takes_any_math = plan.as_tf32 || ElementSize(plan.type) == 2;
  for (const CudnnAlgoPerf<Algorithm>& perf : found) {
    const bool is_taken = perf.status == CUDNN_STATUS_SUCCESS &&
                          (perf.determinism == CUDNN_DETERMINISTIC || !in_one_order) && AddsProducts(perf.algo) &&
                          perf.mathType != CUDNN_TENSOR_OP_MATH_ALLOW_CONVERSION;
    if (!is_taken) continue;
    const cudnnMathType_t math = takes_any_math ? perf.mathType : CUDNN_FMA_MATH;
    CheckDnn(cudnn, cudnn.cudnnSetConvolutionMathType(plan.convolution.get(), math), "a type of products");
    size_t workspace = 0;
    if (measure(perf.algo, &workspace) != CUDNN_STATUS_SUCCESS || workspace > kMostDnnWorkspace) continue;
    const std::string name = Str("algorithm ", static_cast<int>(perf.algo), " by ", static_cast<int>(math));
    plan.engines.push_back({perf.algo, math, workspace, name, nullptr});
  }
}

}  // namespace

cudnnDataType_t DataTypeOf(DType type) {
  switch (type) {
    case DType::kHalf:
      return CUDNN_DATA_HALF;
    case DType::kBfloat16:
      return CUDNN_DATA_BFLOAT16;
    case DType::kDouble:
      return CUDNN_DATA_DOUBLE;
    case DType::kFloat:
      return CUDNN_DATA_FLOAT;
    default:
      throw Internal("no convolution of ", DTypeName(type), " on a GPU");
  }
}

cudnnDataType_t SumTypeOf(DType type) { return type == DType::kDouble ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT; }

std::vector<int> StridesOf(const std::vector<int>& sizes, bool channels_first) {
  std::vector<int> strides(sizes.size());
  int step = channels_first ? 1 : sizes[1];
  for (size_t axis = sizes.size() - 1; axis > 1; --axis) {
    strides[axis] = step;
    step *= sizes[axis];
  }
  strides[1] = channels_first ? step : 1;
  strides[0] = channels_first ? step * sizes[1] : step;
  return strides;
}

void CheckDnn(const CudnnFunctions& cudnn, cudnnStatus_t status, const char* what) {
  if (status == CUDNN_STATUS_SUCCESS) return;
  if (status == CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED ||
      status == CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED) {
    throw ResourceExhausted("cuDNN has no memory for ", what);
  }
  throw Internal("cuDNN refused ", what, ": status ", static_cast<int>(status), ", ",
                 cudnn.cudnnGetErrorString(status));
}

// Statuses from 2000 on are about what is asked, those from 3000 on about what there is.
bool IsRefusal(cudnnStatus_t status) {
  const int kind = status / kCudnnStatusKind * kCudnnStatusKind;
  return kind == CUDNN_STATUS_BAD_PARAM || kind == CUDNN_STATUS_NOT_SUPPORTED;
}

std::shared_ptr<DnnPlan> MakePlan(const CudnnFunctions& cudnn, cudnnHandle_t handle, const DnnProblem& problem,
                                  bool in_one_order) {
  std::shared_ptr<DnnPlan> plan = NewPlan(cudnn, problem);
  const cudnnStatus_t status = Describe(cudnn, problem, *plan);
  if (IsRefusal(status)) return plan;
  CheckDnn(cudnn, status, "to describe a convolution");
  auto* const x = plan->x.get();
  auto* const w = plan->w.get();
  auto* const y = plan->y.get();
  auto* const described = plan->convolution.get();
  const auto add = [&](auto count_of_all, auto ask, auto measure, auto... operands) {
    AddEngines(
        cudnn, count_of_all, *plan, in_one_order,
        [&](int most, int* count, auto* found) { return ask(handle, operands..., most, count, found); },
        [&](auto algorithm, size_t* bytes) { return measure(handle, operands..., algorithm, bytes); });
  };
  if (problem.pass == DnnPass::kForward) {
    add(CUDNN_CONVOLUTION_FWD_ALGO_COUNT, cudnn.cudnnGetConvolutionForwardAlgorithm_v7,
        cudnn.cudnnGetConvolutionForwardWorkspaceSize, x, w, described, y);
  } else if (problem.pass == DnnPass::kToImages) {
    add(CUDNN_CONVOLUTION_BWD_DATA_ALGO_COUNT, cudnn.cudnnGetConvolutionBackwardDataAlgorithm_v7,
        cudnn.cudnnGetConvolutionBackwardDataWorkspaceSize, w, y, described, x);
  } else {
    add(CUDNN_CONVOLUTION_BWD_FILTER_ALGO_COUNT, cudnn.cudnnGetConvolutionBackwardFilterAlgorithm_v7,
        cudnn.cudnnGetConvolutionBackwardFilterWorkspaceSize, x, y, described, w);
  }
  return plan;
}

cudnnStatus_t QueueEngine(const CudnnFunctions& cudnn, cudnnHandle_t handle, const DnnPlan& plan,
                          const DnnEngine& engine, const DnnOperands& operands, void* workspace) {
  if (engine.graph != nullptr) return QueueGraph(cudnn, handle, engine, plan.pass, operands, workspace);
  const std::array<float, 2> narrow{1, 0};
  const std::array<double, 2> wide{1, 0};
  const bool is_wide = plan.type == DType::kDouble;
  const void* const one = is_wide ? static_cast<const void*>(&wide[0]) : &narrow[0];
  const void* const zero = is_wide ? static_cast<const void*>(&wide[1]) : &narrow[1];
  auto* const described = plan.convolution.get();
  const cudnnStatus_t status = cudnn.cudnnSetConvolutionMathType(described, engine.math);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  const auto queue = [&](auto function, auto* first, auto* second, auto algorithm, auto* result) {
    return function(handle, one, first, operands.first, second, operands.second, described, algorithm, workspace,
                    engine.workspace, zero, result, operands.result);
  };
  switch (plan.pass) {
    case DnnPass::kForward:
      return queue(cudnn.cudnnConvolutionForward, plan.x.get(), plan.w.get(),
                   static_cast<cudnnConvolutionFwdAlgo_t>(engine.algorithm), plan.y.get());
    case DnnPass::kToImages:
      return queue(cudnn.cudnnConvolutionBackwardData, plan.w.get(), plan.y.get(),
                   static_cast<cudnnConvolutionBwdDataAlgo_t>(engine.algorithm), plan.x.get());
    case DnnPass::kToFilter:
      return queue(cudnn.cudnnConvolutionBackwardFilter, plan.x.get(), plan.y.get(),
                   static_cast<cudnnConvolutionBwdFilterAlgo_t>(engine.algorithm), plan.w.get());
  }
  throw Internal("no pass of a convolution has the number ", static_cast<int>(plan.pass));
}

}  // namespace plumb::fast::GPU_NAMESPACE

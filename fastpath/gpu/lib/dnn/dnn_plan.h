// A convolution in cuDNN's terms, and which of its algorithms may compute it.
#pragma once

#include <memory>
#include <vector>

#include "fastpath/gpu/lib/dnn/dnn_engines.h"

namespace plumb::fast::GPU_NAMESPACE {

template <class Struct>
using CudnnDescriptor = std::unique_ptr<Struct, cudnnStatus_t (*)(Struct*)>;

struct DnnPlan {
  DnnPass pass = DnnPass::kForward;
  DType type = DType::kFloat;
  bool as_tf32 = false;
  CudnnDescriptor<cudnnTensorStruct> x{nullptr, nullptr}, y{nullptr, nullptr};
  CudnnDescriptor<cudnnFilterStruct> w{nullptr, nullptr};
  CudnnDescriptor<cudnnConvolutionStruct> convolution{nullptr, nullptr};
  std::vector<DnnEngine> engines;  // best first, as cuDNN thinks, or as they were timed
  bool is_settled = false;         // the order is what it will be
};

// More than the patches that our own kernels gather at once, and little beside a card's memory.
constexpr size_t kMostDnnWorkspace = size_t{256} << 20;

// A type as cuDNN calls it, and what sums of it are added up in.
cudnnDataType_t DataTypeOf(DType type);
cudnnDataType_t SumTypeOf(DType type);
// Of images, or filters, of these sizes without gaps in memory.
std::vector<int> StridesOf(const std::vector<int>& sizes, bool channels_first);

// Throws what a status is in our terms: kResourceExhausted for memory, else kInternal.
void CheckDnn(const CudnnFunctions& cudnn, cudnnStatus_t status, const char* what);
// Whether cuDNN says that it cannot do this at all, and not that it failed.
bool IsRefusal(cudnnStatus_t status);

// Describes the problem and asks for its engines, whose workspace is limited; `in_one_order`: without those whose sums
// may be others next time.
std::shared_ptr<DnnPlan> MakePlan(const CudnnFunctions& cudnn, cudnnHandle_t handle, const DnnProblem& problem,
                                  bool in_one_order);
// Queues the work on the handle's stream.
cudnnStatus_t QueueEngine(const CudnnFunctions& cudnn, cudnnHandle_t handle, const DnnPlan& plan,
                          const DnnEngine& engine, const DnnOperands& operands, void* workspace);

}  // namespace plumb::fast::GPU_NAMESPACE

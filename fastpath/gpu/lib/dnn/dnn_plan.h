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
  CudnnDescriptor<cudnnTensorStruct> x{nullptr, nullptr}, y{nullptr, nullptr};
  CudnnDescriptor<cudnnFilterStruct> w{nullptr, nullptr};
  CudnnDescriptor<cudnnConvolutionStruct> convolution{nullptr, nullptr};
  std::vector<DnnEngine> engines;  // best first, as cuDNN thinks
};

// Throws what a status is in our terms: kResourceExhausted for memory, else kInternal.
void CheckDnn(const CudnnFunctions& cudnn, cudnnStatus_t status, const char* what);
// Whether cuDNN says that it cannot do this at all, and not that it failed.
bool IsRefusal(cudnnStatus_t status);

// Describes the problem and asks for its engines, whose workspace is limited.
std::shared_ptr<DnnPlan> MakePlan(const CudnnFunctions& cudnn, cudnnHandle_t handle, const DnnProblem& problem);
// Queues the work on the handle's stream.
cudnnStatus_t QueueEngine(const CudnnFunctions& cudnn, cudnnHandle_t handle, const DnnPlan& plan,
                          const DnnEngine& engine, const DnnOperands& operands, void* workspace);

}  // namespace plumb::fast::GPU_NAMESPACE

#include "fastpath/gpu/lib/dnn/dnn_engines.h"

#include <algorithm>

#include "fastpath/gpu/lib/dnn/dnn_plan.h"
#include "fastpath/gpu/runtime/cuda_driver.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

constexpr size_t kMostPlans = 4096;  // of programs whose shapes are new each time

// Whether cuDNN cannot be used here at all: its parts are of several versions or missing, or the card is too old.
bool IsOutOfReach(cudnnStatus_t status) {
  return status / kCudnnStatusKind == CUDNN_STATUS_NOT_INITIALIZED / kCudnnStatusKind || IsRefusal(status);
}

}  // namespace

DnnEngines::DnnEngines(int device) : device_(device) {}

DnnEngines::~DnnEngines() {
  plans_.clear();
  if (handle_ == nullptr) return;
  static_cast<void>(cudaSetDevice(device_));
  static_cast<void>(cudnn_.cudnnDestroy(handle_));
}

bool DnnEngines::Begin() {
  if (has_begun_) return handle_ != nullptr;
  try {
    cudnn_ = LoadCudnn();
    Check(cudaSetDevice(device_), "to choose a GPU");
    const cudnnStatus_t status = cudnn_.cudnnCreate(&handle_);
    if (IsOutOfReach(status)) {
      handle_ = nullptr;
      throw Error(Code::kUnavailable, Str("cuDNN ", cudnn_.version, " cannot begin: status ", static_cast<int>(status),
                                          ", ", cudnn_.cudnnGetErrorString(status), "; install it as a whole"));
    }
    CheckDnn(cudnn_, status, "a handle");
  } catch (const Error& error) {
    if (error.status().code() != Code::kUnavailable) throw;
    why_not_ = error.status().message();
  }
  has_begun_ = true;
  return handle_ != nullptr;
}

std::string DnnEngines::Describe() {
  MutexLock lock(mutex_);
  if (Begin()) return Str("convolutions by cuDNN ", cudnn_.version);
  return Str("convolutions by kernels of our own: ", why_not_);
}

std::shared_ptr<DnnPlan> DnnEngines::Find(const DnnProblem& problem) const {
  MutexLock lock(mutex_);
  const auto found = plans_.find(problem);
  return found == plans_.end() ? nullptr : found->second;
}

std::shared_ptr<DnnPlan> DnnEngines::Choose(const DnnProblem& problem) {
  MutexLock lock(mutex_);
  const auto found = plans_.find(problem);
  if (found != plans_.end()) return found->second;
  if (plans_.size() >= kMostPlans) plans_.clear();
  return plans_[problem] = Begin() ? MakePlan(cudnn_, handle_, problem) : std::make_shared<DnnPlan>();
}

std::optional<DnnEngine> DnnEngines::Engine(const DnnPlan& plan) const {
  MutexLock lock(mutex_);
  return plan.engines.empty() ? std::nullopt : std::optional(plan.engines.front());
}

void DnnEngines::WantLess(DnnPlan& plan, const DnnEngine& engine) {
  MutexLock lock(mutex_);
  std::erase_if(plan.engines, [&](const DnnEngine& other) { return other.workspace >= engine.workspace; });
}

bool DnnEngines::Queue(DnnPlan& plan, const DnnEngine& engine, cudaStream_t stream, const DnnOperands& operands,
                       void* workspace) {
  MutexLock lock(mutex_);
  CheckDnn(cudnn_, cudnn_.cudnnSetStream(handle_, stream), "a stream");
  const cudnnStatus_t status = QueueEngine(cudnn_, handle_, plan, engine, operands, workspace);
  if (status / kCudnnStatusKind != CUDNN_STATUS_NOT_SUPPORTED / kCudnnStatusKind) {
    CheckDnn(cudnn_, status, "a convolution");
    return true;
  }
  std::erase_if(plan.engines, [&](const DnnEngine& other) {
    return other.algorithm == engine.algorithm && other.math == engine.math;
  });
  return false;
}

}  // namespace plumb::fast::GPU_NAMESPACE

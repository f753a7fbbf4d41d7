#include "fastpath/gpu/lib/dnn/dnn_engines.h"

#include <strings.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "fastpath/gpu/lib/dnn/dnn_graph.h"
#include "fastpath/gpu/lib/dnn/dnn_plan.h"
#include "fastpath/gpu/runtime/cuda_driver.h"
#include "spec/session/tensor_float_32.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

constexpr size_t kMostPlans = 4096;  // of programs whose shapes are new each time

// Whether cuDNN cannot be used here at all: its parts are of several versions or missing, or the card is too old.
bool IsOutOfReach(cudnnStatus_t status) {
  return status / kCudnnStatusKind == CUDNN_STATUS_NOT_INITIALIZED / kCudnnStatusKind || IsRefusal(status);
}

bool IsSet(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr && (strcasecmp(value, "1") == 0 || strcasecmp(value, "true") == 0);
}

}  // namespace

bool TriesEngines() {
  const char* const asked = std::getenv("TF_CUDNN_USE_AUTOTUNE");
  return asked == nullptr || (strcasecmp(asked, "0") != 0 && strcasecmp(asked, "false") != 0);
}

bool WantsOneOrder() { return IsSet("TF_CUDNN_DETERMINISTIC") || IsSet("TF_DETERMINISTIC_OPS"); }

DnnEngines::DnnEngines(int device, bool tries, bool in_one_order)
    : device_(device), tries_(tries), in_one_order_(in_one_order), takes_tf32_(IsTensorFloat32Enabled()) {}

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
  if (plans_.size() >= kMostPlans) {
    plans_.clear();
    layouts_.clear();
  }
  return plans_[problem] = Begin() ? MakePlan(cudnn_, handle_, problem, in_one_order_) : std::make_shared<DnnPlan>();
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
  plan.is_settled = true;
  CheckDnn(cudnn_, cudnn_.cudnnSetStream(handle_, stream), "a stream");
  const cudnnStatus_t status = QueueEngine(cudnn_, handle_, plan, engine, operands, workspace);
  if (status / kCudnnStatusKind != CUDNN_STATUS_NOT_SUPPORTED / kCudnnStatusKind) {
    CheckDnn(cudnn_, status, "a convolution");
    return true;
  }
  static_cast<void>(cudaGetLastError());  // the next launch is not blamed for it
  std::erase_if(plan.engines, [&](const DnnEngine& other) { return other.name == engine.name; });
  return false;
}

std::vector<DnnEngine> DnnEngines::Candidates(const DnnProblem& problem, const DnnPlan& plan) const {
  MutexLock lock(mutex_);
  if (plan.is_settled) {
    return plan.engines.empty() ? std::vector<DnnEngine>() : std::vector<DnnEngine>{plan.engines.front()};
  }
  std::vector<DnnEngine> candidates;
  if (handle_ != nullptr && problem.is_aligned) candidates = GraphEngines(cudnn_, handle_, problem, in_one_order_);
  candidates.insert(candidates.end(), plan.engines.begin(), plan.engines.end());
  return candidates;
}

// An error of a launch is forgotten here; that of a device that has failed is not.
bool DnnEngines::Try(const DnnPlan& plan, const DnnEngine& engine, cudaStream_t stream, const DnnOperands& operands,
                     void* workspace) {
  MutexLock lock(mutex_);
  CheckDnn(cudnn_, cudnn_.cudnnSetStream(handle_, stream), "a stream");
  if (QueueEngine(cudnn_, handle_, plan, engine, operands, workspace) == CUDNN_STATUS_SUCCESS) return true;
  static_cast<void>(cudaGetLastError());
  return false;
}

void DnnEngines::Settle(DnnPlan& plan, std::vector<DnnEngine> engines) {
  MutexLock lock(mutex_);
  if (!plan.is_settled) plan.engines = std::move(engines);
  plan.is_settled = true;
}

std::optional<bool> DnnEngines::Layout(const DnnUse& use) const {
  MutexLock lock(mutex_);
  const auto found = layouts_.find(use);
  return found == layouts_.end() ? std::nullopt : std::optional(found->second);
}

bool DnnEngines::SettleLayout(const DnnUse& use, bool channels_first) {
  MutexLock lock(mutex_);
  return layouts_.emplace(use, channels_first).first->second;
}

}  // namespace plumb::fast::GPU_NAMESPACE

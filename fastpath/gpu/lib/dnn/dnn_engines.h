// cuDNN on one device: which of its algorithms computes a convolution is asked once for each shape.
//
// Taken are algorithms that give the same answer each time and add up products, as the court's bounds suppose: none by
// Fourier's transform or Winograd's, whose sums are others, and none that takes float for TF32.
#pragma once

#include <compare>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fastpath/gpu/lib/dnn/cudnn_functions.h"
#include "spec/core/dtype.h"
#include "spec/core/thread_annotations.h"

namespace plumb::fast::GPU_NAMESPACE {

// Of y = x * w: y itself, or the gradient of x or of w, of which the other two are given.
enum class DnnPass { kForward, kToImages, kToFilter };

// A convolution as cuDNN counts: sizes are images (or channels out), channels, and those of space; all in memory
// without gaps, channels first or last in the images as in the filter.
struct DnnProblem {
  DnnPass pass = DnnPass::kForward;
  DType type = DType::kFloat;
  bool channels_first = true;
  int groups = 1;
  std::vector<int> x, w, y;                 // w: the channels of one group
  std::vector<int> padding, step, spacing;  // by axis of space; the padding is on both sides

  auto operator<=>(const DnnProblem&) const = default;
};

// One way to compute it.
struct DnnEngine {
  int algorithm = 0;
  cudnnMathType_t math = CUDNN_FMA_MATH;
  size_t workspace = 0;  // bytes
};

// The given operands in the order of the problem's names, and where the result goes.
struct DnnOperands {
  const void* first = nullptr;
  const void* second = nullptr;
  void* result = nullptr;
};

// What a problem is computed by (dnn_plan.h). It is looked at under the lock of its DnnEngines.
struct DnnPlan;

class DnnEngines {
 public:
  explicit DnnEngines(int device);
  ~DnnEngines();
  DnnEngines(const DnnEngines&) = delete;
  DnnEngines& operator=(const DnnEngines&) = delete;

  // Which convolutions the device has, in a sentence: cuDNN's, or those of ours and why.
  std::string Describe();
  // What was chosen for the problem; null: it has not been asked for.
  std::shared_ptr<DnnPlan> Find(const DnnProblem& problem) const;
  // The same, which is chosen now where it has not been. A plan without engines where cuDNN has none for it, or is not
  // here. While a stream captures, nothing can be chosen.
  std::shared_ptr<DnnPlan> Choose(const DnnProblem& problem);

  // The engine that is to be used now; nothing: there is none (any more).
  std::optional<DnnEngine> Engine(const DnnPlan& plan) const;
  // There was no memory for this one: from now on those are used that want less.
  void WantLess(DnnPlan& plan, const DnnEngine& engine);
  // Queues the work on a stream of the device. False: cuDNN has no such work after all, and another engine is used from
  // now on.
  bool Queue(DnnPlan& plan, const DnnEngine& engine, cudaStream_t stream, const DnnOperands& operands, void* workspace);

 private:
  // Whether cuDNN is here; finds out when it is asked first.
  bool Begin() PLUMB_REQUIRES(mutex_);

  const int device_;
  mutable Mutex mutex_;
  bool has_begun_ PLUMB_GUARDED_BY(mutex_) = false;
  std::string why_not_ PLUMB_GUARDED_BY(mutex_);
  CudnnFunctions cudnn_ PLUMB_GUARDED_BY(mutex_);
  cudnnHandle_t handle_ PLUMB_GUARDED_BY(mutex_) = nullptr;
  std::map<DnnProblem, std::shared_ptr<DnnPlan>> plans_ PLUMB_GUARDED_BY(mutex_);
};

}  // namespace plumb::fast::GPU_NAMESPACE

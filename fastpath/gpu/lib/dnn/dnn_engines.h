// cuDNN on one device: which of its engines computes a convolution is settled once for each shape.
//
// Taken are engines that add up products, as the court's bounds suppose: none by Fourier's transform or Winograd's,
// whose sums are others, and none that takes float for TF32 unless a problem says that it may. Where one order of
// all sums is asked for, those are left out that add up as blocks happen to end. There are two kinds: algorithms, of
// which cuDNN has a few by number, and engines of its graphs (dnn_graph.h). Where engines are tried, both kinds are
// run and timed, and the fastest is kept; else the algorithm is taken that cuDNN's heuristics put first.
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

// What engines of graphs suppose of addresses: widths of what they read at once.
constexpr int64_t kDnnAlignment = 16;

// Of y = x * w: y itself, or the gradient of x or of w, of which the other two are given.
enum class DnnPass { kForward, kToImages, kToFilter };

// A convolution as cuDNN counts: sizes are images (or channels out), channels, and those of space; all in memory
// without gaps, channels first or last in the images as in the filter.
struct DnnProblem {
  DnnPass pass = DnnPass::kForward;
  DType type = DType::kFloat;
  bool channels_first = true;
  bool is_aligned = true;  // whether all operands lie at multiples of kDnnAlignment bytes
  bool as_tf32 = false;    // whether float may be multiplied as TF32
  int groups = 1;
  std::vector<int> x, w, y;                 // w: the channels of one group
  std::vector<int> padding, step, spacing;  // by axis of space; the padding is on both sides

  auto operator<=>(const DnnProblem&) const = default;
};

// A problem, and whether the op whose it is has the channels first.
struct DnnUse {
  DnnProblem problem;
  bool lies_first = false;

  auto operator<=>(const DnnUse&) const = default;
};

struct GraphPlan;

// One way to compute it.
struct DnnEngine {
  int algorithm = 0;
  cudnnMathType_t math = CUDNN_FMA_MATH;
  size_t workspace = 0;                    // bytes
  std::string name;                        // the same in each session
  std::shared_ptr<const GraphPlan> graph;  // null: it is an algorithm
};

// The given operands in the order of the problem's names, and where the result goes.
struct DnnOperands {
  const void* first = nullptr;
  const void* second = nullptr;
  void* result = nullptr;
};

// Whether engines are tried: unless the environment has TF_CUDNN_USE_AUTOTUNE=0 (or false), as TensorFlow has it.
bool TriesEngines();
// Whether the order of sums is to be the same each time: if the environment has TF_CUDNN_DETERMINISTIC=1 or
// TF_DETERMINISTIC_OPS=1 (or true), as TensorFlow has them.
bool WantsOneOrder();

// What a problem is computed by (dnn_plan.h). It is looked at under the lock of its DnnEngines.
struct DnnPlan;

class DnnEngines {
 public:
  // `tries`: engines are timed before one is settled. `in_one_order`: none is taken whose sums may be others next time.
  explicit DnnEngines(int device, bool tries = TriesEngines(), bool in_one_order = WantsOneOrder());
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
  // Queues the work on a stream of the device, and settles the order of the plan's engines. False: cuDNN has no such
  // work after all, and another engine is used from now on.
  bool Queue(DnnPlan& plan, const DnnEngine& engine, cudaStream_t stream, const DnnOperands& operands, void* workspace);

  bool tries() const { return tries_; }
  // Whether the device's convolutions, and its products, may take float32 for TF32: as it was asked for when this was
  // made (spec/session/tensor_float_32.h).
  bool takes_tf32() const { return takes_tf32_; }
  int device() const { return device_; }
  // What may be tried for the problem of a plan: where its order is settled, the first engine alone.
  std::vector<DnnEngine> Candidates(const DnnProblem& problem, const DnnPlan& plan) const;
  // Queues the work. False: it was refused, or failed to begin, and nothing is left of that.
  bool Try(const DnnPlan& plan, const DnnEngine& engine, cudaStream_t stream, const DnnOperands& operands,
           void* workspace);
  // These are the plan's engines from now on, best first, unless they have been settled before.
  void Settle(DnnPlan& plan, std::vector<DnnEngine> engines);
  // Whether it is computed with the channels first; nothing while that is not settled.
  std::optional<bool> Layout(const DnnUse& use) const;
  // Settles it, unless it has been before; returns what holds.
  bool SettleLayout(const DnnUse& use, bool channels_first);

 private:
  // Whether cuDNN is here; finds out when it is asked first.
  bool Begin() PLUMB_REQUIRES(mutex_);

  const int device_;
  const bool tries_, in_one_order_, takes_tf32_;
  mutable Mutex mutex_;
  bool has_begun_ PLUMB_GUARDED_BY(mutex_) = false;
  std::string why_not_ PLUMB_GUARDED_BY(mutex_);
  CudnnFunctions cudnn_ PLUMB_GUARDED_BY(mutex_);
  cudnnHandle_t handle_ PLUMB_GUARDED_BY(mutex_) = nullptr;
  std::map<DnnProblem, std::shared_ptr<DnnPlan>> plans_ PLUMB_GUARDED_BY(mutex_);
  std::map<DnnUse, bool> layouts_ PLUMB_GUARDED_BY(mutex_);
};

}  // namespace plumb::fast::GPU_NAMESPACE

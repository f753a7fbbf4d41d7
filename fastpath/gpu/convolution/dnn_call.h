// One pass of a convolution by cuDNN, in one of the two layouts.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "fastpath/gpu/convolution/dnn_shapes.h"
#include "fastpath/gpu/gpu_context.h"

namespace plumb::fast::GPU_NAMESPACE {

class DnnCall {
 public:
  // As QueueByDnn has them (dnn_convolution.h). What is given lives as long as the call.
  DnnCall(GpuContext& context, DnnPass pass, const PatchGrid& grid, bool channels_first, const Tensor& first,
          const Tensor& second, Tensor& out);

  // Nothing where a size is beyond what cuDNN counts.
  const std::optional<DnnProblem>& problem() const { return problem_; }
  // Queues it by the engine that there is for it. False where there is none, or none for which there is memory.
  bool Queue();

  // Runs and times each engine that may compute it, and settles for the fastest.
  struct Tried {
    float milliseconds = 0;  // with the changes of layout
    std::string engine;
  };
  std::optional<Tried> Try();
  // Settles for the engine of this name; false where there is none.
  bool Adopt(const std::string& engine);

 private:
  // Where cuDNN finds the operands: in the op's memory, or in memory of their own.
  struct Placed {
    std::array<Tensor, 3> own;
    DnnOperands operands;
  };
  Placed Place();
  void Bring(Placed& placed);
  void TakeOver(const Placed& placed);
  const DnnOperand& OperandOf(size_t which) const { return shapes_.operand(roles_[which]); }
  // The engines that can run, with the milliseconds of each.
  std::vector<std::pair<float, DnnEngine>> TimeAll(const std::vector<DnnEngine>& candidates, const DnnPlan& plan,
                                                   const Placed& placed);

  GpuContext& context_;
  const std::array<DnnRole, 3> roles_;
  const DnnShapes shapes_;
  const std::array<const Tensor*, 2> given_;
  Tensor& out_;
  std::optional<DnnProblem> problem_;
};

}  // namespace plumb::fast::GPU_NAMESPACE

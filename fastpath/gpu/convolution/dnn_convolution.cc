#include "fastpath/gpu/convolution/dnn_convolution.h"

#include <array>
#include <utility>

#include "fastpath/gpu/convolution/dnn_shapes.h"
#include "fastpath/gpu/gpu_device.h"
#include "fastpath/gpu/gpu_recording.h"
#include "fastpath/gpu/lib/strided_copy.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// What a pass is given, and what it makes.
constexpr std::array<DnnRole, 3> RolesOf(DnnPass pass) {
  switch (pass) {
    case DnnPass::kForward:
      return {DnnRole::kImages, DnnRole::kFilter, DnnRole::kResults};
    case DnnPass::kToImages:
      return {DnnRole::kFilter, DnnRole::kResults, DnnRole::kImages};
    default:
      return {DnnRole::kImages, DnnRole::kResults, DnnRole::kFilter};
  }
}

// What was chosen for the problem, or is chosen now. That takes memory, and so is done before work is captured; where
// it has been forgotten since, the section is tried again.
std::shared_ptr<DnnPlan> PlanOf(GpuContext& context, const DnnProblem& problem) {
  DnnEngines& engines = context.device().dnn();
  const Recording* const recording = Recording::On(context.device());
  if (recording == nullptr || recording->stream() == nullptr) return engines.Choose(problem);
  std::shared_ptr<DnnPlan> plan = engines.Find(problem);
  if (plan == nullptr) throw NotCaptured(Code::kResourceExhausted, "a convolution of it has no engine yet");
  return plan;
}

// Memory for a workspace; nothing is set where there is none. What a capture has no room for is none of ours.
std::optional<Tensor> WorkspaceOf(GpuContext& context, size_t bytes) {
  if (bytes == 0) return Tensor();
  try {
    return context.Scratch(DType::kUint8, Shape{static_cast<int64_t>(bytes)});
  } catch (const NotCaptured&) {
    throw;
  } catch (const Error& error) {
    if (error.status().code() != Code::kResourceExhausted) throw;
    return std::nullopt;
  }
}

// One pass in one layout.
class DnnCall {
 public:
  DnnCall(GpuContext& context, DnnPass pass, const DnnShapes& shapes)
      : context_(context), roles_(RolesOf(pass)), shapes_(shapes) {}

  // Where cuDNN finds an operand: in the op's memory, or in `scratch`, to which it is brought.
  const void* Given(int which, const Tensor& own, Tensor& scratch) {
    const DnnOperand& operand = shapes_.operand(roles_[which]);
    if (operand.lies_alike) return own.raw();
    scratch = ScratchFor(operand, own.dtype());
    if (operand.padded != operand.sizes) context_.Clear(scratch);
    CopyAlong(context_, operand.WalkTo(shapes_.channels_first()), own, 0, scratch, operand.first);
    return scratch.raw();
  }
  void* Made(Tensor& own, Tensor& scratch) {
    const DnnOperand& operand = shapes_.operand(roles_[2]);
    if (operand.lies_alike) return own.mutable_raw();
    scratch = ScratchFor(operand, own.dtype());
    return scratch.mutable_raw();
  }
  void TakeOver(const Tensor& scratch, Tensor& own) {
    const DnnOperand& operand = shapes_.operand(roles_[2]);
    if (operand.lies_alike) return;
    Walk walk = operand.WalkTo(shapes_.channels_first());
    std::swap(walk.stride[0], walk.stride[1]);
    CopyAlong(context_, walk, scratch, operand.first, own, 0);
  }

 private:
  Tensor ScratchFor(const DnnOperand& operand, DType type) { return context_.Scratch(type, Shape{operand.elements()}); }

  GpuContext& context_;
  const std::array<DnnRole, 3> roles_;
  const DnnShapes& shapes_;
};

bool QueueIn(bool channels_first, GpuContext& context, DnnPass pass, const PatchGrid& grid, const Tensor& first,
             const Tensor& second, Tensor& out) {
  const DnnShapes shapes(grid, channels_first);
  const std::optional<DnnProblem> problem = shapes.ProblemOf(pass, out.dtype());
  if (!problem) return false;
  const std::shared_ptr<DnnPlan> plan = PlanOf(context, *problem);
  DnnEngines& engines = context.device().dnn();
  if (!engines.Engine(*plan)) return false;
  DnnCall call(context, pass, shapes);
  Tensor first_scratch, second_scratch, result;
  DnnOperands operands;
  operands.first = call.Given(0, first, first_scratch);
  operands.second = call.Given(1, second, second_scratch);
  operands.result = call.Made(out, result);
  while (const std::optional<DnnEngine> engine = engines.Engine(*plan)) {
    std::optional<Tensor> workspace = WorkspaceOf(context, engine->workspace);
    if (!workspace) {
      engines.WantLess(*plan, *engine);
      continue;
    }
    void* const memory = engine->workspace == 0 ? nullptr : workspace->mutable_raw();
    if (!engines.Queue(*plan, *engine, context.stream(), operands, memory)) continue;
    call.TakeOver(result, out);
    return true;
  }
  return false;
}

}  // namespace

// As TensorFlow does, 16-bit floats are computed where they lie, which suits tensor cores, and wider ones with channels
// first; then the other layout is tried.
bool QueueByDnn(GpuContext& context, DnnPass pass, const PatchGrid& grid, const Tensor& first, const Tensor& second,
                Tensor& out) {
  const bool channels_first = ElementSize(out.dtype()) > 2 || grid.from.channels_first;
  return QueueIn(channels_first, context, pass, grid, first, second, out) ||
         QueueIn(!channels_first, context, pass, grid, first, second, out);
}

}  // namespace plumb::fast::GPU_NAMESPACE

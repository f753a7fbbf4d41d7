#include "fastpath/gpu/convolution/dnn_call.h"

#include <algorithm>
#include <utility>

#include "fastpath/gpu/gpu_device.h"
#include "fastpath/gpu/gpu_recording.h"
#include "fastpath/gpu/lib/dnn/dnn_timing.h"
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

bool IsAligned(const Tensor& tensor) { return reinterpret_cast<uintptr_t>(tensor.raw()) % kDnnAlignment == 0; }

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

// `act()`, or nothing where there is no memory for it. What a capture has no room for is none of ours.
template <class Act>
auto IfThereIsMemory(const Act& act) -> std::optional<decltype(act())> {
  try {
    return act();
  } catch (const NotCaptured&) {
    throw;
  } catch (const Error& error) {
    if (error.status().code() != Code::kResourceExhausted) throw;
    return std::nullopt;
  }
}

std::optional<Tensor> WorkspaceOf(GpuContext& context, size_t bytes) {
  if (bytes == 0) return Tensor();
  return IfThereIsMemory([&] { return context.Scratch(DType::kUint8, Shape{static_cast<int64_t>(bytes)}); });
}
void* AddressOf(Tensor& workspace, const DnnEngine& engine) {
  return engine.workspace == 0 ? nullptr : workspace.mutable_raw();
}

}  // namespace

DnnCall::DnnCall(GpuContext& context, DnnPass pass, const PatchGrid& grid, bool channels_first, const Tensor& first,
                 const Tensor& second, Tensor& out)
    : context_(context),
      roles_(RolesOf(pass)),
      shapes_(grid, channels_first),
      given_{&first, &second},
      out_(out),
      problem_(shapes_.ProblemOf(pass, out.dtype())) {
  if (!problem_) return;
  problem_->as_tf32 = out.dtype() == DType::kFloat && context.device().dnn().takes_tf32();
  for (size_t i = 0; i < roles_.size(); ++i) {
    const Tensor& tensor = i < given_.size() ? *given_[i] : out_;
    if (OperandOf(i).lies_alike && !IsAligned(tensor)) problem_->is_aligned = false;
  }
}

DnnCall::Placed DnnCall::Place() {
  Placed placed;
  std::array<const void*, 2> given{};
  for (size_t i = 0; i < given_.size(); ++i) {
    const DnnOperand& operand = OperandOf(i);
    if (!operand.lies_alike) placed.own[i] = context_.Scratch(out_.dtype(), Shape{operand.elements()});
    given[i] = operand.lies_alike ? given_[i]->raw() : placed.own[i].raw();
  }
  const DnnOperand& made = OperandOf(2);
  if (!made.lies_alike) placed.own[2] = context_.Scratch(out_.dtype(), Shape{made.elements()});
  placed.operands = {given[0], given[1], made.lies_alike ? out_.mutable_raw() : placed.own[2].mutable_raw()};
  return placed;
}

void DnnCall::Bring(Placed& placed) {
  for (size_t i = 0; i < given_.size(); ++i) {
    const DnnOperand& operand = OperandOf(i);
    if (operand.lies_alike) continue;
    if (operand.padded != operand.sizes) context_.Clear(placed.own[i]);
    CopyAlong(context_, operand.WalkTo(shapes_.channels_first()), *given_[i], 0, placed.own[i], operand.first);
  }
}

void DnnCall::TakeOver(const Placed& placed) {
  const DnnOperand& operand = OperandOf(2);
  if (operand.lies_alike) return;
  Walk walk = operand.WalkTo(shapes_.channels_first());
  std::swap(walk.stride[0], walk.stride[1]);
  CopyAlong(context_, walk, placed.own[2], operand.first, out_, 0);
}

bool DnnCall::Queue() {
  if (!problem_) return false;
  const std::shared_ptr<DnnPlan> plan = PlanOf(context_, *problem_);
  DnnEngines& engines = context_.device().dnn();
  if (!engines.Engine(*plan)) return false;
  Placed placed = Place();
  Bring(placed);
  while (const std::optional<DnnEngine> engine = engines.Engine(*plan)) {
    std::optional<Tensor> workspace = WorkspaceOf(context_, engine->workspace);
    if (!workspace) {
      engines.WantLess(*plan, *engine);
      continue;
    }
    void* const memory = AddressOf(*workspace, *engine);
    if (!engines.Queue(*plan, *engine, context_.stream(), placed.operands, memory)) continue;
    TakeOver(placed);
    return true;
  }
  return false;
}

// What is given is only read, and no engine adds to what there is: each run leaves what the one before left.
std::vector<std::pair<float, DnnEngine>> DnnCall::TimeAll(const std::vector<DnnEngine>& candidates, const DnnPlan& plan,
                                                          const Placed& placed) {
  DnnEngines& engines = context_.device().dnn();
  std::vector<std::pair<float, DnnEngine>> timed;
  float best = std::numeric_limits<float>::infinity();
  for (const DnnEngine& engine : candidates) {
    std::optional<Tensor> workspace = WorkspaceOf(context_, engine.workspace);
    if (!workspace) continue;
    void* const memory = AddressOf(*workspace, engine);
    const std::optional<float> time = TimeOnStream(
        context_.stream(), [&] { return engines.Try(plan, engine, context_.stream(), placed.operands, memory); }, best);
    if (!time) continue;
    timed.emplace_back(*time, engine);
    best = std::min(best, *time);
  }
  std::stable_sort(timed.begin(), timed.end(),
                   [](const auto& one, const auto& other) { return one.first < other.first; });
  return timed;
}

std::optional<DnnCall::Tried> DnnCall::Try() {
  if (!problem_) return std::nullopt;
  const std::shared_ptr<DnnPlan> plan = PlanOf(context_, *problem_);
  DnnEngines& engines = context_.device().dnn();
  const std::vector<DnnEngine> candidates = engines.Candidates(*problem_, *plan);
  if (candidates.empty()) return std::nullopt;
  std::optional<Placed> placed = IfThereIsMemory([&] { return Place(); });
  if (!placed) return std::nullopt;
  const auto time = [&](const auto& act) {
    return *TimeOnStream(context_.stream(), [&] {
      act();
      return true;
    });
  };
  const float brought = time([&] { Bring(*placed); });
  const std::vector<std::pair<float, DnnEngine>> timed = TimeAll(candidates, *plan, *placed);
  std::vector<DnnEngine> in_order;
  for (const auto& [milliseconds, engine] : timed) in_order.push_back(engine);
  engines.Settle(*plan, in_order);
  if (timed.empty()) return std::nullopt;
  return Tried{brought + timed.front().first + time([&] { TakeOver(*placed); }), timed.front().second.name};
}

bool DnnCall::Adopt(const std::string& engine) {
  if (!problem_) return false;
  const std::shared_ptr<DnnPlan> plan = PlanOf(context_, *problem_);
  DnnEngines& engines = context_.device().dnn();
  std::vector<DnnEngine> candidates = engines.Candidates(*problem_, *plan);
  const auto found = std::find_if(candidates.begin(), candidates.end(),
                                  [&](const DnnEngine& candidate) { return candidate.name == engine; });
  if (found == candidates.end()) return false;
  std::rotate(candidates.begin(), found, found + 1);
  engines.Settle(*plan, std::move(candidates));
  return true;
}

}  // namespace plumb::fast::GPU_NAMESPACE

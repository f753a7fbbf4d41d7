// Staging areas (rule Q71).
#include "reference/kernel/op_context.h"
#include "reference/ops/lib/staging.h"

namespace plumb::reference {
namespace {

std::shared_ptr<StagingArea> AreaOf(OpContext& c) {
  auto area = Staged<StagingArea>(c);
  area->Declare(LimitsOf(c.node));
  return area;
}

void Stage(OpContext& c) {
  std::vector<Value> values;
  for (int i = 0; i < c.num_inputs(); ++i) values.push_back(c.input(i));
  Answered(c, AreaOf(c), AreaRequest{.act = StagingAct::kPut, .values = std::move(values)});
}

void Give(OpContext& c, const AreaRequest& request) {
  auto values = Answered(c, AreaOf(c), request);
  if (values) OutputStaged(c, std::move(*values), 0);
}

void Unstage(OpContext& c) { Give(c, {.act = StagingAct::kTake}); }

void StagePeek(OpContext& c) {
  Require(c.tensor(0).rank() == 0, "index is a scalar, not of shape ", c.tensor(0).shape().ToString());
  Give(c, {.act = StagingAct::kPeek, .index = c.tensor(0).scalar<int32_t>()});
}

void StageSize(OpContext& c) { c.Output(0, MakeScalar(static_cast<int32_t>(AreaOf(c)->size()))); }
void StageClear(OpContext& c) { AreaOf(c)->Clear(); }

constexpr KernelRow kRows[] = {
    {"Stage", Stage, CheckLimits},           {"Unstage", Unstage, CheckLimits},
    {"StagePeek", StagePeek, CheckLimits},   {"StageSize", StageSize, CheckLimits},
    {"StageClear", StageClear, CheckLimits},
};

}  // namespace

namespace topics {
std::span<const KernelRow> DataFlowStage() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

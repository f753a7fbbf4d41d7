// Sampled costs and traces: what happens only when someone asked for it.
#pragma once

#include "fastpath/execute/run_state.h"
#include "spec/session/session.h"

namespace plumb::fast {

int64_t NowNanoseconds();

// Follows the cost of a node: down at once, up slowly.
void RecordCost(const Plan& plan, uint32_t node, int64_t nanoseconds);
// Counts a step; whether its costs are sampled.
bool CountStep(const Plan& plan);
// After a sampled step: whether handing nodes to other threads can pay.
void JudgeCosts(const Plan& plan, uint32_t hand_off_nanoseconds);
// Whether all nodes together took no longer than that, once each, by what is known of them; not where nothing is.
bool IsBrief(const Plan& plan, int64_t nanoseconds);
// Whether it can, as far as is known: in the first step it may.
bool MayBeWorthThreads(const Plan& plan);
// In place of samples: so many percent of the nodes, spread over the plan, are worth a hand-off, the others are not.
void PretendCosts(const Plan& plan, int percent, uint32_t hand_off_nanoseconds);

void RecordTrace(RunState& state, uint32_t node, int64_t start_ns, int64_t end_ns);
// The trace of a finished step, by device.
RunMetadata CollectTrace(RunState& state);

}  // namespace plumb::fast

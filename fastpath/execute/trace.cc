#include "fastpath/execute/trace.h"

#include <chrono>

#include "spec/core/thread_annotations.h"

namespace plumb::fast {
namespace {

constexpr uint32_t kAlwaysSampled = 4;  // the first steps over a plan
constexpr uint32_t kSampleEvery = 256;  // later ones

int32_t ThisThread() {
  static std::atomic<int32_t> next{0};
  thread_local const int32_t id = next.fetch_add(1, std::memory_order_relaxed);
  return id;
}

}  // namespace

int64_t NowNanoseconds() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

void RecordCost(const Plan& plan, uint32_t node, int64_t nanoseconds) {
  const auto sample = static_cast<uint32_t>(std::clamp<int64_t>(nanoseconds, 1, UINT32_MAX / 8));
  std::atomic<uint32_t>& cost = plan.costs[node];
  const uint32_t old = cost.load(std::memory_order_relaxed);
  // A first call that sets things up, or a thread that lost its core, must not be remembered for long.
  cost.store(old == 0 || sample < old ? sample : old + (sample - old) / 8, std::memory_order_relaxed);
}

bool CountStep(const Plan& plan) {
  const uint32_t step = plan.steps.fetch_add(1, std::memory_order_relaxed);
  return step < kAlwaysSampled || step % kSampleEvery == 0;
}

// While the first step runs nobody has judged.
bool MayBeWorthThreads(const Plan& plan) {
  return plan.worth_threads.load(std::memory_order_relaxed) || plan.steps.load(std::memory_order_relaxed) <= 1;
}

void JudgeCosts(const Plan& plan, uint32_t hand_off_nanoseconds) {
  int expensive = 0;
  for (size_t i = 0; i < plan.nodes.size() && expensive < 2; ++i) {
    expensive += plan.costs[i].load(std::memory_order_relaxed) >= hand_off_nanoseconds;
  }
  plan.worth_threads.store(expensive >= 2, std::memory_order_relaxed);
}

bool IsBrief(const Plan& plan, int64_t nanoseconds) {
  int64_t all = 0;
  for (size_t i = 0; i < plan.nodes.size() && all <= nanoseconds; ++i) {
    all += plan.costs[i].load(std::memory_order_relaxed);
  }
  return all > 0 && all <= nanoseconds;
}

void PretendCosts(const Plan& plan, int percent, uint32_t hand_off_nanoseconds) {
  constexpr size_t kStride = 61;  // coprime to 100: of 100 neighbours each gets a number of its own
  for (size_t i = 0; i < plan.nodes.size(); ++i) {
    const bool is_worth_it = static_cast<int>(i * kStride % 100) < percent;
    plan.costs[i].store(is_worth_it ? hand_off_nanoseconds : 0, std::memory_order_relaxed);
  }
}

void RecordTrace(RunState& state, uint32_t node, int64_t start_ns, int64_t end_ns) {
  MutexLock lock(state.trace_mutex);
  state.trace_records.push_back({node, ThisThread(), start_ns, end_ns});
}

RunMetadata CollectTrace(RunState& state) {
  const Plan& plan = state.plan();
  RunMetadata metadata;
  for (const std::string& device : plan.device_names) metadata.step_stats.push_back({device, {}});
  MutexLock lock(state.trace_mutex);
  for (const TraceRecord& record : state.trace_records) {
    const PlanNodeInfo& info = plan.info[record.node];
    metadata.step_stats[info.device].nodes.push_back(
        {info.name, info.op, record.start_ns, record.start_ns, record.end_ns, record.thread});
  }
  state.trace_records.clear();
  return metadata;
}

}  // namespace plumb::fast

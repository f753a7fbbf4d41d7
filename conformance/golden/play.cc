#include "conformance/golden/play.h"

#include <algorithm>
#include <latch>
#include <thread>

#include "spec/ops/catalogue.h"

namespace plumb::conformance {
namespace {

PlayedStep Play(Session& session, const StepRequest& request) {
  PlayedStep played;
  played.status = session.Run(request.feeds, request.fetches, request.targets, &played.outputs);
  return played;
}

// Whether an op's answers are drawn, from a stream that only a seed fixes.
bool IsDraw(const std::string& op) {
  const OpDef* const def = FindOp(op);
  return def != nullptr && def->is_stateful && def->accuracy.kind == AccuracyClass::kStatistical;
}

}  // namespace

std::span<const RecordedStep> GroupAt(std::span<const RecordedStep> steps) {
  size_t count = 1;
  const int group = steps.front().group;
  while (group != 0 && count < steps.size() && steps[count].group == group) ++count;
  return steps.first(count);
}

std::vector<StepRequest> RequestsOf(std::span<const RecordedStep> steps) {
  std::vector<StepRequest> requests;
  for (const RecordedStep& step : steps) requests.push_back(step.request);
  return requests;
}

bool HasGroups(const GoldenCase& golden) {
  return std::any_of(golden.steps.begin(), golden.steps.end(),
                     [](const RecordedStep& step) { return step.group != 0; });
}

bool NeedsBounds(const GoldenCase& golden) {
  for (const RecordedStep& step : golden.steps) {
    for (const RecordedValue& value : step.values) {
      if (value.check == Check::kBounded) return true;
    }
  }
  return false;
}

bool DrawsByChance(const GoldenCase& golden) {
  const std::vector<NodeDef>& nodes = golden.graph.nodes;
  const auto is_unseeded = [](const NodeDef& node) {
    const auto is_zero = [&](const char* seed) { return GetAttrOr<int64_t>(node.attrs, seed, 0) == 0; };
    return IsDraw(node.op) && is_zero("seed") && is_zero("seed2");
  };
  const auto is_in_function = [&](const std::string& op) {
    const auto is_it = [&](const NodeDef& node) { return node.op == op; };
    return IsDraw(op) && std::none_of(nodes.begin(), nodes.end(), is_it);
  };
  return std::any_of(nodes.begin(), nodes.end(), is_unseeded) ||
         std::any_of(golden.ops.begin(), golden.ops.end(), is_in_function);
}

std::vector<PlayedStep> PlayTogether(Session& session, std::span<const RecordedStep> steps) {
  if (steps.size() == 1) return {Play(session, steps.front().request)};
  std::vector<PlayedStep> played(steps.size());
  std::latch all_there(static_cast<std::ptrdiff_t>(steps.size()));
  std::vector<std::jthread> threads;
  for (size_t i = 0; i < steps.size(); ++i) {
    threads.emplace_back([&, i] {
      all_there.arrive_and_wait();
      played[i] = Play(session, steps[i].request);
    });
  }
  threads.clear();  // joins them
  return played;
}

}  // namespace plumb::conformance

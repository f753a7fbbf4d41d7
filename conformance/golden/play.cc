#include "conformance/golden/play.h"

#include <algorithm>
#include <latch>
#include <thread>

namespace plumb::conformance {
namespace {

PlayedStep Play(Session& session, const StepRequest& request) {
  PlayedStep played;
  played.status = session.Run(request.feeds, request.fetches, request.targets, &played.outputs);
  return played;
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

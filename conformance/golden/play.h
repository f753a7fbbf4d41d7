// Steps of one recorded group, started together.
#pragma once

#include <span>
#include <vector>

#include "conformance/golden/case.h"
#include "spec/session/session.h"

namespace plumb::conformance {

// How many orders of the events that no edge orders the reference is asked for (the walks of Oracle).
constexpr uint64_t kWalks = 500;

struct PlayedStep {
  Status status;
  std::vector<Tensor> outputs;
};

// The steps from the first on that start together: itself, and those behind it that are of the same group.
std::span<const RecordedStep> GroupAt(std::span<const RecordedStep> steps);

// What they ask for.
std::vector<StepRequest> RequestsOf(std::span<const RecordedStep> steps);

bool HasGroups(const GoldenCase& golden);

// Whether some value is judged by the reference's bounds.
bool NeedsBounds(const GoldenCase& golden);

// Whether some node draws random numbers that no seed fixes, or one of a function that may have none. Then two runs may
// compare tensors of other sizes, and other numbers may be open.
bool DrawsByChance(const GoldenCase& golden);

// Runs all of them at once, each on a thread of its own when there are several. A result per step, in order.
std::vector<PlayedStep> PlayTogether(Session& session, std::span<const RecordedStep> steps);

}  // namespace plumb::conformance

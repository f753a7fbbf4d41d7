// Whether the reference could have answered what a backend answered, had it ordered events otherwise.
#pragma once

#include <span>

#include "conformance/golden/case.h"
#include "conformance/golden/play.h"

namespace plumb::conformance {

// Whether steps of the case have events that no edge orders and whose order an answer may show: steps that start
// together, or a node with state.
bool HangsOnOrder(const GoldenCase& golden);

// Whether in one of the orders that it is asked for the reference ends each step with the code that was `played`, and
// allows its values (rule E1): TensorFlow showed one outcome of a race, and a backend may come to another. `played`: of
// all steps.
bool IsAllowedInSomeOrder(const GoldenCase& golden, std::span<const PlayedStep> played);

}  // namespace plumb::conformance

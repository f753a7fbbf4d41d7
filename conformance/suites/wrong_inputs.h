// Inputs that an op is not made for. Most are refused, and both sides have to refuse them with one code; what is taken
// has one answer.
#pragma once

#include <vector>

#include "spec/ops/sample.h"

namespace plumb::conformance {

// Of a case that fits and stands alone. In each, one thing is another: the shape of an input, one of its elements, the
// value of an attribute, or a type, for one that the row declares for no kernel. Seeds and names stay.
std::vector<SampledCase> WrongInputs(const OpDef& op, const SampledCase& fitting);

}  // namespace plumb::conformance

// How smooth a function is, as the reference computes it.
#pragma once

#include "spec/ops/op_def.h"
#include "spec/samples/sample.h"

namespace plumb::property {

enum class Smoothness {
  kJumps,  // or has no finite value somewhere
  kBends,  // continuous
  kSmooth,
  kDifferentiable,  // smooth, and its row has a gradient rule, which allows to be applied
};

// Of the op in those of the case's float64 inputs that may be others, by differences around the case itself and around
// zeros and ones, where many elements are equal. kSmooth at most; kJumps where there is no such input.
Smoothness SmoothnessOf(const OpDef& op, const SampledCase& sample);

}  // namespace plumb::property

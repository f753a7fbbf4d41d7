// What is tried of an op before graphs are drawn of it.
#pragma once

#include <cstdint>
#include <vector>

#include "spec/ops/op_def.h"
#include "spec/samples/sample.h"

namespace plumb::property {

// Of the samples that are tried: the same ones each time.
inline constexpr uint64_t kTrialSeed = 1;

// Whether the shape rule takes all samples without any of their values. Some rules refuse a graph that does not tell
// them one, such as a scalar in the place of a shape.
bool NeedsNoValues(const OpDef& op);

// Whether all backends can do it, as far as one case shows. What an emulated GPU cannot, its host does.
bool RunsEverywhere(const OpDef& op, const SampledCase& sample);

// Whether the results hang on the node's name, as those of a summary that says whose it is: in a function's body a node
// has another name than outside.
bool TellsItsName(const OpDef& op, const SampledCase& sample);

// Whether all that the op computes of small whole numbers, in the place of these inputs, is small whole numbers.
bool GivesWholeNumbers(const OpDef& op, SampledCase sample, const std::vector<size_t>& inputs);

}  // namespace plumb::property

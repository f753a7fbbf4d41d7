// Ops of TensorFlow 2.12 that no kernel here runs, known by signature: a graph that holds them loads, and what needs
// none of them runs (rules A4, A8).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spec/ops/op_def.h"

namespace plumb {

// The definition, whose shapes are unknown and which has no gradient; null where the lists have no such op.
const OpDef* FindKnownOp(std::string_view name);
// "; " and what to do where a step needs the op and no kernel is there; nothing where that is all there is to say.
std::string InsteadOf(std::string_view name);
// Their names, sorted.
std::vector<std::string_view> KnownOpNames();

}  // namespace plumb

// One execution of one op: its inputs as the signature asks for them, its kernel, its outputs checked.
#pragma once

#include <vector>

#include "reference/step/step.h"

namespace plumb::reference {

// Inputs as `node` sees them when it starts: references read where a value is wanted, not before they are
// initialised (rules R30, R13), and aliases as their buffers are now (rule R31). Empty inputs (of a Merge) stay empty.
std::vector<Item> PrepareInputs(const Node& node, std::vector<Item> inputs);

// Runs the kernel of `step_node`, which has one, on the event's prepared inputs. When the kernel parks, there are no
// outputs and the event has an attempt. Throws Error naming the node.
std::vector<Token> RunKernel(const StepNode& step_node, Event& event, SharedState& shared, ResourceStore& step,
                             const Mode& mode);

}  // namespace plumb::reference

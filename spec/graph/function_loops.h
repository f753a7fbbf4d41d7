// Loops as their gradients need them (clause FN8): one that keeps what each turn starts with, and one that goes back
// over the turns. Their conditions and bodies are functions that no library holds, made from those of the loop.
#pragma once

#include <vector>

#include "spec/graph/builder.h"
#include "spec/graph/function_library.h"
#include "spec/ops/gradient.h"

namespace plumb {

// Whether the reference is to a condition or body of such a loop, and the function itself.
bool IsLoopFunction(const FunctionRef& function);
FunctionBody MakeLoopFunction(const FunctionLibrary& library, const FunctionRef& function);

// The same loop over `inputs`, which pushes the variables that a turn may change onto stacks before each turn. Its
// output `first + i` is output i of `loop`.
struct RecordedLoop {
  NodeId node = NodeId::kNone;
  int first = 0;
};
RecordedLoop AddRecordedLoop(GraphBuilder& builder, const FunctionLibrary& library, const Node& loop,
                             const std::vector<Endpoint>& inputs, GraphBuilder::Options options);

// The gradients of the inputs of a recorded loop: `g` is its node. Takes as many turns as that did, and in each
// computes the body again.
std::vector<GradientValue> RecordedLoopGradient(const FunctionLibrary& library, Gradient& g);

}  // namespace plumb

// The kernels that passes make for nodes without an op, which no device's table has: a closed list of names, so that a
// graph that comes from another process gets no kernel but these.
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "fastpath/compile/graph/step_graph.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast {

// Makes the kernel of a call that is not inlined: a function that calls itself, more copies than a plan should hold, or
// an executor that there is not. `depth` calls lie around it.
using CallKernelFactory = std::function<std::shared_ptr<Kernel>(const Node& call, int depth)>;

// Give the node a kernel, and the recipe from which it is made again: the choice of the function that a call runs
// (branch_kernel.h), the count of a loop (turns_kernel.h), the device of a call (target_kernel.h), the rows of a batch
// (batch_kernel.h; all but the first name the node and type it as well), and a whole call.
void SetBranchKernel(StepNode& node, const Node& call, size_t branches);
void SetTurnsKernel(StepNode& node, const Node& call);
void SetNextTurnKernel(StepNode& node, const Node& call);
void SetTargetKernel(StepNode& node, const Node& call, const std::vector<std::string>& devices);
void SetPadKernel(StepNode& node, const Node& call);
void SetCutKernel(StepNode& node, const Node& call, size_t result);
void SetCallKernel(StepNode& node, const Node& call, int depth, const CallKernelFactory& call_kernel);

// Makes a kernel from its recipe. `source` has the functions that it calls, and `call_kernel` makes calls of these.
// Throws kInvalidArgument for a name that is not in the list and for attributes that make no sense, and as ResolveNode
// does.
std::shared_ptr<Kernel> MakePassKernel(const KernelRecipe& recipe, const Graph& source,
                                       const CallKernelFactory& call_kernel);
std::vector<std::string_view> PassKernelNames();

}  // namespace plumb::fast

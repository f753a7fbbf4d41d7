// From a request to a plan: the passes, in order.
#pragma once

#include <vector>

#include "fastpath/compile/functions/inline_functions.h"
#include "fastpath/compile/placement/partition.h"
#include "fastpath/compile/plan/build_plan.h"
#include "fastpath/device/device.h"

namespace plumb::fast {

struct CompileOptions {
  bool optimize = true;               // common subexpressions and constant folding (rule O9)
  bool allow_soft_placement = false;  // rule W15
  CallKernelFactory call_kernel = nullptr;
  int call_depth = 0;  // calls around the graph
  // Nodes go to accelerators only if they ask for one.
  bool prefers_host = false;
  // How numbers travel to other tasks.
  Wire wire = Wire::kExact;
  // What asks for another task runs on this one: a call that is compiled when it runs stays where it is made.
  bool keeps_task = false;
  // Devices that take sections are given them (placement/sections.h). All parts run in this process, and feeds come at
  // once.
  bool gathers_sections = false;
  // Gives the feeds and fetches of the host's part kernels of its own: the plan then has none (rule P1).
  std::function<void(StepGraph&)> replace_ends = nullptr;
  // What becomes of each part before its plan is made: the graph that arrives where it runs. Null: it stays as it is.
  std::function<StepGraph(StepGraph)> carry = nullptr;
};

// The plans of a step: the host's, with its feeds and fetches, and one for each other device that takes part.
using Plans = std::vector<std::shared_ptr<const Plan>>;
// Gives the kernel of a node on a device; see KernelSource.
using DeviceKernels = std::function<std::shared_ptr<Kernel>(const Node&, Device&)>;

// The parts of the step before their plans are made: the host's first. Throws as the passes do. Folded constants are
// computed on `pool`.
std::vector<StepGraph> CompileParts(std::shared_ptr<const Graph> graph, const Request& request,
                                    const CompileOptions& options, const DeviceSet& devices,
                                    const DeviceKernels& kernels, ThreadPool& pool);
// The plan of a part, with the ends of `request`: its feeds and fetches. `in_pieces`: they come one by one (rule P3).
std::shared_ptr<const Plan> FinishPart(StepGraph part, const Request& request, bool in_pieces, const DeviceSet& devices,
                                       const DeviceKernels& kernels);

// Both. Throws as the passes do. The plans keep the graph alive. Folded constants are computed on `pool`.
Plans Compile(std::shared_ptr<const Graph> graph, const Request& request, const CompileOptions& options,
              const DeviceSet& devices, const DeviceKernels& kernels, ThreadPool& pool);
// The same on one CPU.
std::shared_ptr<const Plan> Compile(std::shared_ptr<const Graph> graph, const Request& request,
                                    const CompileOptions& options, const KernelSource& kernels, ThreadPool& pool);

}  // namespace plumb::fast

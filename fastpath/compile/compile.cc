#include "fastpath/compile/compile.h"

#include "fastpath/compile/frames.h"
#include "fastpath/compile/prune.h"

namespace plumb::fast {

std::shared_ptr<const Plan> Compile(std::shared_ptr<const Graph> graph, const Request& request,
                                    const CompileOptions& options, const KernelSource& kernels) {
  StepGraph step = Prune(std::move(graph), request);
  const FrameMap frames = AnalyzeFrames(step);
  (void)options;
  return BuildPlan(step, frames, request, kernels);
}

}  // namespace plumb::fast

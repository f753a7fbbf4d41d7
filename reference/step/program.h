// From a request to the program of a step: names resolved, the graph cut out, the kernels found.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "reference/step/step.h"
#include "spec/session/session.h"

namespace plumb::reference {

using ValueFeed = std::pair<std::string, Value>;

struct StepRequest {
  std::vector<ValueFeed> feeds;
  std::vector<std::string> fetches;
  std::vector<std::string> targets;
};

// The type of a tensor that is to be fed; kInvalid where there is no such tensor, which pruning refuses.
DType TypeOfFeed(const Graph& graph, const std::string& feed);
// Feeds of which only the names are known yet: an empty tensor each, of the type that will come.
std::vector<ValueFeed> FeedsToCome(const Graph& graph, std::span<const std::string> names);

// Throws Error as rules F4–F7, F12, F20–F22, X11, X12, W26 and A7 say, before anything runs.
std::shared_ptr<const Program> MakeProgram(std::shared_ptr<const Graph> graph, const StepRequest& request, Mode mode,
                                           const SessionOptions& options = {}, KernelFinder find_kernel = FindKernel);

// A7: finds the kernels of a step's nodes, and checks their attributes, before any of them runs.
void FindKernels(StepGraph& graph, KernelFinder find_kernel);

}  // namespace plumb::reference

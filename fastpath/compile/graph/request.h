// What a caller asks of one step, with its names resolved against the graph.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "spec/graph/graph.h"

namespace plumb::fast {

struct Request {
  std::vector<Endpoint> feeds;       // in the caller's order
  std::vector<Endpoint> fetches;     // each once
  std::vector<int> fetch_positions;  // for each fetch of the caller: its place in `fetches` (rule F25)
  std::vector<NodeId> targets;
};

// Throws kOutOfRange, kInvalidArgument and kNotFound as rules F5–F7 and F20–F22 say.
Request ResolveRequest(const Graph& graph, std::span<const std::string> feeds, std::span<const std::string> fetches,
                       std::span<const std::string> targets);

}  // namespace plumb::fast

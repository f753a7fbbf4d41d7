#include "fastpath/compile/request.h"

#include <algorithm>
#include <map>

namespace plumb::fast {
namespace {

// The tensor that `name` names; `role` is "feed" or "fetch" (rules F5, F21).
Endpoint ResolveTensor(const Graph& graph, const std::string& name, std::string_view role) {
  const TensorName parsed = ParseTensorName(name);
  Require(!parsed.control, role, " '", name, "' names a control input, not a tensor");
  const auto node = graph.Find(parsed.node);
  if (!node) throw NotFound(role, " '", name, "': the graph has no node '", parsed.node, "'");
  const size_t outputs = graph.node(*node).output_types.size();
  Require(outputs > 0, role, " '", name, "': the node produces no output; name it as a target instead");
  Require(parsed.output >= 0 && static_cast<size_t>(parsed.output) < outputs, role, " '", name,
          "': output index too large, the node has ", outputs, " outputs");
  return {*node, parsed.output};
}

// F22: a target may carry a port, which is ignored; all unknown ones are named at once.
std::vector<NodeId> ResolveTargets(const Graph& graph, std::span<const std::string> targets) {
  std::vector<NodeId> nodes;
  std::string missing;
  for (const std::string& target : targets) {
    const TensorName parsed = ParseTensorName(target);
    if (const auto node = graph.Find(parsed.node)) {
      nodes.push_back(*node);
    } else {
      missing += (missing.empty() ? "" : ", ") + target;
    }
  }
  if (!missing.empty()) throw NotFound("Some target nodes not found: ", missing);
  return nodes;
}

}  // namespace

Request ResolveRequest(const Graph& graph, std::span<const std::string> feeds, std::span<const std::string> fetches,
                       std::span<const std::string> targets) {
  Require(!fetches.empty() || !targets.empty(), "Must specify at least one target or fetch to run");
  Request request;
  std::map<Endpoint, int> seen;
  for (const std::string& feed : feeds) {
    const Endpoint endpoint = ResolveTensor(graph, feed, "feed");
    Require(seen.emplace(endpoint, -1).second, "feed '", feed, "' was fed more than once");
    request.feeds.push_back(endpoint);
  }
  for (const std::string& fetch : fetches) {
    const Endpoint endpoint = ResolveTensor(graph, fetch, "fetch");
    const auto [at, is_new] = seen.emplace(endpoint, static_cast<int>(request.fetches.size()));
    Require(at->second >= 0, "'", fetch, "' is both fed and fetched");
    if (is_new) request.fetches.push_back(endpoint);
    request.fetch_positions.push_back(at->second);
  }
  request.targets = ResolveTargets(graph, targets);
  return request;
}

}  // namespace plumb::fast

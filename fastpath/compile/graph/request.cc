#include "fastpath/compile/graph/request.h"

#include <algorithm>
#include <map>
#include <optional>

namespace plumb::fast {
namespace {

// Resolves the names of a request. That a node lacks an output is said first, then that there is no such node, then
// what the whole request does wrong.
class Resolver {
 public:
  explicit Resolver(const Graph& graph) : graph_(graph) {}

  // The tensors that `names` name; `role` is "feed" or "fetch" (rules F5, F21).
  std::vector<Endpoint> Tensors(std::span<const std::string> names, std::string_view role) {
    std::vector<Endpoint> endpoints;
    for (const std::string& name : names) {
      const TensorName parsed = ParseTensorName(name);
      if (const auto node = graph_.Find(parsed.node)) {
        CheckOutput(parsed, name, role, graph_.node(*node).output_types.size());
        endpoints.push_back({*node, parsed.output});
      } else if (unknown_.empty()) {
        unknown_ = Str(role, " '", name, "': the graph has no node '", parsed.node, "'");
      }
    }
    return endpoints;
  }

  void RequireAllKnown() const { Require(unknown_.empty(), unknown_); }

 private:
  static void CheckOutput(const TensorName& parsed, const std::string& name, std::string_view role, size_t outputs) {
    if (parsed.control) throw OutOfRange(role, " '", name, "' names a control input, not a tensor");
    if (outputs == 0) {
      throw OutOfRange(role, " '", name, "': the node produces no output; name it as a target instead");
    }
    if (static_cast<size_t>(parsed.output) >= outputs) {
      throw OutOfRange(role, " '", name, "': output index too large, the node has ", outputs, " outputs");
    }
  }

  const Graph& graph_;
  std::string unknown_;  // what to say of the first name that no node has
};

// Nothing where no node is called so, or where the text is no name.
std::optional<NodeId> NodeOfTarget(const Graph& graph, const std::string& target) {
  try {
    return graph.Find(ParseTensorName(target).node);
  } catch (const Error&) {
    return std::nullopt;
  }
}

// F22: a target may carry a port, which is ignored; all unknown ones are named at once.
std::vector<NodeId> ResolveTargets(const Graph& graph, std::span<const std::string> targets) {
  std::vector<NodeId> nodes;
  std::string missing;
  for (const std::string& target : targets) {
    if (const auto node = NodeOfTarget(graph, target)) {
      nodes.push_back(*node);
    } else {
      missing += Str(missing.empty() ? "'" : ", '", target, "'");
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
  Resolver resolver(graph);
  request.feeds = resolver.Tensors(feeds, "feed");
  const std::vector<Endpoint> fetched = resolver.Tensors(fetches, "fetch");
  resolver.RequireAllKnown();
  std::map<Endpoint, int> seen;
  for (size_t i = 0; i < feeds.size(); ++i) {
    Require(seen.emplace(request.feeds[i], -1).second, "feed '", feeds[i], "' was fed more than once");  // F6
  }
  for (size_t i = 0; i < fetches.size(); ++i) {
    const auto [at, is_new] = seen.emplace(fetched[i], static_cast<int>(request.fetches.size()));
    Require(at->second >= 0, "'", fetches[i], "' is both fed and fetched");  // F7
    if (is_new) request.fetches.push_back(fetched[i]);
    request.fetch_positions.push_back(at->second);
  }
  request.targets = ResolveTargets(graph, targets);
  return request;
}

}  // namespace plumb::fast

#include "reference/world/partial_runs.h"

namespace plumb::reference {
namespace {

std::string Canonical(const std::string& name) { return ParseTensorName(name).ToString(); }

}  // namespace

std::string PartialRuns::Begin(std::shared_ptr<const Graph> graph, const std::vector<std::string>& feeds,
                               const std::vector<std::string>& fetches, const std::vector<std::string>& targets,
                               const SessionOptions& options, KernelFinder find_kernel) {
  const StepRequest request{FeedsToCome(*graph, feeds), fetches, targets};
  Entry entry;
  entry.graph = graph;
  for (const std::string& feed : feeds) {
    entry.feed_slots.emplace(Canonical(feed), static_cast<int>(entry.feed_slots.size()));
  }
  for (size_t i = 0; i < fetches.size(); ++i) entry.fetches.emplace(Canonical(fetches[i]), i);
  auto program = std::make_shared<Program>(*MakeProgram(std::move(graph), request, {}, options, find_kernel));
  program->in_pieces = true;
  entry.step = world_.Begin(std::move(program));
  MutexLock lock(mutex_);
  std::string handle = Str("step in pieces ", next_++);
  entries_.emplace(handle, std::move(entry));
  return handle;
}

// P3: looks at the graph as it is, whatever was fed.
void PartialRuns::CheckComputable(const Entry& entry, const std::vector<ValueFeed>& feeds,
                                  const std::vector<std::string>& fetches) {
  std::set<Endpoint> missing;
  for (const auto& [name, slot] : entry.feed_slots) {
    const TensorName feed = ParseTensorName(name);
    missing.insert({*entry.graph->Find(feed.node), feed.output});
  }
  for (const auto& [name, value] : feeds) {
    const TensorName feed = ParseTensorName(name);
    missing.erase({*entry.graph->Find(feed.node), feed.output});
  }
  std::vector<NodeId> roots;
  for (const std::string& fetch : fetches) roots.push_back(*entry.graph->Find(ParseTensorName(fetch).node));
  const std::vector<bool> reached = ReachableBackwards(*entry.graph, roots);
  for (const Node& node : entry.graph->nodes()) {
    if (!reached[Index(node.id)]) continue;
    for (const Endpoint input : node.inputs) {
      Require(!missing.contains(input), "a fetch can't be computed from the feeds that have been fed so far: '",
              entry.graph->NameOf(input), "' is missing");
    }
    for (const NodeId before : node.control_inputs) {
      Require(!missing.contains({before, 0}), "a fetch can't be computed from the feeds that have been fed so far: '",
              entry.graph->node(before).name, "' is missing");
    }
  }
}

StepOutcome PartialRuns::Run(const std::string& handle, const std::vector<ValueFeed>& feeds,
                             const std::vector<std::string>& fetches) {
  LiveWorld::Piece piece;
  std::vector<std::pair<int, Value>> piece_feeds;
  StepId step = 0;
  {
    MutexLock lock(mutex_);
    const auto found = entries_.find(handle);
    Require(found != entries_.end(), "Must run 'setup' before performing partial runs: no step '", handle, "' is open");
    Entry& entry = found->second;
    std::set<std::string> named;
    for (const auto& [name, value] : feeds) {
      const std::string feed = Canonical(name);
      const auto slot = entry.feed_slots.find(feed);
      Require(slot != entry.feed_slots.end() && named.insert(feed).second, "the feed '", name,
              "' was not named in the setup, or is fed twice");
      const DType wanted = TypeOfFeed(*entry.graph, feed);
      Require(value.tensor.dtype() == wanted, "feed '", name, "' is ", DTypeName(value.tensor.dtype()),
              ", but the tensor is ", DTypeName(wanted));  // F4
      piece_feeds.emplace_back(slot->second, value);
    }
    for (const std::string& name : fetches) {
      const auto fetch = entry.fetches.find(Canonical(name));
      Require(fetch != entry.fetches.end(), "the fetch '", name, "' was not named in the setup, or is fetched twice");
      piece.fetches.push_back(fetch->second);
    }
    CheckComputable(entry, feeds, fetches);
    for (const auto& [name, value] : feeds) entry.feed_slots.erase(Canonical(name));
    for (const std::string& name : fetches) entry.fetches.erase(Canonical(name));
    piece.is_last = entry.feed_slots.empty() && entry.fetches.empty();
    step = entry.step;
    if (piece.is_last) entries_.erase(found);
    // Before another piece can find that nothing is to come.
    world_.BeginPiece(step, std::move(piece_feeds));
  }
  StepOutcome outcome = world_.RunPiece(step, piece);
  MutexLock lock(mutex_);
  if (!outcome.status.ok()) entries_.erase(handle);  // P4
  return outcome;
}

}  // namespace plumb::reference

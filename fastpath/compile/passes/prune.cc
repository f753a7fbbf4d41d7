#include "fastpath/compile/passes/prune.h"

#include <algorithm>
#include <map>

#include "spec/ops/op_def.h"

namespace plumb::fast {
namespace {

bool IsPlaceholder(const Node& node) { return node.op->kind == OpKind::kPlaceholder; }

class Pruner {
 public:
  Pruner(std::shared_ptr<const Graph> graph, const Request& request) : request_(request), ids_(graph->size()) {
    result_.source = std::move(graph);
    for (size_t i = 0; i < ids_.size(); ++i) ids_[i] = NodeId::kNone;
  }

  StepGraph Run() {
    for (size_t i = 0; i < request_.feeds.size(); ++i) AddFeed(static_cast<int>(i));
    // F23: what is reachable backwards, after the feeds cut their edges; F24: a fed target still runs its own node.
    for (const NodeId target : request_.targets) Need(target);
    for (const Endpoint& fetch : request_.fetches) Need(fetch.node);
    VisitNeeded();
    AddNeededInOrder();
    for (const NodeId target : request_.targets) result_[ids_[Index(target)]].is_root = true;
    for (size_t i = 0; i < request_.fetches.size(); ++i) AddFetch(static_cast<int>(i));
    return std::move(result_);
  }

 private:
  const Graph& source() const { return *result_.source; }

  // F1: a fresh source node carries the fed value.
  void AddFeed(int index) {
    const Endpoint endpoint = request_.feeds[index];
    StepNode feed;
    feed.kind = NodeKind::kFeed;
    feed.name = source().NameOf(endpoint);
    feed.index = index;
    feed.output_types = {Base(source().TypeOf(endpoint))};
    feeds_[endpoint] = result_.Add(std::move(feed));
  }

  void AddFetch(int index) {
    const Endpoint endpoint = request_.fetches[index];
    StepNode fetch;
    fetch.kind = NodeKind::kFetch;
    fetch.name = source().NameOf(endpoint);
    fetch.index = index;
    fetch.inputs = {{ids_[Index(endpoint.node)], endpoint.output}};
    fetch.input_types = {Base(source().TypeOf(endpoint))};
    fetch.is_root = true;
    result_.Add(std::move(fetch));
  }

  // F2: the control edges of a fed placeholder move to the feed; those of other fed nodes stay.
  const NodeId* FeedInsteadOf(NodeId control) const {
    if (!IsPlaceholder(source().node(control))) return nullptr;
    const auto feed = feeds_.find({control, 0});
    return feed == feeds_.end() ? nullptr : &feed->second;
  }

  void Need(NodeId id) {
    if (needed_.size() < ids_.size()) needed_.resize(ids_.size());
    if (needed_[Index(id)]) return;
    needed_[Index(id)] = true;
    open_.push_back(id);
  }

  void VisitNeeded() {
    while (!open_.empty()) {
      const Node& node = source().node(open_.back());
      open_.pop_back();
      for (const Endpoint& input : node.inputs) {
        if (!feeds_.contains(input)) Need(input.node);
      }
      for (const NodeId control : node.control_inputs) {
        if (FeedInsteadOf(control) == nullptr) Need(control);
      }
    }
  }

  void AddNeededInOrder() {
    for (size_t i = 0; i < needed_.size(); ++i) {
      if (needed_[i]) ids_[i] = result_.Add(Copy(source().node(NodeId(static_cast<int32_t>(i)))));
    }
    for (StepNode& node : result_.nodes) {
      if (node.op != nullptr) Connect(node);
    }
  }

  static StepNode Copy(const Node& node) {
    StepNode copy;
    copy.kind = KindOf(*node.op);
    copy.name = node.name;
    copy.op = &node;
    copy.input_types = node.input_types;
    copy.output_types = node.output_types;
    if (copy.kind == NodeKind::kConstant) {
      copy.value = GetAttr<Tensor>(node.attrs, "value");
      Require(copy.value.dtype() == node.output_types[0], "node '", node.name, "': its value has the type ",
              DTypeName(copy.value.dtype()), ", its dtype attribute says ", DTypeName(node.output_types[0]));
    }
    return copy;
  }

  void Connect(StepNode& node) {
    for (const Endpoint& input : node.op->inputs) {
      const auto feed = feeds_.find(input);
      node.inputs.push_back(feed == feeds_.end() ? Endpoint{ids_[Index(input.node)], input.output}
                                                 : Endpoint{feed->second, 0});
    }
    for (const NodeId control : node.op->control_inputs) {
      const NodeId* feed = FeedInsteadOf(control);
      node.controls.push_back(feed == nullptr ? ids_[Index(control)] : *feed);
    }
  }

  const Request& request_;
  StepGraph result_;
  std::map<Endpoint, NodeId> feeds_;
  std::vector<NodeId> ids_;  // of the source's nodes in the result
  std::vector<bool> needed_;
  std::vector<NodeId> open_;
};

}  // namespace

StepGraph Prune(std::shared_ptr<const Graph> graph, const Request& request) {
  StepGraph pruned = Pruner(std::move(graph), request).Run();
  RemoveUnreachable(pruned);  // F8: a feed that nothing needs
  return pruned;
}

}  // namespace plumb::fast

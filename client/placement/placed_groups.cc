#include "client/placement/placed_groups.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "spec/core/device_name.h"
#include "spec/ops/op_def.h"

namespace plumb {
namespace {

class Union {
 public:
  explicit Union(size_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), size_t{0}); }
  size_t Find(size_t node) {
    while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
    return node;
  }
  // The first one stands for both.
  void Join(size_t a, size_t b) {
    a = Find(a), b = Find(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<size_t> parent_;
};

bool LeadsToState(DType type) { return IsRef(type) || type == DType::kResource; }

void JoinClasses(const Graph& graph, Union& groups) {
  std::map<std::string, size_t> first;  // by label
  for (const Node& node : graph.nodes()) {
    for (const std::string& label : GetAttrOr<std::vector<std::string>>(node.attrs, "_class", {})) {
      groups.Join(first.emplace(label, Index(node.id)).first->second, Index(node.id));
      const auto named = label.starts_with("loc:@") ? graph.Find(label.substr(5)) : std::nullopt;
      if (named) groups.Join(Index(*named), Index(node.id));
    }
  }
}

// From each Enter to the Exits, over all edges.
void JoinLoops(const Graph& graph, Union& groups) {
  std::vector<std::vector<NodeId>> consumers(graph.nodes().size());
  for (const Node& node : graph.nodes()) {
    for (const Endpoint input : node.inputs) consumers[Index(input.node)].push_back(node.id);
    for (const NodeId before : node.control_inputs) consumers[Index(before)].push_back(node.id);
  }
  std::vector<bool> seen(graph.nodes().size());
  for (const Node& enter : graph.nodes()) {
    if (enter.op->kind != OpKind::kEnter || seen[Index(enter.id)]) continue;
    std::vector<NodeId> open = {enter.id};
    seen[Index(enter.id)] = true;
    while (!open.empty()) {
      const Node& node = graph.node(open.back());
      open.pop_back();
      if (node.op->kind == OpKind::kExit) continue;
      for (const NodeId consumer : consumers[Index(node.id)]) {
        groups.Join(Index(node.id), Index(consumer));
        if (!seen[Index(consumer)]) open.push_back(consumer);
        seen[Index(consumer)] = true;
      }
    }
  }
}

}  // namespace

PlacedGroups::PlacedGroups(const Graph& graph) : group_of_(graph.nodes().size()) {
  Union groups(graph.nodes().size());
  for (const Node& node : graph.nodes()) {
    for (const Endpoint input : node.inputs) {
      if (LeadsToState(graph.TypeOf(input))) groups.Join(Index(input.node), Index(node.id));
    }
  }
  JoinClasses(graph, groups);
  JoinLoops(graph, groups);
  std::map<size_t, int> number;
  for (const Node& node : graph.nodes()) {
    const auto [at, is_new] = number.emplace(groups.Find(Index(node.id)), size());
    if (is_new) {
      members_.emplace_back();
      requests_.emplace_back();
    }
    const int group = group_of_[Index(node.id)] = at->second;
    members_[group].push_back(node.id);
    if (node.device.empty()) continue;
    DeviceName request = DeviceName::Parse(requests_[group]);
    try {
      request = request.MergeWith(DeviceName::Parse(node.device));
    } catch (const Error&) {
      // W12: it stays as the first of them asks.
    }
    requests_[group] = request.ToString();
  }
}

}  // namespace plumb

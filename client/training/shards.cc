#include "client/training/shards.h"

#include <algorithm>
#include <set>

#include "spec/ops/op_def.h"
#include "spec/ops/traits.h"

namespace plumb {
namespace {

// Between the second seeds of one op in two shards.
constexpr int64_t kSeedsApart = 1'000'003;

bool IsFed(const Node& node) {
  return node.op->kind == OpKind::kPlaceholder || node.op->kind == OpKind::kPlaceholderWithDefault;
}

bool IsVariable(const Node& node) {
  return node.inputs.empty() && node.output_types.size() == 1 && IsRef(node.output_types[0]);
}

bool DrawsNumbers(const Node& node) { return Has(*node.op, Trait::kDrawsNumbers); }

// The part of a graph that gradients are computed by.
class Tower {
 public:
  Tower(Scope& scope, std::span<const VariableGradient> gradients) : builder_(scope.builder()) {
    for (const auto& [variable, gradient] : gradients) Visit(gradient.values.node);
    FindChanging();
  }

  std::unordered_map<NodeId, NodeId> Copy(int shard, const std::string& device) const {
    const GraphBuilder::NoControlScope without(builder_);
    const GraphBuilder::NameScope named(builder_, Str("shard_", shard));
    std::unordered_map<NodeId, NodeId> copies;
    const auto now = [&](NodeId id) { return copies.contains(id) ? copies[id] : id; };
    for (const NodeId id : changing_) {
      const Node node = builder_.graph().node(id);  // adding nodes moves those that are there
      std::vector<Endpoint> inputs;
      for (const Endpoint input : node.inputs) inputs.push_back({now(input.node), input.output});
      const bool stays = !node.device.empty() || node.attrs.contains("_class");
      GraphBuilder::Options options{node.name, stays ? node.device : device, {}};
      for (const NodeId before : node.control_inputs) options.control_inputs.push_back(now(before));
      copies[id] = builder_.Add(node.op->name, inputs, node.attrs, std::move(options));
      for (size_t i = 0; i < node.output_types.size(); ++i) {
        const auto output = static_cast<int32_t>(i);
        builder_.set_shape({copies[id], output}, builder_.shape({id, output}));
      }
    }
    return copies;
  }

  // From what they are for shard 0.
  void Reseed(const std::unordered_map<NodeId, NodeId>& copies, int shard) const {
    for (const NodeId id : changing_) {
      const Node& node = builder_.graph().node(id);
      if (!DrawsNumbers(node)) continue;
      const auto seed = GetAttr<int64_t>(node.attrs, "seed2") + kSeedsApart * shard;
      builder_.SetAttr(copies.empty() ? id : copies.at(id), "seed2", seed);
    }
  }

 private:
  void Visit(NodeId from) {
    std::vector<NodeId> waiting = {from};
    while (!waiting.empty()) {
      const NodeId id = waiting.back();
      waiting.pop_back();
      if (!nodes_.insert(id).second) continue;
      const Node& node = builder_.graph().node(id);
      for (const Endpoint input : node.inputs) waiting.push_back(input.node);
      waiting.insert(waiting.end(), node.control_inputs.begin(), node.control_inputs.end());
    }
  }

  // What is not the same for all shards, inputs first.
  void FindChanging() {
    std::set<NodeId> changing;
    const auto changes = [&](NodeId id) { return changing.contains(id); };
    for (const NodeId id : nodes_) {
      const Node& node = builder_.graph().node(id);
      for (const Endpoint input : node.inputs) RequireBefore(input.node, node);
      for (const NodeId before : node.control_inputs) RequireBefore(before, node);
      if (IsVariable(node)) continue;
      const bool is_source = IsFed(node) || DrawsNumbers(node);
      Require(is_source || !node.op->is_stateful, "a batch cannot be cut into shards where gradients depend on '",
              node.name, "' (", node.op->name, "), which keeps a state of its own: feed the batch instead");
      if (is_source || std::any_of(node.control_inputs.begin(), node.control_inputs.end(), changes) ||
          std::any_of(node.inputs.begin(), node.inputs.end(), [&](Endpoint input) { return changes(input.node); })) {
        changing.insert(id);
      }
    }
    changing_.assign(changing.begin(), changing.end());
  }

  void RequireBefore(NodeId before, const Node& node) const {
    if (before < node.id) return;
    throw Unimplemented("a batch cannot be cut into shards where gradients depend on a loop, here at '", node.name,
                        "' (", node.op->name, ")");
  }

  GraphBuilder& builder_;
  std::set<NodeId> nodes_;
  std::vector<NodeId> changing_;
};

// Neighbours are on one device where there are more shards than devices.
std::string DeviceOf(const ShardRange& range, int i) {
  return range.devices.empty() ? "" : range.devices[i * range.devices.size() / range.own];
}

}  // namespace

ShardRange ShardsOf(int shards, int replicas, int number) {
  Require(shards >= 1 && shards % replicas == 0, shards, " shards cannot be shared by ", replicas,
          " replicas: take a number that the replicas divide");
  const int own = shards / replicas;
  return {shards, number * own, own};
}

ShardGradients::ShardGradients(Scope& scope, std::span<const VariableGradient> gradients, ShardRange range) {
  std::vector<VariableGradient> dense;
  for (const auto& [variable, gradient] : gradients) {
    if (!gradient.IsNone()) dense.emplace_back(variable, GradientValue(Densify(scope.builder(), gradient)));
  }
  const Tower tower(scope, dense);
  of_.push_back(dense);
  for (int i = 1; i < range.own; ++i) {
    Copies copies = tower.Copy(range.first + i, DeviceOf(range, i));
    tower.Reseed(copies, range.first + i);
    for (auto& [variable, gradient] : of_.emplace_back(dense)) {
      const auto found = copies.find(gradient.values.node);
      if (found != copies.end()) gradient.values.node = found->second;
    }
    copies_.push_back(std::move(copies));
  }
  tower.Reseed({}, range.first);
}

Output ShardGradients::Place(int i, Output place) const {
  if (i == 0) return place;
  const auto found = copies_[i - 1].find(place.endpoint.node);
  if (found != copies_[i - 1].end()) place.endpoint.node = found->second;
  return place;
}

Output MeanInOrder(Scope& scope, const std::vector<Output>& shards) {
  Output sum = shards.at(0);
  for (size_t i = 1; i < shards.size(); ++i) sum = scope.Call("Add", {sum, shards[i]});
  return scope.Call("RealDiv", {sum, Constant(scope, ScalarTensor(static_cast<double>(shards.size()), sum.dtype()))});
}

}  // namespace plumb

#include "client/training/all_reduce.h"

#include <algorithm>
#include <utility>

namespace plumb {

AllReduce::AllReduce(Optimizer& inner, const AllReduceOptions& options) : inner_(inner), options_(options) {
  Require(options.replicas >= 1, "at least one replica trains, not ", options.replicas);
}

NodeId AllReduce::Apply(Scope& scope, std::span<const VariableGradient> gradients, const Variable* global_step) {
  if (options_.shards.of == 0) return Optimizer::Apply(scope, gradients, global_step);
  const auto named = scope.Sub(name());
  shards_.emplace(scope, gradients, options_.shards);
  std::vector<VariableGradient> means;
  for (size_t i = 0; i < shards_->of(0).size(); ++i) {
    std::vector<Output> own;
    for (int shard = 0; shard < options_.shards.own; ++shard) {
      own.emplace_back(&scope.builder(), shards_->of(shard)[i].second.values);
    }
    const Variable& variable = shards_->of(0)[i].first;
    const auto beside =
        scope.On(options_.replicas > 1 ? "" : scope.builder().graph().node(variable.ref().node()).device);
    means.emplace_back(variable, GradientValue(MeanOverShards(scope, own)));
  }
  return inner_.Apply(scope, means, global_step);
}

Output AllReduce::MeanOverShards(Scope& scope, const std::vector<Output>& own) {
  if (options_.replicas == 1) return MeanInOrder(scope, own);
  AttrMap attrs = Meeting();
  attrs["shape"] = PartialShape();
  const Output all = scope.Call("CollectiveGather", {scope.Call("Pack", own)}, std::move(attrs));
  const NodeId each = scope.Add("Unpack", {all}, {{"num", int64_t{options_.shards.of}}});
  std::vector<Output> shards;
  for (int shard = 0; shard < options_.shards.of; ++shard) {
    const Endpoint gradient = {each, shard};
    scope.builder().set_shape(gradient, own[0].shape());
    shards.emplace_back(&scope.builder(), gradient);
  }
  return MeanInOrder(scope, shards);
}

// Replicas build their nodes in one order, and so agree on the keys.
AttrMap AllReduce::Meeting() {
  return {{"group_size", int64_t{options_.replicas}},
          {"group_key", int64_t{options_.group_key}},
          {"instance_key", ++meetings_}};
}

AttrMap AllReduce::Reduction(const char* merge_op, const char* final_op) {
  AttrMap attrs = Meeting();
  attrs["merge_op"] = std::string(merge_op);
  attrs["final_op"] = std::string(final_op);
  attrs["subdiv_offsets"] = std::vector<int64_t>{};
  return attrs;
}

Output AllReduce::Greatest(Scope& scope, Output number) {
  return scope.Call("CollectiveReduce", {number}, Reduction("Max", "Id"), "greatest");
}

NodeId AllReduce::ApplyDense(Scope& scope, const Variable& variable, Endpoint gradient) {
  const NodeId mean = scope.builder().Add("CollectiveReduce", {gradient}, Reduction("Add", "Div"));
  means_.emplace_back(variable, GradientValue(Endpoint{mean, 0}));
  return mean;
}

std::vector<NodeId> AllReduce::Finish(Scope& scope, const std::vector<NodeId>&) {
  return {inner_.Apply(scope, std::exchange(means_, {}))};
}

NodeId AllReduce::Broadcast(Scope& scope, bool sends) {
  const auto named = scope.Sub("broadcast");
  std::vector<NodeId> all;
  for (const Variable& variable : scope.variables()) {
    AttrMap attrs = Meeting();
    attrs["shape"] = variable.shape();
    attrs["T"] = variable.dtype();
    if (sends) {
      all.push_back(scope.Add("CollectiveBcastSend", {variable.value()}, std::move(attrs)));
      continue;
    }
    const Output sent = scope.Call("CollectiveBcastRecv", {}, std::move(attrs));
    all.push_back(scope.Add("Assign", {variable.ref(), sent}));
  }
  return scope.Group(all, "all_variables");
}

}  // namespace plumb

#include "client/training/all_reduce.h"

#include <algorithm>
#include <utility>

namespace plumb {

AllReduce::AllReduce(Optimizer& inner, const AllReduceOptions& options) : inner_(inner), options_(options) {
  Require(options.replicas >= 1, "at least one replica trains, not ", options.replicas);
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

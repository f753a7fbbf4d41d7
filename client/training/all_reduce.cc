#include "client/training/all_reduce.h"

#include <algorithm>
#include <map>
#include <utility>

namespace plumb {

bool IsAllReduceWay(std::string_view way) {
  constexpr std::string_view kWays[] = {"auto", "ring", "shared", "tree"};
  return std::count(std::begin(kWays), std::end(kWays), way) == 1;
}

AllReduce::AllReduce(Optimizer& inner, const AllReduceOptions& options) : inner_(inner), options_(options) {
  Require(options.replicas >= 1, "at least one replica trains, not ", options.replicas);
  Require(IsAllReduceWay(options.way), "gradients travel by the way 'auto', 'ring', 'shared' or 'tree', not '",
          options.way, "'");
  Require(options.bucket_bytes >= 0, "gradients travel in buckets of 0 bytes or more, not of ", options.bucket_bytes);
}

std::vector<std::vector<size_t>> CutIntoBuckets(const std::vector<int64_t>& bytes, int64_t limit) {
  std::vector<std::vector<size_t>> buckets;
  int64_t filled = 0;
  for (size_t i = bytes.size(); i-- > 0;) {
    if (buckets.empty() || filled + bytes[i] > limit) {
      buckets.emplace_back();
      filled = 0;
    }
    buckets.back().push_back(i);
    filled += bytes[i];
  }
  return buckets;
}

NodeId AllReduce::Apply(Scope& scope, std::span<const VariableGradient> gradients, const Variable* global_step) {
  const auto named = scope.Sub(name());
  if (options_.shards.of > 0) return inner_.Apply(scope, MeansOfShards(scope, gradients), global_step);
  // By type and device: only what is alike is joined.
  std::map<std::pair<DType, std::string>, std::vector<VariableGradient>> alike;
  for (const auto& [variable, gradient] : gradients) {
    if (gradient.IsNone()) continue;
    const std::string device = scope.builder().graph().node(gradient.values.node).device;
    const auto there = scope.On(device);
    alike[{variable.dtype(), device}].emplace_back(variable, GradientValue(Densify(scope.builder(), gradient)));
  }
  std::vector<VariableGradient> means;
  for (const auto& [kind, some] : alike) {
    const auto there = scope.On(kind.second);
    for (VariableGradient& mean : MeansOf(scope, some)) means.push_back(std::move(mean));
  }
  return inner_.Apply(scope, means, global_step);
}

std::vector<VariableGradient> AllReduce::MeansOf(Scope& scope, const std::vector<VariableGradient>& gradients) {
  std::vector<int64_t> bytes;
  for (const auto& [variable, gradient] : gradients) {
    bytes.push_back(variable.shape().ToShape().elements() * static_cast<int64_t>(ElementSize(variable.dtype())));
  }
  std::vector<VariableGradient> means;
  for (const std::vector<size_t>& bucket : CutIntoBuckets(bytes, options_.bucket_bytes)) {
    std::vector<VariableGradient> members;
    for (const size_t i : bucket) members.push_back(gradients[i]);
    const std::vector<Endpoint> of_members = MeansOfBucket(scope, members);
    for (size_t i = 0; i < members.size(); ++i) means.emplace_back(members[i].first, GradientValue(of_members[i]));
  }
  return means;
}

std::vector<Endpoint> AllReduce::MeansOfBucket(Scope& scope, const std::vector<VariableGradient>& gradients) {
  GraphBuilder& builder = scope.builder();
  const auto mean = [&](Endpoint sum) { return builder.Call("CollectiveReduce", {sum}, Reduction("Add", "Div")); };
  if (gradients.size() == 1) return {mean(gradients[0].second.values)};
  const auto numbers = [&](const std::vector<int64_t>& values) {
    return builder.Constant(MakeTensor<int64_t>({static_cast<int64_t>(values.size())}, values));
  };
  const Endpoint axis = builder.Constant(MakeScalar<int32_t>(0));
  std::vector<Endpoint> flat;
  std::vector<int64_t> sizes;
  for (const auto& [variable, gradient] : gradients) {
    flat.push_back(builder.Call("Reshape", {gradient.values, numbers({-1})}));
    sizes.push_back(variable.shape().ToShape().elements());
  }
  flat.push_back(axis);
  const Endpoint joined = mean(builder.Call("ConcatV2", flat, {{"N", static_cast<int64_t>(gradients.size())}}));
  const NodeId split =
      builder.Add("SplitV", {joined, numbers(sizes), axis}, {{"num_split", static_cast<int64_t>(gradients.size())}});
  std::vector<Endpoint> means;
  for (size_t i = 0; i < gradients.size(); ++i) {
    const Shape shape = gradients[i].first.shape().ToShape();
    const std::vector<int64_t> dims(shape.dims().begin(), shape.dims().end());
    means.push_back(builder.Call("Reshape", {Endpoint{split, static_cast<int32_t>(i)}, numbers(dims)}));
  }
  return means;
}

std::vector<VariableGradient> AllReduce::MeansOfShards(Scope& scope, std::span<const VariableGradient> gradients) {
  shards_.emplace(scope, gradients, options_.shards);
  std::vector<VariableGradient> means;
  for (size_t i = 0; i < shards_->of(0).size(); ++i) {
    std::vector<Output> own;
    for (int shard = 0; shard < options_.shards.own; ++shard) {
      own.push_back({&scope.builder(), shards_->of(shard)[i].second.values});
    }
    const Variable& variable = shards_->of(0)[i].first;
    const auto beside =
        scope.On(options_.replicas > 1 ? "" : scope.builder().graph().node(variable.ref().node()).device);
    means.emplace_back(variable, GradientValue(MeanOverShards(scope, own)));
  }
  return means;
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
    shards.push_back({&scope.builder(), gradient});
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
  attrs["communication_hint"] = options_.way;
  return attrs;
}

Output AllReduce::Greatest(Scope& scope, Output number) {
  return scope.Call("CollectiveReduce", {number}, Reduction("Max", "Id"), "greatest");
}

// Apply hands these to the optimizer inside.
NodeId AllReduce::ApplyDense(Scope&, const Variable& variable, Endpoint) {
  throw Internal("an update of '", variable.name(), "' is the inner optimizer's");
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

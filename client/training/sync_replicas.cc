#include "client/training/sync_replicas.h"

#include <utility>

#include "client/initializers.h"
#include "client/ops.h"

namespace plumb {
namespace {

const std::string& DeviceOf(Scope& scope, const Variable& variable) {
  return scope.builder().graph().node(variable.ref().node()).device;
}

// As accumulators want them: each row once, in the order of their indices, which are int64 (rule C5). Rows stay where
// they were computed.
GradientValue Ascending(Scope& scope, const GradientValue& gradient) {
  GraphBuilder& builder = scope.builder();
  const auto there = scope.On(builder.graph().node(gradient.values.node).device);
  const GradientValue once = SumRepeatedRows(builder, gradient);
  const Endpoint rows = builder.Call("Cast", {once.indices}, {{"DstT", DType::kInt64}});
  const NodeId falling = builder.Add("TopKV2", {builder.Call("Neg", {rows}), builder.Call("Size", {rows})});
  const Endpoint axis = Constant(scope, int32_t{0});
  return GradientValue::Sparse(builder.Call("GatherV2", {once.values, Endpoint{falling, 1}, axis}),
                               builder.Call("Neg", {Endpoint{falling, 0}}), gradient.dense_shape);
}

}  // namespace

SyncReplicas::SyncReplicas(Optimizer& inner, const Variable& global_step, SyncReplicasOptions options)
    : inner_(inner), global_step_(global_step), options_(std::move(options)) {
  Require(options_.aggregate >= 1 && options_.aggregate <= options_.replicas, "an update of ", options_.aggregate,
          " gradients cannot be made by ", options_.replicas, " replicas: it is at least 1, and at most as many");
  Require(options_.shards.of == 0 || options_.aggregate == options_.replicas, "an update of the gradients of ",
          options_.shards.of, " shards waits for all ", options_.replicas, " replicas, not for ", options_.aggregate);
}

NodeId SyncReplicas::Apply(Scope& scope, std::span<const VariableGradient> gradients, const Variable* global_step) {
  Require(global_step == nullptr,
          "updates of synchronous replicas are counted by the variable that they were made with");
  Require(train_ == NodeId::kNone, "the train op of synchronous replicas is there already");
  const auto named = scope.Sub(name());
  // Of this replica alone, so that it stays where the replica is.
  const Variable local_step =
      MakeVariable(scope, Constant(scope, int64_t{0}), {.name = "local_step", .trainable = false, .local = true});
  begin_ = scope.Add("Assign", {local_step.ref(), global_step_.value()}, {}, "begin");
  std::vector<VariableGradient> means;
  if (options_.shards.of > 0) {
    shards_.emplace(scope, gradients, options_.shards);
    for (size_t i = 0; i < shards_->of(0).size(); ++i) {
      means.push_back(AggregatedShards(scope, i, local_step.value()));
    }
  }
  for (const VariableGradient& gradient : gradients) {
    if (options_.shards.of == 0 && !gradient.second.IsNone())
      means.push_back(Aggregated(scope, gradient, local_step.value()));
  }
  Require(!means.empty(), "there is nothing to optimize: no variable has a gradient");
  update_ = inner_.Apply(scope, means, &global_step_);
  initialize_ = scope.Group(resets_, "initialize");
  AddTokens(scope, local_step);
  return train_;
}

VariableGradient SyncReplicas::Aggregated(Scope& scope, const VariableGradient& gradient, Endpoint local_step) {
  const Variable& variable = gradient.first;
  const bool is_sparse = gradient.second.kind == GradientValue::Kind::kSparse;
  // An accumulator counts how many gradients name a row, each of them once.
  const GradientValue given = is_sparse ? Ascending(scope, gradient.second) : gradient.second;
  const auto beside = scope.On(DeviceOf(scope, variable));
  if (!is_sparse) return {variable, MeanOfDense(scope, variable, "", given, options_.aggregate, local_step)};
  const AttrMap dtype = {{"dtype", variable.dtype()}};
  const Output wanted = Constant(scope, int32_t{options_.aggregate});
  const Endpoint mean = Accumulator(scope, "SparseConditionalAccumulator", variable);
  const Endpoint shape = scope.builder().Call("Cast", {given.dense_shape}, {{"DstT", DType::kInt64}});
  handed_in_.push_back(scope.builder().Add("SparseAccumulatorApplyGradient",
                                           {mean, local_step, given.indices, given.values, shape},
                                           {{"has_known_shape", true}}));
  AddReset(scope, mean);
  const NodeId taken = scope.builder().Add("SparseAccumulatorTakeGradient", {mean, wanted}, dtype);
  return {variable, GradientValue::Sparse({taken, 1}, {taken, 0}, {taken, 2})};
}

VariableGradient SyncReplicas::AggregatedShards(Scope& scope, size_t i, Endpoint local_step) {
  const ShardRange& range = options_.shards;
  const Variable variable = shards_->of(0)[i].first;
  const auto beside = scope.On(DeviceOf(scope, variable));
  std::vector<Output> all;
  for (int shard = 0; shard < range.of; ++shard) {
    const bool is_own = shard >= range.first && shard < range.first + range.own;
    const GradientValue given = is_own ? shards_->of(shard - range.first)[i].second : GradientValue::None();
    all.push_back({&scope.builder(), MeanOfDense(scope, variable, Str("_", shard), given, 1, local_step)});
  }
  return {variable, GradientValue(MeanInOrder(scope, all))};
}

Endpoint SyncReplicas::MeanOfDense(Scope& scope, const Variable& variable, const std::string& suffix,
                                   const GradientValue& gradient, int aggregate, Endpoint local_step) {
  const Endpoint mean = Accumulator(scope, "ConditionalAccumulator", variable, suffix);
  if (!gradient.IsNone()) {
    handed_in_.push_back(scope.builder().Add("AccumulatorApplyGradient", {mean, local_step, gradient.values}));
  }
  AddReset(scope, mean);
  return scope.builder().Call("AccumulatorTakeGradient", {mean, Constant(scope, int32_t{aggregate})},
                              {{"dtype", variable.dtype()}});
}

// Where all gradients are waited for, none is for a step that is over. Other groups may count the same steps, so that
// an accumulator which began at the step that they have come to would drop what is wanted: it takes any.
void SyncReplicas::AddReset(Scope& scope, Endpoint accumulator) {
  const bool takes_any = options_.aggregate == options_.replicas;
  const Endpoint first = takes_any ? Endpoint(Constant(scope, int64_t{0})) : Endpoint(global_step_.value());
  resets_.push_back(scope.builder().Add("AccumulatorSetGlobalStep", {accumulator, first}));
}

Endpoint SyncReplicas::Accumulator(Scope& scope, const char* op, const Variable& variable, const std::string& suffix) {
  const std::string shared = Str(scope.NameOf(variable.ref().node()), "/", options_.group, "/grad_accum", suffix);
  return scope.builder().Call(op, {},
                              {{"dtype", variable.dtype()}, {"shape", variable.shape()}, {"shared_name", shared}});
}

// A token says of which step the gradient is that it allows.
void SyncReplicas::AddTokens(Scope& scope, const Variable& local_step) {
  const auto beside = scope.On(options_.device);
  const AttrMap of_steps = {{"component_types", std::vector<DType>{DType::kInt64}}};
  AttrMap attrs = of_steps;
  attrs["shapes"] = std::vector<PartialShape>{PartialShape(Shape())};
  attrs["shared_name"] = options_.group + "/tokens";
  const Output tokens = scope.Call("FIFOQueueV2", {}, attrs, "tokens");
  {
    const auto after = scope.After(handed_in_);
    const Output token = scope.Call("QueueDequeueV2", {tokens}, of_steps, "token");
    train_ = scope.Add("Assign", {local_step.ref(), token}, {}, "train");
  }
  const Output next = scope.Call("QueueDequeueV2", {tokens}, of_steps, "next_token");
  retake_ = scope.Add("Assign", {local_step.ref(), next}, {}, "retake");
  const Output each = scope.Call("Fill", {Constant(scope, {int32_t{options_.replicas}}), global_step_.value()});
  release_ =
      scope.Add("QueueEnqueueManyV2", {tokens, each}, {{"Tcomponents", std::vector<DType>{DType::kInt64}}}, "release");
  close_ = scope.Add("QueueCloseV2", {tokens}, {{"cancel_pending_enqueues", true}}, "close");
}

// Apply hands these to the optimizer inside.
NodeId SyncReplicas::ApplyDense(Scope&, const Variable& variable, Endpoint) {
  throw Internal("an update of '", variable.name(), "' is the inner optimizer's");
}

NodeId SyncReplicas::ApplySparse(Scope&, const Variable& variable, const GradientValue&) {
  throw Internal("an update of '", variable.name(), "' is the inner optimizer's");
}

}  // namespace plumb

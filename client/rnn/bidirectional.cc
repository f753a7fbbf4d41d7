#include "client/rnn/rnn.h"
#include "client/rnn/sequence.h"

namespace plumb {
namespace {

using Lengths = std::optional<Output>;

// Each sequence from its end to its start; what lies behind its end stays where it is.
Output Reversed(Scope& scope, Output value, const Lengths& lengths, int time_axis) {
  if (!lengths) return scope.Call("ReverseV2", {value, Constant<int32_t>(scope, {time_axis})});
  return scope.Call("ReverseSequence", {value, *lengths},
                    {{"seq_dim", int64_t{time_axis}}, {"batch_dim", int64_t{1 - time_axis}}});
}

std::vector<Output> Reversed(Scope& scope, const std::vector<Output>& steps, const Lengths& lengths) {
  if (!lengths) return {steps.rbegin(), steps.rend()};
  const auto count = static_cast<int64_t>(steps.size());
  const Output stacked = scope.Call("Pack", steps, {{"N", count}});
  const NodeId unstacked = scope.Add("Unpack", {Reversed(scope, stacked, lengths, 0)}, {{"num", count}});
  std::vector<Output> reversed;
  for (size_t i = 0; i < steps.size(); ++i) {
    reversed.push_back(WithShapeOf({&scope.builder(), {unstacked, static_cast<int>(i)}}, steps[i]));
  }
  return reversed;
}

// One direction's part of the options.
RnnOptions Direction(const BidirectionalOptions& options, const RnnState& initial, const char* name) {
  return {.sequence_length = options.sequence_length,
          .initial_state = initial,
          .scope = name,
          .time_major = options.time_major,
          .parallel_iterations = options.parallel_iterations,
          .swap_memory = options.swap_memory};
}

// Makes the variables under "…/fw" and "…/bw" whatever number the name scope got.
void BuildBoth(Scope& scope, const CellPtr& forward, const CellPtr& backward, Output input, int axis,
               const BidirectionalOptions& options) {
  Require(input.shape().rank() > axis && input.shape().dim(axis) >= 0,
          "the inputs of a bidirectional RNN need a known size, not the shape ", input.shape().ToString());
  const std::string prefix = JoinName(scope.builder().scope(), options.scope);
  forward->Build(scope, prefix + "/fw", input.shape().dim(axis), input.dtype());
  backward->Build(scope, prefix + "/bw", input.shape().dim(axis), input.dtype());
}

}  // namespace

BothDirections BidirectionalDynamicRnn(Scope& scope, const CellPtr& forward, const CellPtr& backward, Output inputs,
                                       const BidirectionalOptions& options) {
  BuildBoth(scope, forward, backward, inputs, 2, options);
  const auto named = scope.Sub(options.scope);
  const int time_axis = options.time_major ? 0 : 1;
  BothDirections both;
  both.forward = DynamicRnn(scope, forward, inputs, Direction(options, options.initial_state_forward, "fw"));
  const Output reversed = Reversed(scope, inputs, options.sequence_length, time_axis);
  both.backward = DynamicRnn(scope, backward, reversed, Direction(options, options.initial_state_backward, "bw"));
  both.backward.outputs = Reversed(scope, both.backward.outputs, options.sequence_length, time_axis);
  return both;
}

StaticBothDirections BidirectionalStaticRnn(Scope& scope, const CellPtr& forward, const CellPtr& backward,
                                            const std::vector<Output>& inputs, const BidirectionalOptions& options) {
  Require(!inputs.empty(), "a static RNN needs at least one input");
  BuildBoth(scope, forward, backward, inputs[0], 1, options);
  const auto named = scope.Sub(options.scope);
  const StaticRnnResult ahead =
      StaticRnn(scope, forward, inputs, Direction(options, options.initial_state_forward, "fw"));
  const StaticRnnResult back = StaticRnn(scope, backward, Reversed(scope, inputs, options.sequence_length),
                                         Direction(options, options.initial_state_backward, "bw"));
  const std::vector<Output> in_order = Reversed(scope, back.outputs, options.sequence_length);
  StaticBothDirections both = {{}, ahead.state, back.state};
  for (size_t i = 0; i < inputs.size(); ++i) {
    both.outputs.push_back(JoinColumns(scope, {ahead.outputs[i], in_order[i]}));
  }
  return both;
}

}  // namespace plumb

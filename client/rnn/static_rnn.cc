#include "client/control_flow/cond.h"
#include "client/rnn/rnn.h"
#include "client/rnn/sequence.h"

namespace plumb {
namespace {

std::vector<Output> Flat(const RnnStep& step) {
  std::vector<Output> all = {step.output};
  all.insert(all.end(), step.state.begin(), step.state.end());
  return all;
}

// A step of a batch in which some sequences are over; when all of them are, the cell does not run.
RnnStep StepWithLengths(Scope& scope, RnnCell& cell, int32_t time, Output input, const RnnState& state, Output lengths,
                        Output longest, Output zero_output) {
  const Output now = Constant(scope, time);
  const auto all_are_over = [&] { return Flat({zero_output, state}); };
  const auto some_go_on = [&] {
    return Flat(KeepPastEnd(scope, now, lengths, zero_output, state, cell.Next(scope, input, state)));
  };
  std::vector<Output> results = Cond(scope, now >= longest, all_are_over, some_go_on);
  for (size_t i = 0; i < state.size(); ++i) WithShapeOf(results[i + 1], state[i]);
  return {WithShapeOf(results[0], zero_output), RnnState(results.begin() + 1, results.end())};
}

void CheckInputs(const std::vector<Output>& inputs) {
  Require(!inputs.empty(), "a static RNN needs at least one input");
  for (const Output& input : inputs) {
    Require(input.shape().rank() == 2 && input.shape().dim(1) >= 0,
            "the inputs of a static RNN must be [batch, size] with a known size, not of shape ",
            input.shape().ToString());
    Require(input.dtype() == inputs[0].dtype() && input.shape().IsCompatibleWith(inputs[0].shape()),
            "an input of shape ", input.shape().ToString(), " and type ", DTypeName(input.dtype()),
            " follows a first one of shape ", inputs[0].shape().ToString(), " and type ", DTypeName(inputs[0].dtype()));
  }
}

}  // namespace

StaticRnnResult StaticRnn(Scope& scope, const CellPtr& cell, const std::vector<Output>& inputs,
                          const RnnOptions& options) {
  CheckInputs(inputs);
  const std::string prefix = JoinName(scope.builder().scope(), options.scope);
  const auto named = scope.Sub(options.scope);
  const Output first = inputs[0];
  cell->Build(scope, prefix, first.shape().dim(1), first.dtype());
  const Output batch = DimensionOf(scope, first, 0);
  StaticRnnResult result;
  result.state = InitialState(scope, *cell, options.initial_state, batch, first.dtype());
  std::optional<Output> lengths, longest, zero_output;
  if (options.sequence_length) {
    lengths = CheckedLengths(scope, *options.sequence_length, first.shape().dim(0));
    longest = Longest(scope, *lengths);
    zero_output = ZerosForBatch(scope, batch, cell->output_size(), first.dtype());
  }
  for (size_t time = 0; time < inputs.size(); ++time) {
    const RnnStep step = lengths ? StepWithLengths(scope, *cell, static_cast<int32_t>(time), inputs[time], result.state,
                                                   *lengths, *longest, *zero_output)
                                 : cell->Next(scope, inputs[time], result.state);
    result.outputs.push_back(step.output);
    result.state = step.state;
  }
  return result;
}

}  // namespace plumb

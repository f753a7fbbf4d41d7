#include "client/control_flow/while_loop.h"
#include "client/rnn/rnn.h"
#include "client/rnn/sequence.h"
#include "client/tensor_array.h"

namespace plumb {
namespace {

// [batch, time, …] ↔ [time, batch, …].
Output SwapBatchAndTime(Scope& scope, Output value) {
  return scope.Call("Transpose", {value, Constant<int32_t>(scope, {1, 0, 2})});
}

// One run: inputs [time, batch, size] in an array, outputs to another.
class DynamicRun {
 public:
  DynamicRun(Scope& scope, const CellPtr& cell, Output inputs, const RnnOptions& options)
      : scope_(scope),
        cell_(*cell),
        options_(options),
        batch_(DimensionOf(scope, inputs, 1)),
        steps_(DimensionOf(scope, inputs, 0)),
        zero_output_(ZerosForBatch(scope, batch_, cell->output_size(), inputs.dtype())),
        read_(TensorArray(scope, inputs.dtype(), steps_).Unstack(inputs)),
        written_(scope, inputs.dtype(), steps_,
                 {.element_shape = PartialShape({inputs.shape().dim(1), cell->output_size()}),
                  .identical_element_shapes = true}) {
    if (options.sequence_length) {
      lengths_ = CheckedLengths(scope, *options.sequence_length, inputs.shape().dim(1));
    }
  }

  DynamicRnnResult Run() {
    const RnnState initial = InitialState(scope_, cell_, options_.initial_state, batch_, zero_output_.dtype());
    LoopVars vars = {Constant(scope_, int32_t{0}), written_.flow()};
    vars.insert(vars.end(), initial.begin(), initial.end());
    const Output bound = Bound();
    const LoopVars last = WhileLoop(
        scope_, vars, [&](const LoopVars& now) { return now[0] < bound; },
        [&](const LoopVars& now) { return Body(now); }, LoopOptions());
    return {written_.WithFlow(last[1]).Stack(), RnnState(last.begin() + 2, last.end())};
  }

 private:
  WhileOptions LoopOptions() const {
    WhileOptions options;
    options.parallel_iterations = options_.parallel_iterations;
    options.swap_memory = options_.swap_memory;
    return options;
  }

  // At least one step runs where there is one, which tells the array what zeros look like.
  Output Bound() {
    if (!lengths_) return steps_;
    const Output wanted = scope_.Call("Maximum", {Longest(scope_, *lengths_), Constant(scope_, int32_t{1})});
    return scope_.Call("Minimum", {steps_, wanted});
  }

  LoopVars Body(const LoopVars& vars) {
    const RnnState before(vars.begin() + 2, vars.end());
    RnnStep step = cell_.Next(scope_, read_.Read(vars[0]), before);
    if (lengths_) step = KeepPastEnd(scope_, vars[0], *lengths_, zero_output_, before, step);
    LoopVars next = {vars[0] + 1, written_.WithFlow(vars[1]).Write(vars[0], step.output).flow()};
    for (size_t i = 0; i < before.size(); ++i) next.push_back(WithShapeOf(step.state[i], before[i]));
    return next;
  }

  Scope& scope_;
  RnnCell& cell_;
  const RnnOptions& options_;
  Output batch_, steps_, zero_output_;
  TensorArray read_, written_;
  std::optional<Output> lengths_;
};

// The stacked outputs with what is known of the numbers of steps and of examples.
void SetOuterShape(Output outputs, const PartialShape& inputs) {
  const PartialShape known({inputs.dim(0), inputs.dim(1), -1});
  outputs.builder->set_shape(outputs, outputs.shape().MergeWith(known));
}

}  // namespace

DynamicRnnResult DynamicRnn(Scope& scope, const CellPtr& cell, Output inputs, const RnnOptions& options) {
  Require(inputs.shape().rank() == 3 && inputs.shape().dim(2) >= 0, "the inputs of a dynamic RNN must be ",
          options.time_major ? "[time, batch, size]" : "[batch, time, size]", " with a known size, not of shape ",
          inputs.shape().ToString());
  const std::string prefix = JoinName(scope.builder().scope(), options.scope);
  const auto named = scope.Sub(options.scope);
  if (!options.time_major) inputs = SwapBatchAndTime(scope, inputs);
  cell->Build(scope, prefix, inputs.shape().dim(2), inputs.dtype());
  DynamicRnnResult result = DynamicRun(scope, cell, inputs, options).Run();
  SetOuterShape(result.outputs, inputs.shape());
  if (!options.time_major) result.outputs = SwapBatchAndTime(scope, result.outputs);
  return result;
}

}  // namespace plumb

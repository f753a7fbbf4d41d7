#include "client/rnn/sequence.h"

namespace plumb {

Output CheckedLengths(Scope& scope, Output lengths, int64_t batch) {
  Require(IsInteger(lengths.dtype()), "lengths of sequences are integers, not ", DTypeName(lengths.dtype()));
  Require(lengths.shape().IsCompatibleWith(PartialShape({batch})), "lengths of sequences of shape ",
          lengths.shape().ToString(), " do not fit a batch of ", batch < 0 ? "unknown size" : Str(batch));
  const Output checked = scope.Call("Identity", {AsType(lengths, DType::kInt32)}, {}, "sequence_length");
  scope.builder().set_shape(checked, lengths.shape().MergeWith(PartialShape({batch})));
  return checked;
}

Output Longest(Scope& scope, Output lengths) { return scope.Call("Max", {lengths, Constant<int32_t>(scope, {0})}); }

Output KeepPastEnd(Scope& scope, Output time, Output lengths, Output before, Output after) {
  if (before.shape().rank() == 0) return after;
  return WithShapeOf(scope.Call("Select", {time >= lengths, before, after}), before);
}

RnnStep KeepPastEnd(Scope& scope, Output time, Output lengths, Output zero_output, const RnnState& before,
                    const RnnStep& after) {
  RnnStep kept = {KeepPastEnd(scope, time, lengths, zero_output, after.output), {}};
  for (size_t i = 0; i < before.size(); ++i) {
    kept.state.push_back(KeepPastEnd(scope, time, lengths, before[i], after.state[i]));
  }
  return kept;
}

RnnState InitialState(Scope& scope, const RnnCell& cell, const RnnState& given, Output batch, DType dtype) {
  if (given.empty()) return cell.ZeroState(scope, batch, dtype);
  Require(given.size() == cell.state_parts().size(), "the state of this recurrent cell has ", cell.state_parts().size(),
          " parts, not ", given.size());
  return given;
}

}  // namespace plumb

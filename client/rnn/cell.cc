#include "client/rnn/cell.h"

namespace plumb {

void RnnCell::Build(Scope& scope, const std::string& prefix, int64_t input_size, DType dtype) {
  if (built_) return;
  Require(IsFloating(dtype), "a recurrent cell takes floating-point inputs, not ", DTypeName(dtype));
  MakeVariables(scope, name_.empty() ? prefix : JoinName(prefix, name_), input_size, dtype);
  built_ = true;
}

RnnStep RnnCell::Next(Scope& scope, Output input, const RnnState& state) {
  Require(input.shape().rank() == 2 && input.shape().dim(1) >= 0,
          "the input of a recurrent cell must be [batch, size] with a known size, not of shape ",
          input.shape().ToString());
  Build(scope, scope.builder().scope(), input.shape().dim(1), input.dtype());
  Require(state.size() == state_parts().size(), "the state of this recurrent cell has ", state_parts().size(),
          " parts, not ", state.size());
  if (name_.empty()) return Compute(scope, input, state);
  const auto named = scope.Sub(name_);
  return Compute(scope, input, state);
}

RnnState RnnCell::ZeroState(Scope& scope, Output batch, DType dtype) const {
  RnnState zeros;
  for (const Part& part : state_parts()) zeros.push_back(ZerosForBatch(scope, batch, part.size, dtype));
  return zeros;
}

Output JoinColumns(Scope& scope, const std::vector<Output>& parts) {
  if (parts.size() == 1) return parts[0];
  std::vector<Output> inputs = parts;
  inputs.push_back(Constant<int32_t>(scope, 1));
  return scope.Call("ConcatV2", inputs, {{"N", static_cast<int64_t>(parts.size())}}, "concat");
}

std::vector<Output> SplitColumns(Scope& scope, Output value, int64_t count) {
  const NodeId split = scope.Add("Split", {Constant<int32_t>(scope, 1), value}, {{"num_split", count}}, "split");
  std::vector<Output> pieces;
  for (int64_t i = 0; i < count; ++i) pieces.push_back({&scope.builder(), {split, static_cast<int>(i)}});
  return pieces;
}

Output Affine(Scope& scope, Output value, const Variable& kernel, const Variable& bias) {
  return scope.Call("BiasAdd", {scope.Call("MatMul", {value, kernel}), bias});
}

Output ZerosForBatch(Scope& scope, Output batch, int64_t size, DType dtype) {
  Require(size >= 0 && size <= INT32_MAX, "a state of ", size, " numbers has no shape");
  const Output dims = scope.Call("Pack", {batch, Constant(scope, static_cast<int32_t>(size))}, {{"N", int64_t{2}}});
  const Output zeros = scope.Call("Fill", {dims, Constant(scope, ScalarTensor(0, dtype))}, {}, "zeros");
  scope.builder().set_shape(zeros, zeros.shape().MergeWith(PartialShape({-1, size})));
  return zeros;
}

Output WithShapeOf(Output value, Output like) {
  Require(value.shape().IsCompatibleWith(like.shape()), "a value of shape ", value.shape().ToString(),
          " stands where one of shape ", like.shape().ToString(), " is carried on");
  value.builder->set_shape(value, value.shape().MergeWith(like.shape()));
  return value;
}

}  // namespace plumb

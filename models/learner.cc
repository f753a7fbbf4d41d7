#include "models/learner.h"

#include "client/clip.h"
#include "client/embedding/lookup.h"
#include "client/gradients.h"
#include "client/initializers.h"

namespace plumb::models {
namespace {

Output Place(Scope& scope, DType dtype, const std::vector<int64_t>& sizes, const std::string& name) {
  for (const int64_t size : sizes) Require(size > 0, "a model's input '", name, "' cannot have the size ", size);
  return scope.Call("Placeholder", {}, {{"dtype", dtype}, {"shape", PartialShape(sizes)}}, name);
}

// A linear congruential generator: the upper half of each state.
uint32_t Next(uint32_t& state) {
  state = state * 1664525u + 1013904223u;
  return state >> 16;
}

}  // namespace

Output Learner::FeedNumbers(Scope& scope, const std::vector<int64_t>& sizes, const std::string& name) {
  inputs.push_back({Place(scope, DType::kFloat, sizes, name), 0});
  return inputs.back().place;
}

Output Learner::FeedIds(Scope& scope, const std::vector<int64_t>& sizes, int64_t below, const std::string& name) {
  Require(below > 0 && below <= INT32_MAX, "ids of '", name, "' cannot be less than ", below);
  inputs.push_back({Place(scope, DType::kInt32, sizes, name), below});
  return inputs.back().place;
}

void Finish(Scope& scope, Learner& learner, Output loss, Optimizer& optimizer, double clip_norm) {
  learner.loss = loss;
  learner.train = clip_norm > 0 ? MinimizeClipped(scope, loss, optimizer, clip_norm) : optimizer.Minimize(scope, loss);
  learner.init = InitializeAll(scope);
}

NodeId MinimizeClipped(Scope& scope, Output loss, Optimizer& optimizer, double clip_norm) {
  const std::vector<Variable> variables = TrainableVariables(scope);
  std::vector<Endpoint> xs;
  xs.reserve(variables.size());
  for (const Variable& variable : variables) xs.push_back(variable.ref());
  const std::vector<GradientValue> clipped = ClipByGlobalNorm(scope, Gradients(scope.builder(), {loss}, xs), clip_norm);
  std::vector<VariableGradient> pairs;
  for (size_t i = 0; i < variables.size(); ++i) pairs.emplace_back(variables[i], clipped[i]);
  return optimizer.Apply(scope, pairs);
}

std::vector<Feed> SyntheticBatch(const Learner& learner, uint32_t seed) {
  std::vector<Feed> feeds;
  uint32_t state = seed;
  for (const Learner::Input& input : learner.inputs) {
    Tensor value(input.place.dtype(), input.place.shape().ToShape());
    if (input.below > 0) {
      for (int32_t& id : value.mutable_data<int32_t>()) id = static_cast<int32_t>(Next(state) % input.below);
    } else {
      for (float& number : value.mutable_data<float>()) number = static_cast<float>(Next(state)) / 65536.0f;
    }
    feeds.push_back({input.place.name(), value});
  }
  return feeds;
}

Output Rows(Scope& scope, Output x) {
  const int64_t size = x.shape().dim(x.shape().rank() - 1);
  Require(size > 0 && size <= INT32_MAX, "rows need to have a known size, not that of ", x.shape().ToString());
  return scope.Call("Reshape", {x, Constant<int32_t>(scope, {-1, static_cast<int32_t>(size)})});
}

Output Embed(Scope& scope, Output ids, int64_t count, int64_t size, int64_t seed, const std::string& name) {
  const Variable table = MakeVariable(scope, GlorotUniform(scope, DType::kFloat, {count, size}, seed), {name});
  return EmbeddingLookup(scope, {table}, ids);
}

}  // namespace plumb::models

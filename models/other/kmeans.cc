#include "models/other/kmeans.h"

#include "client/initializers.h"

namespace plumb::models {

Learner BuildKMeans(Scope& scope, const KMeansOptions& options) {
  Learner model;
  const Output points = model.FeedNumbers(scope, {options.points, options.features}, "points");
  const Variable centres = MakeVariable(
      scope, Uniform(scope, DType::kFloat, {options.clusters, options.features}, 0, 1, options.seed), {"centres"});
  const auto number = [&](int32_t value) { return Constant<int32_t>(scope, value); };
  const Output apart = scope.Call("ExpandDims", {points, number(1)}) - centres;  // [points, clusters, features]
  const Output distances = scope.Call("Sum", {scope.Call("Square", {apart}), Constant<int32_t>(scope, {2})});
  const Output nearest = scope.Call("ArgMin", {distances, number(1)}, {{"output_type", DType::kInt32}});
  model.loss = scope.Call(
      "Mean", {scope.Call("Min", {distances, Constant<int32_t>(scope, {1})}), Constant<int32_t>(scope, {0})});

  const Output clusters = number(static_cast<int32_t>(options.clusters));
  const Output sums = scope.Call("UnsortedSegmentSum", {points, nearest, clusters});
  const Output ones = Filled(scope, DType::kFloat, {options.points}, 1);
  const Output counts = scope.Call("UnsortedSegmentSum", {ones, nearest, clusters});
  const Output at_least_one = scope.Call("Maximum", {counts, Constant(scope, 1.0f)});
  const Output means = sums / scope.Call("ExpandDims", {at_least_one, number(1)});
  const Output moved = scope.Call("Select", {counts > 0.0, means, centres});
  model.train = scope.Add("Assign", {centres.ref(), moved});
  model.init = InitializeAll(scope);
  return model;
}

}  // namespace plumb::models

// For tests of models: what a model computes when some of its variables are given values.
#pragma once

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <vector>

#include "client/program.h"
#include "client/testing.h"
#include "client/variable.h"
#include "models/learner.h"

namespace plumb::models {

// The scope's variable of this name; kNotFound where there is none.
inline Variable Named(Scope& scope, std::string_view name) {
  for (const Variable& variable : scope.variables()) {
    if (variable.name() == name) return variable;
  }
  throw NotFound("no variable is called '", name, "'");
}

// A value instead of the variable's own, for one step.
inline FeedValue Given(const Variable& variable, const std::vector<float>& numbers) {
  return {variable.value(), MakeTensor<float>(variable.shape().ToShape(), numbers)};
}
inline FeedValue AllOf(const Variable& variable, float number) {
  const Shape shape = variable.shape().ToShape();
  return {variable.value(),
          MakeTensor<float>(shape, std::vector<float>(static_cast<size_t>(shape.elements()), number))};
}

// SyntheticBatch for a Program.
inline std::vector<FeedValue> Batch(const Learner& model, uint32_t seed = 1) {
  std::vector<FeedValue> feeds;
  const std::vector<Feed> drawn = SyntheticBatch(model, seed);
  for (size_t i = 0; i < drawn.size(); ++i) feeds.emplace_back(model.inputs[i].place, drawn[i].second);
  return feeds;
}

inline std::vector<FeedValue> operator+(std::vector<FeedValue> feeds, const std::vector<FeedValue>& more) {
  feeds.insert(feeds.end(), more.begin(), more.end());
  return feeds;
}

// The logits [rows, classes] of a mean of cross entropies, which are the first input of the mean.
inline Output LogitsOf(Scope& scope, Output loss) {
  const auto& graph = scope.builder().graph();
  const Output logits = {loss.builder, graph.node(graph.node(loss.node()).inputs[0].node).inputs[0]};
  Require(logits.shape().rank() == 2, "the loss '", loss.name(), "' is no mean of cross entropies");
  return logits;
}

// The nodes that an output is computed with, its own too, in the order that they were made in.
inline std::set<NodeId> NodesBefore(Output last) {
  std::set<NodeId> found = {last.node()};
  for (std::vector<NodeId> next = {last.node()}; !next.empty();) {
    const NodeId id = next.back();
    next.pop_back();
    for (const Endpoint& input : last.builder->graph().node(id).inputs) {
      if (found.insert(input.node).second) next.push_back(input.node);
    }
  }
  return found;
}

inline std::vector<float> Floats32(const Tensor& tensor) {
  return {tensor.data<float>().begin(), tensor.data<float>().end()};
}

// log(1 + eˣ): the loss of the logit −x called real, or of x called made.
inline double Softplus(double x) { return std::log1p(std::exp(x)); }

// −log softmax(logits)[label].
inline double CrossEntropy(const std::vector<double>& logits, size_t label) {
  double sum = 0;
  for (const double logit : logits) sum += std::exp(logit);
  return std::log(sum) - logits[label];
}

}  // namespace plumb::models

#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"

namespace plumb::topics {
namespace {

// (dy − Σ dy·softmax)·softmax.
Values SoftmaxGradient(Gradient& g) {
  const Endpoint sum = SumLast(g, g.Call("Mul", {g.dy(), g.y()}));
  return {g.Call("Mul", {g.Call("Sub", {g.dy(), sum}), g.y()})};
}

// dy − Σ dy·softmax.
Values LogSoftmaxGradient(Gradient& g) {
  const Endpoint softmax = g.Call("Exp", {g.y()});
  return {g.Call("Sub", {g.dy(), g.Call("Mul", {SumLast(g, g.dy()), softmax})})};
}

}  // namespace

std::span<const OpRow> ActivationSoftmax() {
  static const OpRow rows[] = {
      {.signature = "Softmax(logits: T) -> (softmax: T)",
       .attrs = "T: type in [floats]",
       .doc = "exp(x) divided by its sum, along the last dimension.",
       .gpu = "all",
       .shape = "[d... c] -> [d... c]",
       .accuracy = Composed(2),
       .gradient = SoftmaxGradient,
       .gradient_trial = {.order = 2},
       .samples = {"[d... C]", "[a 7]", "[a 48]"}},
      {.signature = "LogSoftmax(logits: T) -> (logsoftmax: T)",
       .attrs = "T: type in [floats]",
       .doc = "x minus the logarithm of the sum of exp(x), along the last dimension.",
       .gpu = "all",
       .shape = "[d... c] -> [d... c]",
       .accuracy = Composed(4),
       .gradient = LogSoftmaxGradient,
       .gradient_trial = {.order = 2},
       .samples = {"[d... C]", "[a 7]"}},
  };
  return rows;
}

}  // namespace plumb::topics

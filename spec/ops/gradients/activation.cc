// Gradients of activations, softmax and the losses.
#include "spec/ops/gradients.h"

namespace plumb {
namespace {

using Values = std::vector<GradientValue>;

// Sum over the last axis, which stays with size 1.
Endpoint SumLast(Gradient& g, Endpoint value) { return g.Call("Sum", {value, g.Int32s({-1})}, {{"keep_dims", true}}); }

// A per-row factor [b] against a matrix [b, c].
Endpoint ScaleRows(Gradient& g, Endpoint rows, Endpoint matrix) {
  return g.Call("Mul", {g.Call("ExpandDims", {rows, g.Scalar(-1, DType::kInt32)}), matrix});
}

// Second derivative of the cross entropy along its own gradient `backprop` = softmax − labels:
// (d − Σ d·softmax)·softmax, row by row.
Endpoint ThroughBackprop(Gradient& g, Endpoint logits, Endpoint d) {
  const Endpoint softmax = g.Call("Softmax", {logits});
  return g.Call("Mul", {g.Call("Sub", {d, SumLast(g, g.Call("Mul", {d, softmax}))}), softmax});
}

}  // namespace

Values ReluGradient(Gradient& g) { return {g.Call("ReluGrad", {g.dy(), g.y()})}; }
Values ReluGradGradient(Gradient& g) { return {g.Call("ReluGrad", {g.dy(), g.x(1)}), g.ZerosLike(g.x(1))}; }

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

// The second output is the gradient with respect to the logits; the labels' gradient is −log softmax.
Values SoftmaxCrossEntropyWithLogitsGradient(Gradient& g) {
  Endpoint logits = ScaleRows(g, g.dy(0), g.y(1));
  if (g.has_dy(1)) logits = g.Call("Add", {logits, ThroughBackprop(g, g.x(0), g.dy(1))});
  const Endpoint labels = ScaleRows(g, g.dy(0), g.Call("Neg", {g.Call("LogSoftmax", {g.x(0)})}));
  return {g.SumToShapeOf(logits, g.x(0), g.x(1)), g.SumToShapeOf(labels, g.x(1), g.x(0))};
}

Values SparseSoftmaxCrossEntropyWithLogitsGradient(Gradient& g) {
  Endpoint logits = ScaleRows(g, g.dy(0), g.y(1));
  if (g.has_dy(1)) logits = g.Call("Add", {logits, ThroughBackprop(g, g.x(0), g.dy(1))});
  return {logits, GradientValue::None()};
}

Values L2LossGradient(Gradient& g) { return {g.Call("Mul", {g.x(), g.dy()})}; }

Values BiasAddGradient(Gradient& g) {
  const std::string& format = g.attr<std::string>("data_format");
  return {g.dy(), g.Call("BiasAddGrad", {g.dy()}, {{"data_format", format}})};
}

// The gradient of a sum over all axes but the channel's: each channel's value, spread over the input's shape.
Values BiasAddGradGradient(Gradient& g) {
  const std::string& format = g.attr<std::string>("data_format");
  return {g.Call("BiasAdd", {g.ZerosLike(g.x()), g.dy()}, {{"data_format", format}})};
}

}  // namespace plumb

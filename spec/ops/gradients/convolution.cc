// Gradients of convolution and pooling.
#include "spec/ops/gradients.h"

namespace plumb {
namespace {

using Values = std::vector<GradientValue>;

// The forward op's attributes of these names, for an op that takes the same.
AttrMap Same(Gradient& g, std::initializer_list<const char*> names) {
  AttrMap attrs;
  for (const char* name : names) {
    if (const auto found = g.op().attrs.find(name); found != g.op().attrs.end()) attrs.insert(*found);
  }
  return attrs;
}

AttrMap ConvAttrs(Gradient& g) {
  return Same(g, {"strides", "padding", "explicit_paddings", "data_format", "dilations", "use_cudnn_on_gpu"});
}

AttrMap PoolAttrs(Gradient& g) { return Same(g, {"ksize", "strides", "padding", "explicit_paddings", "data_format"}); }

// AvgPool and its gradient know no explicit padding.
AttrMap AvgPoolAttrs(Gradient& g) { return Same(g, {"ksize", "strides", "padding", "data_format"}); }

}  // namespace

Values Conv2DGradient(Gradient& g) {
  return {g.Call("Conv2DBackpropInput", {g.ShapeOf(g.x(0)), g.x(1), g.dy()}, ConvAttrs(g)),
          g.Call("Conv2DBackpropFilter", {g.x(0), g.ShapeOf(g.x(1)), g.dy()}, ConvAttrs(g))};
}

Values Conv2DBackpropInputGradient(Gradient& g) {
  return {GradientValue::None(), g.Call("Conv2DBackpropFilter", {g.dy(), g.ShapeOf(g.x(1)), g.x(2)}, ConvAttrs(g)),
          g.Call("Conv2D", {g.dy(), g.x(1)}, ConvAttrs(g))};
}

Values Conv2DBackpropFilterGradient(Gradient& g) {
  return {g.Call("Conv2DBackpropInput", {g.ShapeOf(g.x(0)), g.dy(), g.x(2)}, ConvAttrs(g)), GradientValue::None(),
          g.Call("Conv2D", {g.x(0), g.dy()}, ConvAttrs(g))};
}

Values MaxPoolGradient(Gradient& g) { return {g.Call("MaxPoolGrad", {g.x(), g.y(), g.dy()}, PoolAttrs(g))}; }

Values MaxPoolGradGradient(Gradient& g) {
  return {g.ZerosLike(g.x(0)), g.ZerosLike(g.x(1)),
          g.Call("MaxPoolGradGrad", {g.x(0), g.x(1), g.dy()}, Same(g, {"ksize", "strides", "padding", "data_format"}))};
}

Values MaxPoolGradGradGradient(Gradient& g) {
  return {g.ZerosLike(g.x(0)), g.ZerosLike(g.x(1)), g.Call("MaxPoolGrad", {g.x(0), g.x(1), g.dy()}, PoolAttrs(g))};
}

Values AvgPoolGradient(Gradient& g) { return {g.Call("AvgPoolGrad", {g.ShapeOf(g.x()), g.dy()}, AvgPoolAttrs(g))}; }

Values AvgPoolGradGradient(Gradient& g) {
  return {GradientValue::None(), g.Call("AvgPool", {g.dy()}, AvgPoolAttrs(g))};
}

}  // namespace plumb

// Gradients of tensor arrays: reads and writes swap places on the gradient array (rules TA7, TA8).
#include "spec/ops/gradients.h"

namespace plumb {
namespace {

using Values = std::vector<GradientValue>;

// Which gradient computation this is: the name of `value` up to and including its last part that starts with
// "gradients", so that every call of Gradients has arrays of its own (rule TA8).
std::string SourceOf(Gradient& g, Endpoint value) {
  for (std::string name : {g.builder().graph().node(value.node).name, g.builder().scope() + "/x"}) {
    for (size_t end = name.rfind('/'); end != std::string::npos; end = name.rfind('/')) {
      name.resize(end);
      const size_t start = name.rfind('/') == std::string::npos ? 0 : name.rfind('/') + 1;
      if (name.compare(start, 9, "gradients") == 0) return name;
    }
  }
  throw InvalidArgument("the gradient of '", g.op().name,
                        "' needs a name scope that starts with \"gradients\" to name its gradient array");
}

struct GradientArray {
  Endpoint handle;
  Endpoint flow;
};

// The gradient array of the op's array; `flow` orders it after what has to come before.
GradientArray ArrayFor(Gradient& g, Endpoint flow, Endpoint source_of) {
  const NodeId array = g.Add("TensorArrayGradV3", {g.x(0), flow}, {{"source", SourceOf(g, source_of)}});
  GraphBuilder::ControlScope after(g.builder(), {array});
  return {{array, 0}, g.Call("Identity", {flow})};
}

AttrMap Typed(DType dtype) { return {{"dtype", dtype}}; }

}  // namespace

Values TensorArrayReadV3Gradient(Gradient& g) {
  const GradientArray array = ArrayFor(g, g.x(2), g.dy());
  return {GradientValue::None(), GradientValue::None(),
          g.Call("TensorArrayWriteV3", {array.handle, g.x(1), g.dy(), array.flow})};
}

Values TensorArrayWriteV3Gradient(Gradient& g) {
  const GradientArray array = ArrayFor(g, g.dy(), g.dy());
  const Endpoint value = g.Call("TensorArrayReadV3", {array.handle, g.x(1), array.flow}, Typed(g.dtype(g.x(2))));
  return {GradientValue::None(), GradientValue::None(), value, g.raw_dy()};
}

Values TensorArrayGatherV3Gradient(Gradient& g) {
  const GradientArray array = ArrayFor(g, g.x(2), g.dy());
  return {GradientValue::None(), GradientValue::None(),
          g.Call("TensorArrayScatterV3", {array.handle, g.x(1), g.dy(), array.flow})};
}

Values TensorArrayScatterV3Gradient(Gradient& g) {
  const GradientArray array = ArrayFor(g, g.dy(), g.dy());
  const Endpoint value = g.Call("TensorArrayGatherV3", {array.handle, g.x(1), array.flow}, Typed(g.dtype(g.x(2))));
  return {GradientValue::None(), GradientValue::None(), value, g.raw_dy()};
}

Values TensorArrayConcatV3Gradient(Gradient& g) {
  const GradientArray array = ArrayFor(g, g.x(1), g.dy(0));
  return {GradientValue::None(), g.Call("TensorArraySplitV3", {array.handle, g.dy(0), g.y(1), array.flow})};
}

Values TensorArraySplitV3Gradient(Gradient& g) {
  const GradientArray array = ArrayFor(g, g.dy(), g.dy());
  const Endpoint value = g.Call("TensorArrayConcatV3", {array.handle, array.flow}, Typed(g.dtype(g.x(1))));
  return {GradientValue::None(), value, GradientValue::None(), g.raw_dy()};
}

}  // namespace plumb

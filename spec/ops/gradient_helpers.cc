#include "spec/ops/gradient_helpers.h"

namespace plumb::topics {

Values Broadcast(Gradient& g, Endpoint dx, Endpoint dy) {
  return {g.SumToShapeOf(dx, g.x(0), g.x(1)), g.SumToShapeOf(dy, g.x(1), g.x(0))};
}

std::vector<Endpoint> AllGradients(Gradient& g) {
  std::vector<Endpoint> all;
  all.reserve(g.num_outputs());
  for (int i = 0; i < g.num_outputs(); ++i) all.push_back(g.dy(i));
  return all;
}

AttrMap SameAttrs(Gradient& g, std::initializer_list<const char*> names) {
  AttrMap attrs;
  for (const char* name : names) {
    if (const auto found = g.op().attrs.find(name); found != g.op().attrs.end()) attrs.insert(*found);
  }
  return attrs;
}

Endpoint SumLast(Gradient& g, Endpoint value) { return g.Call("Sum", {value, g.Int32s({-1})}, {{"keep_dims", true}}); }

Endpoint Zero(Gradient& g) { return g.Scalar(0, DType::kInt32); }

Endpoint One(Gradient& g) { return g.Scalar(1, DType::kInt32); }

Endpoint Flat(Gradient& g, Endpoint value) { return g.Call("Reshape", {value, g.Int32s({-1})}); }

Endpoint Part(Gradient& g, Endpoint shape, int begin, int end) {
  return g.Call("StridedSlice", {shape, g.Int32s({begin}), g.Int32s({end}), g.Int32s({1})},
                {{"end_mask", end == 0 ? 1 : 0}});
}

Endpoint Concat(Gradient& g, std::vector<Endpoint> parts) {
  const int count = static_cast<int>(parts.size());
  parts.push_back(Zero(g));
  return g.Call("ConcatV2", parts, {{"N", count}});
}

GradientValue RowSlices(Gradient& g, Endpoint indices, Endpoint params_shape) {
  const Endpoint rows = g.Call("ExpandDims", {g.Call("Size", {indices}), Zero(g)});
  const Endpoint values = g.Call("Reshape", {g.dy(), Concat(g, {rows, Part(g, params_shape, 1, 0)})});
  return GradientValue::Sparse(values, Flat(g, indices), params_shape);
}

}  // namespace plumb::topics

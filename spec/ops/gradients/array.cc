// Gradients of data movement: the movement backwards.
#include "spec/ops/gradients.h"

namespace plumb {
namespace {

using Values = std::vector<GradientValue>;

Values ReshapedBack(Gradient& g) {
  Values values(g.num_inputs());
  values[0] = g.Call("Reshape", {g.dy(), g.ShapeOf(g.x(0))});
  return values;
}

std::vector<Endpoint> AllGradients(Gradient& g) {
  std::vector<Endpoint> all;
  all.reserve(g.num_outputs());
  for (int i = 0; i < g.num_outputs(); ++i) all.push_back(g.dy(i));
  return all;
}

// ConcatV2 takes no less than two.
Endpoint Joined(Gradient& g, Endpoint axis) {
  std::vector<Endpoint> inputs = AllGradients(g);
  if (inputs.size() == 1) return g.Call("Identity", inputs);
  inputs.push_back(axis);
  return g.Call("ConcatV2", inputs, {{"N", g.num_outputs()}});
}

}  // namespace

Values IdentityGradient(Gradient& g) { return {g.raw_dy()}; }
Values PlaceholderWithDefaultGradient(Gradient& g) { return {g.raw_dy()}; }

Values PreventGradientGradient(Gradient& g) {
  throw InvalidArgument("the gradient of node '", g.op().name, "' was forbidden: ", g.attr<std::string>("message"));
}

Values ReshapeGradient(Gradient& g) { return ReshapedBack(g); }
Values ExpandDimsGradient(Gradient& g) { return ReshapedBack(g); }
Values SqueezeGradient(Gradient& g) { return ReshapedBack(g); }

Values TransposeGradient(Gradient& g) {
  return {g.Call("Transpose", {g.dy(), g.Call("InvertPermutation", {g.x(1)})}), GradientValue::None()};
}

// Each input's part is sliced out of the gradient where it was put in.
Values ConcatV2Gradient(Gradient& g) {
  const int count = g.num_inputs() - 1;
  if (count == 1) return {g.raw_dy(), GradientValue::None()};
  std::vector<Endpoint> inputs;
  inputs.reserve(count);
  for (int i = 0; i < count; ++i) inputs.push_back(g.x(i));
  const NodeId shapes = g.Add("ShapeN", inputs);
  Endpoint axis = g.x(count);
  if (g.dtype(axis) != DType::kInt32) axis = g.Call("Cast", {axis}, {{"DstT", DType::kInt32}});
  std::vector<Endpoint> offset_inputs = {g.Call("FloorMod", {axis, g.Call("Rank", {g.x(0)})})};
  for (int i = 0; i < count; ++i) offset_inputs.push_back({shapes, i});
  const NodeId offsets = g.Add("ConcatOffset", offset_inputs);
  Values values;
  for (int i = 0; i < count; ++i) values.push_back(g.Call("Slice", {g.dy(), {offsets, i}, {shapes, i}}));
  values.push_back(GradientValue::None());
  return values;
}

Values SplitGradient(Gradient& g) { return {GradientValue::None(), Joined(g, g.x(0))}; }

Values SplitVGradient(Gradient& g) { return {Joined(g, g.x(2)), GradientValue::None(), GradientValue::None()}; }

Values PackGradient(Gradient& g) {
  const NodeId parts = g.Add("Unpack", {g.dy()}, {{"num", g.num_inputs()}, {"axis", g.attr<int64_t>("axis")}});
  Values values;
  for (int i = 0; i < g.num_inputs(); ++i) values.push_back(Endpoint{parts, i});
  return values;
}

Values UnpackGradient(Gradient& g) { return {g.Call("Pack", AllGradients(g), {{"axis", g.attr<int64_t>("axis")}})}; }

// The slice's gradient, padded with zeros to the input's shape.
Values SliceGradient(Gradient& g) {
  const DType index = g.dtype(g.x(1));
  const Endpoint begin = g.x(1);
  const Endpoint input_shape = g.Call("Shape", {g.x(0)}, {{"out_type", index}});
  const Endpoint slice_shape = g.Call("Shape", {g.y()}, {{"out_type", index}});
  const Endpoint after = g.Call("Sub", {g.Call("Sub", {input_shape, slice_shape}), begin});
  const Endpoint paddings = g.Call("Pack", {begin, after}, {{"axis", 1}});
  return {g.Call("Pad", {g.dy(), paddings}), GradientValue::None(), GradientValue::None()};
}

namespace {
AttrMap SliceMasks(Gradient& g) {
  AttrMap attrs;
  for (const char* name : {"begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"}) {
    attrs[name] = g.attr<int64_t>(name);
  }
  return attrs;
}
}  // namespace

Values StridedSliceGradient(Gradient& g) {
  const Endpoint shape = g.Call("Shape", {g.x(0)}, {{"out_type", g.dtype(g.x(1))}});
  return {g.Call("StridedSliceGrad", {shape, g.x(1), g.x(2), g.x(3), g.dy()}, SliceMasks(g)), GradientValue::None(),
          GradientValue::None(), GradientValue::None()};
}

Values StridedSliceGradGradient(Gradient& g) {
  Values values(5);
  values[4] = g.Call("StridedSlice", {g.dy(), g.x(1), g.x(2), g.x(3)}, SliceMasks(g));
  return values;
}

// Every copy adds up: the gradient is seen as [multiple, size, multiple, size, …] and summed over the multiples.
Values TileGradient(Gradient& g) {
  const DType index = g.dtype(g.x(1));
  const Endpoint input_shape = g.Call("Shape", {g.x(0)}, {{"out_type", index}});
  const Endpoint interleaved =
      g.Call("Reshape", {g.Call("Pack", {g.x(1), input_shape}, {{"axis", 1}}), g.Int32s({-1})});
  const Endpoint zero = g.Scalar(0, DType::kInt32), two = g.Scalar(2, DType::kInt32);
  const Endpoint axes = g.Call("Range", {zero, g.Call("Size", {interleaved}), two});
  const Endpoint sum = g.Call("Sum", {g.Call("Reshape", {g.dy(), interleaved}), axes});
  return {g.Call("Reshape", {sum, input_shape}), GradientValue::None()};
}

Values PadGradient(Gradient& g) {
  const Endpoint before = g.Call("StridedSlice", {g.x(1), g.Int32s({0, 0}), g.Int32s({0, 1}), g.Int32s({1, 1})},
                                 {{"begin_mask", 1}, {"end_mask", 1}, {"shrink_axis_mask", 2}});
  const Endpoint shape = g.Call("Shape", {g.x(0)}, {{"out_type", g.dtype(g.x(1))}});
  return {g.Call("Slice", {g.dy(), before, shape}), GradientValue::None()};
}

Values FillGradient(Gradient& g) {
  const Endpoint zero = g.Scalar(0, DType::kInt32), one = g.Scalar(1, DType::kInt32);
  const Endpoint axes = g.Call("Range", {zero, g.Call("Rank", {g.dy()}), one});
  return {GradientValue::None(), g.Call("Sum", {g.dy(), axes})};
}

Values ReverseV2Gradient(Gradient& g) { return {g.Call("ReverseV2", {g.dy(), g.x(1)}), GradientValue::None()}; }

Values ReverseSequenceGradient(Gradient& g) {
  const AttrMap attrs = {{"seq_dim", g.attr<int64_t>("seq_dim")}, {"batch_dim", g.attr<int64_t>("batch_dim")}};
  return {g.Call("ReverseSequence", {g.dy(), g.x(1)}, attrs), GradientValue::None()};
}

}  // namespace plumb

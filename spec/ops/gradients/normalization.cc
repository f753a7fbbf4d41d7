// Gradients of normalisation.
#include "spec/ops/gradients.h"

namespace plumb {
namespace {

using Values = std::vector<GradientValue>;

// Training uses what the forward op kept; inference uses the population statistics that it was given. `reserved`
// counts the reserve inputs of the gradient op.
Values FusedBatchNorm(Gradient& g, const char* op, int reserved) {
  const bool training = g.attr<bool>("is_training");
  std::vector<Endpoint> inputs = {g.dy(0), g.x(0), g.x(1), training ? g.y(3) : g.x(3), training ? g.y(4) : g.x(4)};
  if (reserved == 3) inputs.push_back(g.y(5));
  const AttrMap attrs = {{"epsilon", g.attr<float>("epsilon")},
                         {"data_format", g.attr<std::string>("data_format")},
                         {"is_training", training}};
  const NodeId grad = g.Add(op, inputs, attrs);
  return {Endpoint{grad, 0}, Endpoint{grad, 1}, Endpoint{grad, 2}, GradientValue::None(), GradientValue::None()};
}

// Arithmetic of one gradient rule on images and on values per channel, which keep the images' rank.
struct ImageAlgebra {
  Gradient& g;
  Endpoint axes;         // all but the channels
  Endpoint per_channel;  // the shape of values per channel

  Endpoint Mul(Endpoint a, Endpoint b) { return g.Call("Mul", {a, b}); }
  Endpoint Add(Endpoint a, Endpoint b) { return g.Call("AddV2", {a, b}); }
  Endpoint Sub(Endpoint a, Endpoint b) { return g.Call("Sub", {a, b}); }
  Endpoint Mean(Endpoint a) { return g.Call("Mean", {a, axes}, {{"keep_dims", true}}); }
  Endpoint Spread(Endpoint vector) { return g.Call("Reshape", {vector, per_channel}); }
  Endpoint SumPerChannel(Endpoint a) { return g.Call("Sum", {a, axes}); }
  // 1 / sqrt(variance + ε)
  Endpoint Scale(Endpoint variance) {
    return g.Call("Rsqrt", {Add(variance, g.Scalar(g.attr<float>("epsilon"), DType::kFloat))});
  }
  Endpoint Widened(Endpoint a) {
    return g.dtype(a) == DType::kFloat ? a : g.Call("Cast", {a}, {{"DstT", DType::kFloat}});
  }
};

struct NormalizedGradients {
  Endpoint dy, x, scale;
};

// With x̂ = (x − mean x) r, r = 1 / sqrt(var x + ε) and P(u) = u − mean u − x̂ mean(u x̂), the op gives
// dx = scale r P(dy), dscale = Σ dy x̂, doffset = Σ dy. P is symmetric, and the derivative of mean(u x̂) by x is r P(u)
// over the number of elements.
NormalizedGradients WhileTraining(ImageAlgebra f, Endpoint dy, Endpoint x, Endpoint scale, Endpoint a, Endpoint b,
                                  Endpoint c) {
  const Endpoint centred = f.Sub(x, f.Mean(x));
  const Endpoint r = f.Scale(f.Mean(f.Mul(centred, centred)));
  const Endpoint hat = f.Mul(centred, r);
  const auto along_hat = [&](Endpoint u) { return f.Mean(f.Mul(u, hat)); };
  const auto project = [&](Endpoint u) { return f.Sub(f.Sub(u, f.Mean(u)), f.Mul(hat, along_hat(u))); };
  const Endpoint pa = project(a), pdy = project(dy);
  const Endpoint twists =
      f.Add(f.Mul(hat, f.Mean(f.Mul(a, pdy))), f.Add(f.Mul(along_hat(a), pdy), f.Mul(along_hat(dy), pa)));
  return {
      .dy = f.Add(f.Mul(f.Mul(scale, r), pa), f.Add(f.Mul(b, hat), c)),
      .x = f.Sub(f.Mul(f.Mul(b, r), pdy), f.Mul(f.Mul(scale, f.Mul(r, r)), twists)),
      .scale = f.SumPerChannel(f.Mul(f.Mul(a, pdy), r)),
  };
}

// The statistics are constants: dx = dy scale r, dscale = Σ dy (x − mean) r, doffset = Σ dy.
NormalizedGradients WhileServing(ImageAlgebra f, Endpoint dy, Endpoint x, Endpoint scale, Endpoint a, Endpoint b,
                                 Endpoint c) {
  const Endpoint r = f.Scale(f.Spread(f.g.x(4)));
  const Endpoint hat = f.Mul(f.Sub(x, f.Spread(f.g.x(3))), r);
  return {
      .dy = f.Add(f.Mul(f.Mul(a, scale), r), f.Add(f.Mul(b, hat), c)),
      .x = f.Mul(f.Mul(b, r), dy),
      .scale = f.SumPerChannel(f.Mul(f.Mul(a, dy), r)),
  };
}

}  // namespace

Values FusedBatchNormGradient(Gradient& g) { return FusedBatchNorm(g, "FusedBatchNormGrad", 2); }
Values FusedBatchNormV2Gradient(Gradient& g) { return FusedBatchNorm(g, "FusedBatchNormGradV2", 2); }
Values FusedBatchNormV3Gradient(Gradient& g) { return FusedBatchNorm(g, "FusedBatchNormGradV3", 3); }

// The reserve spaces are scratch of the forward op: nothing flows through them.
Values FusedBatchNormGradGradient(Gradient& g) {
  const std::string& format = g.attr<std::string>("data_format");
  const size_t channels = format.find('C');
  std::vector<int32_t> axes, per_channel(format.size(), 1);
  for (size_t axis = 0; axis < format.size(); ++axis) {
    if (axis != channels) axes.push_back(static_cast<int32_t>(axis));
  }
  per_channel[channels] = -1;
  ImageAlgebra f{g, g.Int32s(axes), g.Int32s(per_channel)};
  const Endpoint dy = f.Widened(g.x(0)), x = f.Widened(g.x(1)), scale = f.Spread(g.x(2));
  const Endpoint a = f.Widened(g.dy(0)), b = f.Spread(g.dy(1)), c = f.Spread(g.dy(2));
  const bool training = g.attr<bool>("is_training");
  const NormalizedGradients made = (training ? WhileTraining : WhileServing)(f, dy, x, scale, a, b, c);
  const auto narrowed = [&](Endpoint image) {
    const DType dtype = g.dtype(g.x(0));
    return dtype == DType::kFloat ? image : g.Call("Cast", {image}, {{"DstT", dtype}});
  };
  Values gradients(g.num_inputs());
  gradients[0] = narrowed(made.dy);
  gradients[1] = narrowed(made.x);
  gradients[2] = made.scale;
  return gradients;
}

Values LRNGradient(Gradient& g) {
  const AttrMap attrs = {{"depth_radius", g.attr<int64_t>("depth_radius")},
                         {"bias", g.attr<float>("bias")},
                         {"alpha", g.attr<float>("alpha")},
                         {"beta", g.attr<float>("beta")}};
  return {g.Call("LRNGrad", {g.dy(), g.x(), g.y()}, attrs)};
}

}  // namespace plumb

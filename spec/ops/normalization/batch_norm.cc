#include "spec/ops/gradient_helpers.h"
#include "spec/ops/image_format.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// Rank 4, or for the third version also 5 (its data_format names the dimensions). Kernels take both, whatever it says.
PartialShape BatchNormInput(const ShapeContext& c, int i) {
  return WithRank(c, i, static_cast<int>(c.attr<std::string>("data_format").size()));
}
// An image as an output: of a rank that is open as long as that of the input is.
PartialShape BatchNormOutput(const ShapeContext& c, int i, const PartialShape& image) {
  return c.input(i).has_rank() ? image : PartialShape::Unknown();
}

Shapes FusedBatchNormShapes(const ShapeContext& c) {
  const PartialShape x = BatchNormInput(c, 0);
  const int channel = FormatOf(c).Channel(x.rank());
  int64_t channels = x.dim(channel);
  // While training, mean and variance are looked at where they are averaged, and may be empty otherwise.
  const bool averages = GetAttrOr<float>(c.attrs(), "exponential_avg_factor", 1) != 1;
  const int vectors = c.attr<bool>("is_training") && !averages ? 2 : 4;
  for (int i = 1; i <= vectors; ++i) channels = MergeDims(c, channels, WithRank(c, i, 1).dim(0));
  Shapes outputs = {BatchNormOutput(c, 0, WithDim(x, channel, channels))};
  outputs.resize(5, PartialShape{channels});
  if (c.num_outputs() == 6) outputs.push_back(PartialShape::Unknown());
  return outputs;
}

Shapes FusedBatchNormGradShapes(const ShapeContext& c) {
  const PartialShape y_backprop = BatchNormInput(c, 0);
  const PartialShape x = BatchNormInput(c, 1);
  const int channel = FormatOf(c).Channel(x.rank());
  int64_t channels = MergeDims(c, y_backprop.dim(channel), x.dim(channel));
  for (int i = 2; i < 5; ++i) channels = MergeDims(c, channels, WithRank(c, i, 1).dim(0));
  // What else the images have in common with their gradients is the kernel's to look at.
  const PartialShape& images = c.input(0).has_rank() ? y_backprop : x;
  return {BatchNormOutput(c, c.input(0).has_rank() ? 0 : 1, WithDim(images, channel, channels)), PartialShape{channels},
          PartialShape{channels}, PartialShape{0}, PartialShape{0}};
}

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

}  // namespace

std::span<const OpRow> NormalizationBatchNorm() {
  static const OpRow rows[] = {
      {.signature = "FusedBatchNorm(x: T, scale: T, offset: T, mean: T, variance: T) -> (y: T, batch_mean: T, "
                    "batch_variance: T, reserve_space_1: T, reserve_space_2: T) differentiates_first",
       .attrs = "T: type in [float32]; epsilon: float = 9.99999975e-05; exponential_avg_factor: float = 1; "
                "data_format: string = 'NHWC' in ['NHWC', 'NCHW']; is_training: bool = true",
       .doc = "scale (x - mean) / sqrt(variance + epsilon) + offset for each channel. In training, mean and "
              "variance are those of the batch; batch_mean and batch_variance (with Bessel's correction) move "
              "towards them from the given ones by exponential_avg_factor. The reserve spaces hold what the "
              "gradient needs.",
       .gpu = "all",
       .shape_fn = FusedBatchNormShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(4),
       .gradient = FusedBatchNormGradient,
       .gradient_trial = {.constant_inputs = {3, 4}, .order = 2},
       .samples = {"is_training=true: [N 3 2 C] finite [C] finite [C] finite [0] [0]",
                   "is_training=false: [n 3 2 C] finite [C] finite [C] finite [C] finite [C] positive",
                   "is_training=true data_format='NCHW': [N C 3 2] finite [C] finite [C] finite [0] [0]"}},
      {.signature = "FusedBatchNormGrad(y_backprop: T, x: T, scale: T, reserve_space_1: T, reserve_space_2: T) -> "
                    "(x_backprop: T, scale_backprop: T, offset_backprop: T, reserve_space_3: T, reserve_space_4: T)",
       .attrs = "T: type in [float32]; epsilon: float = 9.99999975e-05; data_format: string = 'NHWC' in "
                "['NHWC', 'NCHW']; is_training: bool = true",
       .doc = "The gradients of FusedBatchNorm by x, scale and offset. reserve_space_1 and reserve_space_2 "
              "are the mean and the variance that it used.",
       .gpu = "all",
       .shape_fn = FusedBatchNormGradShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(4),
       .gradient = FusedBatchNormGradGradient,
       .gradient_trial = {.untried = "it expects what the op before it left, and is tried with it"},
       .samples = {"is_training=true/false: [N 3 2 C] finite [N 3 2 C] finite [C] finite [C] finite [C] positive",
                   "is_training=true data_format='NCHW': "
                   "[N C 3 2] finite [N C 3 2] finite [C] finite [C] finite [C] positive"}},
      {.signature = "FusedBatchNormV2(x: T, scale: U, offset: U, mean: U, variance: U) -> (y: T, batch_mean: U, "
                    "batch_variance: U, reserve_space_1: U, reserve_space_2: U) differentiates_first",
       .attrs = "T: type in [float16, bfloat16, float32]; U: type in [float32]; epsilon: float = "
                "9.99999975e-05; exponential_avg_factor: float = 1; data_format: string = 'NHWC' in ['NHWC', "
                "'NCHW']; is_training: bool = true",
       .doc = "scale (x - mean) / sqrt(variance + epsilon) + offset for each channel. In training, mean and "
              "variance are those of the batch; batch_mean and batch_variance (with Bessel's correction) move "
              "towards them from the given ones by exponential_avg_factor. The reserve spaces hold what the "
              "gradient needs.",
       .gpu = "all",
       .shape_fn = FusedBatchNormShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(4),
       .gradient = FusedBatchNormV2Gradient,
       .gradient_trial = {.constant_inputs = {3, 4}, .order = 2},
       .samples = {"is_training=true: [N 3 2 C] finite [C] finite [C] finite [0] [0]",
                   "is_training=false: [n 3 2 C] finite [C] finite [C] finite [C] finite [C] positive",
                   "is_training=true data_format='NCHW': [N C 3 2] finite [C] finite [C] finite [0] [0]"}},
      {.signature = "FusedBatchNormGradV2(y_backprop: T, x: T, scale: float32, reserve_space_1: U, reserve_space_2: "
                    "U) -> (x_backprop: T, scale_backprop: U, offset_backprop: U, reserve_space_3: U, "
                    "reserve_space_4: U)",
       .attrs = "T: type in [float16, bfloat16, float32]; U: type in [float32]; epsilon: float = "
                "9.99999975e-05; data_format: string = 'NHWC' in ['NHWC', 'NCHW']; is_training: bool = true",
       .doc = "The gradients of FusedBatchNorm by x, scale and offset. reserve_space_1 and reserve_space_2 "
              "are the mean and the variance that it used.",
       .gpu = "all",
       .shape_fn = FusedBatchNormGradShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(4),
       .gradient = FusedBatchNormGradGradient,
       .gradient_trial = {.untried = "it expects what the op before it left, and is tried with it"},
       .samples = {"is_training=true/false: [N 3 2 C] finite [N 3 2 C] finite [C] finite [C] finite [C] positive",
                   "is_training=true data_format='NCHW': "
                   "[N C 3 2] finite [N C 3 2] finite [C] finite [C] finite [C] positive"}},
      {.signature =
           "FusedBatchNormV3(x: T, scale: U, offset: U, mean: U, variance: U) -> (y: T, batch_mean: U, "
           "batch_variance: U, reserve_space_1: U, reserve_space_2: U, reserve_space_3: U) differentiates_first",
       .attrs = "T: type in [float16, bfloat16, float32]; U: type in [bfloat16, float32]; epsilon: float = "
                "9.99999975e-05; exponential_avg_factor: float = 1; data_format: string = 'NHWC' in ['NHWC', "
                "'NCHW', 'NDHWC', 'NCDHW']; is_training: bool = true",
       .doc = "scale (x - mean) / sqrt(variance + epsilon) + offset for each channel. In training, mean and "
              "variance are those of the batch; batch_mean and batch_variance (with Bessel's correction) move "
              "towards them from the given ones by exponential_avg_factor. The reserve spaces hold what the "
              "gradient needs.",
       .cpu = "U in [float32]",
       .gpu = "all",
       .shape_fn = FusedBatchNormShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(4),
       .gradient = FusedBatchNormV3Gradient,
       .gradient_trial = {.constant_inputs = {3, 4}, .order = 2},
       .samples = {"is_training=true: [N 3 2 C] finite [C] finite [C] finite [0] [0]",
                   "is_training=false: [n 3 2 C] finite [C] finite [C] finite [C] finite [C] positive",
                   "is_training=true data_format='NCHW': [N C 3 2] finite [C] finite [C] finite [0] [0]",
                   "is_training=true data_format='NDHWC': [N 2 3 2 C] finite [C] finite [C] finite [0] [0]",
                   "is_training=true data_format='NCDHW': [N C 2 3 2] finite [C] finite [C] finite [0] [0]",
                   "is_training=true: [N 3 2 16] finite [16] finite [16] finite [0] [0]",
                   "is_training=true data_format='NCHW': [N C 4 4] finite [C] finite [C] finite [0] [0]"}},
      {.signature = "FusedBatchNormGradV3(y_backprop: T, x: T, scale: float32, reserve_space_1: U, reserve_space_2: "
                    "U, reserve_space_3: U) -> (x_backprop: T, scale_backprop: U, offset_backprop: U, "
                    "reserve_space_4: U, reserve_space_5: U)",
       .attrs = "T: type in [float16, bfloat16, float32]; U: type in [float32]; epsilon: float = "
                "9.99999975e-05; data_format: string = 'NHWC' in ['NHWC', 'NCHW', 'NDHWC', 'NCDHW']; "
                "is_training: bool = true",
       .doc = "The gradients of FusedBatchNorm by x, scale and offset. reserve_space_1 and reserve_space_2 "
              "are the mean and the variance that it used.",
       .gpu = "all",
       .shape_fn = FusedBatchNormGradShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(4),
       .gradient = FusedBatchNormGradGradient,
       .gradient_trial = {.untried = "it expects what the op before it left, and is tried with it"},
       .samples = {"is_training=true/false: [N 3 2 C] finite [N 3 2 C] finite [C] finite [C] finite [C] positive [1]",
                   "is_training=true data_format='NCHW': "
                   "[N C 3 2] finite [N C 3 2] finite [C] finite [C] finite [C] positive [1]",
                   "is_training=true data_format='NDHWC': "
                   "[N 2 3 2 C] finite [N 2 3 2 C] finite [C] finite [C] finite [C] positive [1]",
                   "is_training=true data_format='NCDHW': "
                   "[N C 2 3 2] finite [N C 2 3 2] finite [C] finite [C] finite [C] positive [1]"}},
  };
  return rows;
}

}  // namespace plumb::topics

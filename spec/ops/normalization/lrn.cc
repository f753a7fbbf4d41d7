#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"

namespace plumb::topics {
namespace {

Values LRNGradient(Gradient& g) {
  const AttrMap attrs = {{"depth_radius", g.attr<int64_t>("depth_radius")},
                         {"bias", g.attr<float>("bias")},
                         {"alpha", g.attr<float>("alpha")},
                         {"beta", g.attr<float>("beta")}};
  return {g.Call("LRNGrad", {g.dy(), g.x(), g.y()}, attrs)};
}

}  // namespace

std::span<const OpRow> NormalizationLrn() {
  static const OpRow rows[] = {
      {.signature = "LRN(input: T) -> (output: T)",
       .attrs = "depth_radius: int = 5; bias: float = 1; alpha: float = 1; beta: float = 0.5; T: type = float32 "
                "in [float16, bfloat16, float32]",
       .doc = "Each element divided by (bias + alpha s)^beta, where s is the sum of squares over the "
              "depth_radius channels on both sides.",
       .cpu = "T in [float16, float32]",
       .gpu = "all",
       .shape = "[a b c e] -> [a b c e]",
       .accuracy = Composed(4),
       .gradient = LRNGradient,
       .samples = {"depth_radius=2 bias=1 alpha=0.5 beta=0.75: [n 2 3 C] finite", "[n 1 2 6] finite",
                   "[n 1 2 32] finite"}},
      {.signature = "LRNGrad(input_grads: T, input_image: T, output_image: T) -> (output: T)",
       .attrs = "depth_radius: int = 5; bias: float = 1; alpha: float = 1; beta: float = 0.5; T: type = float32 "
                "in [float16, bfloat16, float32]",
       .doc = "The gradient of LRN by its input, from the input and the result.",
       .cpu = "T in [float16, float32]",
       .gpu = "all",
       .shape = "[a b c e] [a b c e] [a b c e] -> [a b c e]",
       .accuracy = Composed(4),
       .samples = {"depth_radius=2 bias=1 alpha=0.5 beta=0.75: [n 2 3 C] finite [n 2 3 C] finite [n 2 3 C] finite"}},
  };
  return rows;
}

}  // namespace plumb::topics

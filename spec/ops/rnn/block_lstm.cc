#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/rnn/lstm_shapes.h"

namespace plumb::topics {
namespace {

Shapes BlockShapes(const ShapeContext& c) {
  const PartialShape x = WithRank(c, 1, 3), b = WithRank(c, 8, 1);
  Require(b.dim(0) < 0 || b.dim(0) % 4 == 0, InputName(c, 8), " must have a size that 4 divides, not ", b.dim(0));
  return Shapes(7, PartialShape{x.dim(0), x.dim(1), b.dim(0) < 0 ? -1 : b.dim(0) / 4});
}

Shapes BlockGradShapes(const ShapeContext& c) {
  RequireRanks(c, 1, {3, 2, 2, 2, 1, 1, 1, 1});
  return {WithRank(c, 1, 3), WithRank(c, 2, 2), WithRank(c, 3, 2), WithRank(c, 4, 2),
          WithRank(c, 5, 1), WithRank(c, 6, 1), WithRank(c, 7, 1), WithRank(c, 8, 1)};
}

// What comes for the gates themselves leads nowhere, as in TensorFlow.
Values GradientBy(Gradient& g, const char* grad_op) {
  std::vector<Endpoint> inputs;
  for (int i = 0; i < 9; ++i) inputs.push_back(g.x(i));
  for (int i = 0; i < 7; ++i) inputs.push_back(g.y(i));
  inputs.push_back(g.dy(1));
  inputs.push_back(g.dy(6));
  const NodeId grad = g.Add(grad_op, inputs, SameAttrs(g, {"use_peephole"}));
  Values gradients = {GradientValue::None()};
  for (int i = 0; i < 8; ++i) gradients.emplace_back(Endpoint{grad, i});
  return gradients;
}
Values BlockLstmGradient(Gradient& g) { return GradientBy(g, "BlockLSTMGrad"); }
Values BlockLstmV2Gradient(Gradient& g) { return GradientBy(g, "BlockLSTMGradV2"); }

constexpr const char* kWhyUntried = "the gradient passes a clipped cell state as if it were not";
std::vector<const char*> Samples() {
  return {
      "use_peephole=false/true cell_clip=3/0.5/-1: 3 [4 b 2] finite [b 3] finite [b 3] finite [5 12] finite [3] finite "
      "[3] finite [3] finite [12] finite",
      "4 [4 b 5] finite [b 4] finite [b 4] finite [9 16] finite [4] finite [4] finite [4] finite [16] finite",
      "0 [2 b 2] finite [b 3] finite [b 3] finite [5 12] finite [3] finite [3] finite [3] finite [12] finite"};
}
std::vector<const char*> GradSamples() {
  return {
      "use_peephole=false/true: 2 [3 b 2] finite [b 3] finite [b 3] finite [5 12] finite [3] finite [3] finite [3] "
      "finite "
      "[12] finite [3 b 3] finite [3 b 3] finite [3 b 3] finite [3 b 3] finite [3 b 3] finite [3 b 3] finite [3 b 3] "
      "finite [3 b 3] finite [3 b 3] finite",
      "use_peephole=false/true: 0 [1 b 2] finite [b 1] finite [b 1] finite [3 4] finite [1] finite [1] finite [1] "
      "finite "
      "[4] finite [1 b 1] finite [1 b 1] finite [1 b 1] finite [1 b 1] finite [1 b 1] finite [1 b 1] finite [1 b 1] "
      "finite [1 b 1] finite [1 b 1] finite"};
}
constexpr const char* kGradDoc =
    "The gradients of the sequence's inputs, given what it computed and the gradients of cs and h at all times.";

}  // namespace

std::span<const OpRow> RnnBlockLstm() {
  static const OpRow rows[] = {
      {.signature = "BlockLSTM(seq_len_max: int64, x: T, cs_prev: T, h_prev: T, w: T, wci: T, wcf: T, wco: T, b: T) -> "
                    "(i: T, cs: T, f: T, o: T, ci: T, co: T, h: T)",
       .attrs = "forget_bias: float = 1; cell_clip: float = 3; use_peephole: bool = false; T: type in [float16, "
                "float32]",
       .doc = "LSTMBlockCell along the first axis of x [time, batch, input], for the first seq_len_max times; zeros "
              "after them.",
       .gpu = "all",
       .shape_fn = BlockShapes,
       .cost = 256,
       .accuracy = Composed(4),
       .gradient = BlockLstmGradient,
       .gradient_trial = {.untried = kWhyUntried},
       .samples = Samples()},
      {.signature = "BlockLSTMGrad(seq_len_max: int64, x: T, cs_prev: T, h_prev: T, w: T, wci: T, wcf: T, wco: T, b: "
                    "T, i: T, cs: T, f: T, o: T, ci: T, co: T, h: T, cs_grad: T, h_grad: T) -> (x_grad: T, "
                    "cs_prev_grad: T, h_prev_grad: T, w_grad: T, wci_grad: T, wcf_grad: T, wco_grad: T, b_grad: T)",
       .attrs = "use_peephole: bool; T: type in [float16, float32]",
       .doc = kGradDoc,
       .gpu = "all",
       .shape_fn = BlockGradShapes,
       .cost = 256,
       .accuracy = Composed(4),
       .samples = GradSamples()},
      {.signature = "BlockLSTMGradV2(seq_len_max: int64, x: T, cs_prev: T, h_prev: T, w: T, wci: T, wcf: T, wco: T, b: "
                    "T, i: T, cs: T, f: T, o: T, ci: T, co: T, h: T, cs_grad: T, h_grad: T) -> (x_grad: T, "
                    "cs_prev_grad: T, h_prev_grad: T, w_grad: T, wci_grad: T, wcf_grad: T, wco_grad: T, b_grad: T)",
       .attrs = "use_peephole: bool; T: type in [float16, float32]",
       .doc = kGradDoc,
       .gpu = "all",
       .shape_fn = BlockGradShapes,
       .cost = 256,
       .accuracy = Composed(4),
       .samples = GradSamples()},
      {.signature = "BlockLSTMV2(seq_len_max: int64, x: T, cs_prev: T, h_prev: T, w: T, wci: T, wcf: T, wco: T, b: T) "
                    "-> (i: T, cs: T, f: T, o: T, ci: T, co: T, h: T)",
       .attrs = "cell_clip: float = 0; use_peephole: bool = false; T: type in [float16, float32]",
       .doc = "As BlockLSTM, with the gates in the order input, forget, cell, output, and nothing added to the forget "
              "gate.",
       .gpu = "all",
       .shape_fn = BlockShapes,
       .cost = 256,
       .accuracy = Composed(4),
       .gradient = BlockLstmV2Gradient,
       .gradient_trial = {.untried = kWhyUntried},
       .samples = Samples()},
  };
  return rows;
}

}  // namespace plumb::topics

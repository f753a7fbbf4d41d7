#include "spec/ops/op_def.h"
#include "spec/ops/rnn/lstm_shapes.h"

namespace plumb::topics {
namespace {

Shapes CellShapes(const ShapeContext& c) {
  const PartialShape x = WithRank(c, 0, 2), cs_prev = WithRank(c, 1, 2);
  return Shapes(7, PartialShape{x.dim(0), cs_prev.dim(1)});
}

Shapes CellGradShapes(const ShapeContext& c) {
  const PartialShape x = WithRank(c, 0, 2), cs_prev = WithRank(c, 1, 2);
  const PartialShape cells = {cs_prev.dim(1)};
  return {PartialShape{x.dim(0), cells.dim(0)}, PartialShape{x.dim(0), MultiplySizes(c, cells.dim(0), 4)}, cells, cells,
          cells};
}

}  // namespace

std::span<const OpRow> RnnLstmCell() {
  static const OpRow rows[] = {
      {.signature = "LSTMBlockCell(x: T, cs_prev: T, h_prev: T, w: T, wci: T, wcf: T, wco: T, b: T) -> (i: T, cs: T, "
                    "f: T, o: T, ci: T, co: T, h: T)",
       .attrs = "forget_bias: float = 1; cell_clip: float = 3; use_peephole: bool = false; T: type in [float16, "
                "float32]",
       .doc = "One step of an LSTM: [x, h_prev]·w + b holds the pre-activations of the input gate i, the cell input "
              "ci, the forget gate f, to which forget_bias is added, and the output gate o, in this order. cs = i·ci + "
              "f·cs_prev is the new cell state, cut to [-cell_clip, cell_clip] where that is positive, and h = "
              "o·tanh(cs) the new output. use_peephole: the gates see the cell state too, by the weights wci, wcf and "
              "wco.",
       .gpu = "all",
       .shape_fn = CellShapes,
       .cost = 64,
       .accuracy = Composed(4),
       .samples = {"use_peephole=false/true cell_clip=3/0.5/-1 forget_bias=1/0: [b 2] finite [b 3] finite [b 3] finite "
                   "[5 12] finite [3] finite [3] finite [3] finite [12] finite",
                   "use_peephole=true: [b 7] finite [b 17] finite [b 17] finite [24 68] finite [17] finite [17] finite "
                   "[17] finite [68] finite"}},
      {.signature = "LSTMBlockCellGrad(x: T, cs_prev: T, h_prev: T, w: T, wci: T, wcf: T, wco: T, b: T, i: T, cs: T, "
                    "f: T, o: T, ci: T, co: T, cs_grad: T, h_grad: T) -> (cs_prev_grad: T, dicfo: T, wci_grad: T, "
                    "wcf_grad: T, wco_grad: T)",
       .attrs = "use_peephole: bool; T: type in [float16, float32]",
       .doc =
           "The gradient of LSTMBlockCell: of the cell state before, of the pre-activations of all gates, and of the "
           "peephole weights, which is zero without them.",
       .gpu = "all",
       .shape_fn = CellGradShapes,
       .cost = 64,
       .accuracy = Composed(4),
       .samples =
           {"use_peephole=false/true: [b 2] finite [b 3] finite [b 3] finite [5 12] finite [3] finite [3] finite "
            "[3] finite [12] finite [b 3] finite [b 3] finite [b 3] finite [b 3] finite [b 3] finite [b 3] "
            "finite [b 3] finite [b 3] finite"}},
  };
  return rows;
}

}  // namespace plumb::topics

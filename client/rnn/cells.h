// The recurrent cells, and wrappers around them, with the formulas and variable names of tf.nn.rnn_cell in TensorFlow
// 1.15. σ is the sigmoid, · the elementwise product, [x, h] both side by side.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "client/rnn/cell.h"

namespace plumb {

using CellPtr = std::shared_ptr<RnnCell>;

struct CellOptions {
  Activation activation = {};  // tanh
  Initializer kernel = {};     // first value of kernels; GlorotUniform with `seed`
  Initializer bias = {};       // of biases; what TensorFlow takes
  int64_t seed = 0;
  std::string name = {};  // of its variables; TensorFlow's name of the cell
};
// h' = tanh([x, h] kernel + bias). Variables "basic_rnn_cell/kernel" [inputs + units, units], "bias" [units].
CellPtr BasicRnnCell(int64_t units, const CellOptions& options = {});
// [r, u] = σ([x, h] gates/kernel + gates/bias); h' = u · h + (1 − u) · tanh([x, r · h] candidate/kernel + …/bias).
// Variables "gru_cell/gates/kernel" [inputs + units, 2 units], "gates/bias" (at first ones), "candidate/kernel" and
// "candidate/bias".
CellPtr GruCell(int64_t units, const CellOptions& options = {});

// [i, j, f, o] = [x, h] kernel + bias; c' = σ(f + forget_bias) · c + σ(i) · tanh(j); h' = σ(o) · tanh(c').
// Variables "basic_lstm_cell/kernel" [inputs + units, 4 units], "bias" [4 units]. State: c, h.
CellPtr BasicLstmCell(int64_t units, double forget_bias = 1, const CellOptions& options = {});

struct LstmOptions {
  double forget_bias = 1;
  bool use_peepholes = false;            // gates see c: σ(f + forget_bias + w_f_diag · c), i alike; o sees c'
  std::optional<double> cell_clip = {};  // c' stays within ±cell_clip, before it leaves the cell
  int64_t projection = 0;                // where positive: h' is multiplied by projection/kernel [units, projection]
  std::optional<double> projection_clip = {};  // and stays within ±projection_clip
  CellOptions cell = {};
};
// Variables "lstm_cell/kernel" [inputs + outputs, 4 units], "bias"; "w_f_diag", "w_i_diag", "w_o_diag" [units];
// "projection/kernel". State: c [batch, units], h [batch, outputs].
CellPtr LstmCell(int64_t units, const LstmOptions& options = {});

// Each cell's output is the next one's input. Variables "multi_rnn_cell/cell_0/…", "cell_1/…". kInvalidArgument without
// cells.
CellPtr MultiRnnCell(std::vector<CellPtr> cells);

struct DropoutOptions {
  double input_keep = 1, output_keep = 1, state_keep = 1;  // probabilities; memory (c) is never dropped
  // One mask for all steps and examples of a batch, [1, size], instead of one of its own for each.
  bool variational = false;
  int64_t seed = 0;
};
// kInvalidArgument for a probability that is not within (0, 1].
CellPtr DropoutWrapper(CellPtr cell, const DropoutOptions& options);
// The input added to the output; both must have one size.
CellPtr ResidualWrapper(CellPtr cell);

}  // namespace plumb

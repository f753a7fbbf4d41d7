// A recurrent cell run over sequences, as tf.nn.dynamic_rnn, static_rnn and their bidirectional forms of TensorFlow
// 1.15 run it: same results, same variable names.
//
// Where lengths are given, a sequence that is over gives zeros as outputs and carries its last state on, so that the
// state in the end is that of each sequence's own end. All throw kInvalidArgument for shapes that do not fit.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "client/rnn/cells.h"

namespace plumb {

struct RnnOptions {
  std::optional<Output> sequence_length = {};  // [batch] of int32 or int64; none: all steps count
  RnnState initial_state = {};                 // none: zeros of the input's type
  std::string scope = "rnn";                   // in front of the names of variables, behind the current name scope
  // For DynamicRnn only.
  bool time_major = false;  // inputs and outputs are [time, batch, …] instead of [batch, time, …]
  int parallel_iterations = 32;
  bool swap_memory = false;
};

struct DynamicRnnResult {
  Output outputs;  // [batch, time, output size], or [time, batch, output size]
  RnnState state;
};
// A loop over inputs [batch, time, size] of known rank and size, as many steps as the longest sequence needs.
DynamicRnnResult DynamicRnn(Scope& scope, const CellPtr& cell, Output inputs, const RnnOptions& options = {});

struct StaticRnnResult {
  std::vector<Output> outputs;  // one per step, [batch, output size]
  RnnState state;
};
// One copy of the cell's ops for each input [batch, size]; steps beyond the longest sequence are skipped when it runs.
StaticRnnResult StaticRnn(Scope& scope, const CellPtr& cell, const std::vector<Output>& inputs,
                          const RnnOptions& options = {});

struct BidirectionalOptions {
  std::optional<Output> sequence_length = {};
  RnnState initial_state_forward = {}, initial_state_backward = {};
  std::string scope = "bidirectional_rnn";  // with "/fw" and "/bw"
  bool time_major = false;
  int parallel_iterations = 32;
  bool swap_memory = false;
};
struct BothDirections {
  DynamicRnnResult forward, backward;  // outputs of both in the order of the inputs
};
// Two cells: one reads each sequence from its start, one from its end.
BothDirections BidirectionalDynamicRnn(Scope& scope, const CellPtr& forward, const CellPtr& backward, Output inputs,
                                       const BidirectionalOptions& options = {});

struct StaticBothDirections {
  std::vector<Output> outputs;  // of each step [batch, forward size + backward size]
  RnnState forward_state, backward_state;
};
StaticBothDirections BidirectionalStaticRnn(Scope& scope, const CellPtr& forward, const CellPtr& backward,
                                            const std::vector<Output>& inputs,
                                            const BidirectionalOptions& options = {});

}  // namespace plumb

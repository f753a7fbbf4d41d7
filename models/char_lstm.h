// A character language model: an LSTM over a while loop, or over as many copies of its cell, trained by truncated
// back-propagation through time.
#pragma once

#include <cstdint>

#include "client/optimizers/optimizer.h"
#include "client/scope.h"

namespace plumb::models {

struct CharLstmOptions {
  int64_t vocabulary = 128;  // number of different characters
  int64_t embedding = 32;
  int64_t units = 128;
  int64_t steps = 32;  // characters per sequence: gradients reach no further back
  int64_t batch = 16;
  double clip_norm = 5;      // of all gradients together
  bool is_unrolled = false;  // the cell's ops once per character instead of a loop: nothing is decided while it runs
  int64_t seed = 1;
};

// What a program feeds, fetches and runs. The state that a step ends with is fed to the next one, so that text is read
// on; gradients stop at its border.
struct CharLstm {
  Output inputs;     // int32 [steps, batch], the characters read
  Output targets;    // int32 [steps, batch], the characters to be predicted
  Output cell_in;    // float32 [batch, units]
  Output hidden_in;  // float32 [batch, units]
  Output cell_out;   // the same, after the last step
  Output hidden_out;
  Output loss;  // float32 [], mean cross entropy per character, in nats
  NodeId train;
  NodeId init;
};

CharLstm BuildCharLstm(Scope& scope, Optimizer& optimizer, const CharLstmOptions& options);

}  // namespace plumb::models

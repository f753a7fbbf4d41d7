// Time steps of an LSTM, forwards and backwards, in float; what one step hands to the next is rounded to the type of
// the op's elements.
#pragma once

#include <string>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/formulas/rnn/cell_sizes.h"

namespace plumb::fast::cpu {

// Where the gates stand among the four columns of pre-activations; the input gate is the first.
struct GateOrder {
  int c, f, o;
};
inline constexpr GateOrder kIcfo = {1, 2, 3};
inline constexpr GateOrder kIfco = {2, 1, 3};

struct LstmOptions {
  GateOrder order;
  bool peephole = false;
  float forget_bias = 0, cell_clip = 0;
  DType type = DType::kFloat;
};

// Inputs as float; each holds its tensor.
struct LstmInputs {
  Tensor x, cs_prev, h_prev, w, wci, wcf, wco, b;
  LstmInputs(ThreadPool& pool, const KernelContext& context, int first);
};

// What is left of numbers that are stored as `type`.
void RoundLstm(DType type, float* numbers, int64_t n);

// [steps, batch, cells] each.
struct LstmOutputs {
  float *i, *cs, *f, *o, *ci, *co, *h;
};
void LstmForward(ThreadPool& pool, const LstmOptions& options, const LstmSizes& sizes, const LstmInputs& in,
                 const LstmOutputs& out);

struct LstmKnown {
  const float *i, *cs, *f, *o, *ci, *co, *h, *cs_grad, *h_grad;  // h: of sequences only
};
// One step: of its pre-activations [batch, 4·cells], and of the cell state before, which may lie where dcs does.
void LstmStepBack(ThreadPool& pool, const LstmOptions& options, const LstmSizes& sizes, const LstmInputs& in,
                  const LstmKnown& at, const float* cs_prev, const float* dcs, const float* dh, float* gates,
                  float* cs_prev_grad);
// Sums over all rows of gate `gate` of `gates` times `state` [rows, cells].
void PeepholeSums(ThreadPool& pool, const LstmSizes& sizes, const float* gates, int gate, const float* state,
                  float* sums);

}  // namespace plumb::fast::cpu

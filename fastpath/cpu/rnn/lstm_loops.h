// Vector loops over the cells of rows of an LSTM or GRU.
#pragma once

#include <cstdint>

namespace plumb::fast::cpu {

struct LstmLoops {
  // y = sigmoid(x + bias + shift + state·peephole); no peephole where it is null.
  void (*gate)(const float* x, const float* bias, float shift, const float* state, const float* peephole, float* y,
               int64_t n) = nullptr;
  // y = tanh(x + bias)
  void (*input)(const float* x, const float* bias, float* y, int64_t n) = nullptr;
  // cs = i·ci + f·cs_prev, cut to [-clip, clip] where clip is positive.
  void (*state)(const float* i, const float* ci, const float* f, const float* cs_prev, float clip, float* cs,
                int64_t n) = nullptr;
  // co = tanh(cs)
  void (*output)(const float* cs, float* co, int64_t n) = nullptr;
  // y = a·b
  void (*product)(const float* a, const float* b, float* y, int64_t n) = nullptr;
  // y = u·a + (1 - u)·b
  void (*mixture)(const float* u, const float* a, const float* b, float* y, int64_t n) = nullptr;
};
LstmLoops FindLstmLoops();

// One row of a step backwards.
struct LstmBackRow {
  const float *i, *cs, *f, *o, *ci, *co, *cs_prev, *dcs, *dh;
  const float *wci = nullptr, *wcf = nullptr, *wco = nullptr;  // null without peepholes
  float *di, *dci, *df, *dout, *cs_prev_grad;
};
// cs_prev_grad may be dcs.
using LstmBackLoop = void (*)(const LstmBackRow& row, int64_t n);
LstmBackLoop FindLstmBackLoop();

// Units of work (see ../lib/parallel.h) of one cell.
constexpr int64_t kLstmCellWork = 60;

}  // namespace plumb::fast::cpu

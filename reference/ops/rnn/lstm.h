// One time step of an LSTM, forwards and backwards, over plain arrays of numbers.
#pragma once

#include <array>
#include <vector>

#include "reference/kernel/op_context.h"
#include "reference/numbers/element.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {

using Reals = std::vector<Real>;

// Where the gates stand among the four columns of pre-activations; the input gate is the first.
struct GateOrder {
  int64_t c, f, o;
};
inline constexpr GateOrder kIcfo = {1, 2, 3};
inline constexpr GateOrder kIfco = {2, 1, 3};

struct LstmOptions {
  GateOrder order;
  bool peephole;
  double forget_bias = 0, cell_clip = 0;
};

struct LstmSizes {
  int64_t batch = 0, inputs = 0, cells = 0;
};

// w [inputs + cells, 4·cells], the peephole weights [cells], b [4·cells]: inputs `first`, … of an op.
struct LstmWeights {
  Array<Real> w, wci, wcf, wco, b;
  LstmWeights(const OpContext& c, int first)
      : w(Load<Real>(c.input(first))),
        wci(Load<Real>(c.input(first + 1))),
        wcf(Load<Real>(c.input(first + 2))),
        wco(Load<Real>(c.input(first + 3))),
        b(Load<Real>(c.input(first + 4))) {}
};
// Checks x (of rank 2, or 3 with times first), and behind it cs_prev, h_prev and the weights, against each other.
LstmSizes LstmSizesOf(const OpContext& c, int x, int rank, bool peephole);

enum LstmOutput { kI, kCs, kF, kO, kCi, kCo, kH, kLstmOutputs };
using LstmStep = std::array<Reals, kLstmOutputs>;  // [batch, cells] each

LstmStep Forward(const LstmOptions& options, const LstmSizes& sizes, const LstmWeights& weights, const Reals& x,
                 const Reals& cs_prev, const Reals& h_prev);

struct LstmBackStep {
  Reals gates;         // [batch, 4·cells]: of the pre-activations
  Reals cs_prev;       // [batch, cells]
  Reals di, df, dout;  // [batch, cells]: of three gates, once more
};
// `dcs` and `dh` are the gradients of the step's cs and h.
LstmBackStep Backward(const LstmOptions& options, const LstmSizes& sizes, const LstmWeights& weights,
                      const LstmStep& step, const Reals& cs_prev, const Reals& dcs, const Reals& dh);

// Elements [from, from + count).
inline Reals Piece(const Array<Real>& array, int64_t from, int64_t count) {
  return {array.at.begin() + from, array.at.begin() + from + count};
}
// What is left of numbers that are stored as `dtype`.
Reals Stored(DType dtype, Reals numbers);

}  // namespace plumb::reference

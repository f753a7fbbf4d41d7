#include "reference/ops/rnn/lstm.h"

#include "reference/numbers/index.h"
#include "reference/ops/rnn/gate.h"

namespace plumb::reference {
namespace {

void RequireShape(const OpContext& c, int i, const Shape& shape) {
  Require(c.tensor(i).shape() == shape, "input ", i, " must have the shape ", shape.ToString(), ", not ",
          c.tensor(i).shape().ToString());
}

}  // namespace

LstmSizes LstmSizesOf(const OpContext& c, int x, int rank, bool peephole) {
  const Shape& shape = c.tensor(x).shape();
  Require(shape.rank() == rank, "x must have rank ", rank, ", not the shape ", shape.ToString());
  Require(c.tensor(x + 1).rank() == 2, "cs_prev must be a matrix, not of shape ", c.tensor(x + 1).shape().ToString());
  const LstmSizes sizes{shape.dim(rank - 2), shape.dim(rank - 1), c.tensor(x + 1).dim(1)};
  RequireShape(c, x + 1, {sizes.batch, sizes.cells});
  RequireShape(c, x + 2, {sizes.batch, sizes.cells});
  RequireShape(c, x + 3, {sizes.inputs + sizes.cells, 4 * sizes.cells});
  for (int i = x + 4; i < x + 7; ++i) {
    Require(c.tensor(i).rank() == 1, "peephole weights must be a vector, not of shape ",
            c.tensor(i).shape().ToString());
    if (peephole) RequireShape(c, i, {sizes.cells});
  }
  RequireShape(c, x + 7, {4 * sizes.cells});
  return sizes;
}

LstmStep Forward(const LstmOptions& options, const LstmSizes& sizes, const LstmWeights& weights, const Reals& x,
                 const Reals& cs_prev, const Reals& h_prev) {
  LstmStep step;
  for (Reals& output : step) output.resize(static_cast<size_t>(sizes.batch * sizes.cells));
  const DType dtype = weights.w.dtype;
  for (int64_t b = 0; b < sizes.batch; ++b) {
    for (int64_t k = 0; k < sizes.cells; ++k) {
      const auto gate = [&](int64_t which) {
        const int64_t column = which * sizes.cells + k, columns = 4 * sizes.cells;
        Sum sum;
        for (int64_t j = 0; j < sizes.inputs; ++j) {
          sum.AddProduct(x[b * sizes.inputs + j], weights.w[j * columns + column]);
        }
        for (int64_t j = 0; j < sizes.cells; ++j) {
          sum.AddProduct(h_prev[b * sizes.cells + j], weights.w[(sizes.inputs + j) * columns + column]);
        }
        const Real product = sum.Result();
        return Real{product.v, product.e + arithmetic.unit * std::fabs(product.v), product.d} + weights.b[column];
      };
      const auto at = static_cast<size_t>(b * sizes.cells + k);
      const auto peephole = [&](Real x_gate, const Array<Real>& w, Real state) {
        return options.peephole ? x_gate + Kept(state * w[k]) : x_gate;
      };
      const Real i = SigmoidOfSteps(peephole(gate(0), weights.wci, cs_prev[at]));
      const Real ci = Tanh(gate(options.order.c));
      const Real f = SigmoidOfSteps(
          peephole(gate(options.order.f) + Real(RoundTo(dtype, options.forget_bias)), weights.wcf, cs_prev[at]));
      Real cs = Kept(i * ci) + Kept(f * cs_prev[at]);
      const Real clip = RoundTo(dtype, options.cell_clip);
      if (options.cell_clip > 0) cs = Min(Max(cs, -clip), clip);
      cs = Stored(dtype, {cs})[0];
      const Real co = Tanh(cs), o = SigmoidOfSteps(peephole(gate(options.order.o), weights.wco, cs));
      const Real h = Stored(dtype, {o * co})[0];
      const std::array<Real, kLstmOutputs> outputs = {i, cs, f, o, ci, co, h};
      for (size_t output = 0; output < outputs.size(); ++output) step[output][at] = outputs[output];
    }
  }
  return step;
}

LstmBackStep Backward(const LstmOptions& options, const LstmSizes& sizes, const LstmWeights& weights,
                      const LstmStep& step, const Reals& cs_prev, const Reals& dcs, const Reals& dh) {
  const auto size = static_cast<size_t>(sizes.batch * sizes.cells);
  LstmBackStep back{Reals(4 * size), Reals(size), Reals(size), Reals(size), Reals(size)};
  const Real one(1);
  for (size_t at = 0; at < size; ++at) {
    const int64_t k = static_cast<int64_t>(at) % sizes.cells, b = static_cast<int64_t>(at) / sizes.cells;
    const Real i = step[kI][at], f = step[kF][at], o = step[kO][at], ci = step[kCi][at], co = step[kCo][at];
    const Real dout = o * (one - o) * dh[at] * co;
    Real d = (one - co * co) * dh[at] * o + dcs[at];
    if (options.peephole) d += dout * weights.wco[k];
    const Real dci = (one - ci * ci) * d * i, df = f * (one - f) * d * cs_prev[at], di = i * (one - i) * d * ci;
    const auto set = [&](int64_t gate, Real x) { back.gates[(b * 4 + gate) * sizes.cells + k] = x; };
    set(0, di);
    set(options.order.c, dci);
    set(options.order.f, df);
    set(options.order.o, dout);
    Real previous = d * f;
    if (options.peephole) previous = previous + di * weights.wci[k] + df * weights.wcf[k];
    back.cs_prev[at] = previous;
    back.di[at] = di;
    back.df[at] = df;
    back.dout[at] = dout;
  }
  return back;
}

Reals Stored(DType dtype, Reals numbers) {
  for (Real& x : numbers) {
    const double stored = RoundTo(dtype, x.v);
    if (std::isfinite(stored)) {
      x = {stored, x.e + std::fabs(stored - x.v), x.d};
    } else {
      x = {stored,
           std::fabs(x.v) - x.e > LargestFinite(dtype) || !std::isfinite(x.v) ? x.e == INFINITY ? x.e : 0 : INFINITY,
           x.d};
    }
  }
  return numbers;
}

}  // namespace plumb::reference

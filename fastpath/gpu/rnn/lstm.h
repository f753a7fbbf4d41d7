// Time steps of an LSTM, forwards and backwards, in float; what is stored of them, and handed to the next step, is of
// the op's type T.
#pragma once

#include "fastpath/formulas/rnn/cell_sizes.h"
#include "fastpath/gpu/gpu_context.h"
#include "fastpath/gpu/lib/folds.h"
#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/reduce.h"
#include "fastpath/gpu/lib/strided_copy.h"
#include "fastpath/gpu/rnn/gates.h"

namespace plumb::fast::GPU_NAMESPACE {

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
};

// What all steps share.
template <class T>
struct LstmWeights {
  LstmOptions options;
  int64_t cells;
  Global<const T> wci, wcf, wco, b;

  // Of the op whose x is input `x`.
  LstmWeights(const GpuContext& context, const LstmOptions& options, int64_t cells, int x)
      : options(options),
        cells(cells),
        wci(context.In<T>(x + 4)),
        wcf(context.In<T>(x + 5)),
        wco(context.In<T>(x + 6)),
        b(context.In<T>(x + 7)) {}

  PLUMB_GPU_INLINE float Bias(int gate, int64_t k) const { return Computed<T>::Load(b[gate * cells + k]); }
  // What the cell state adds to a gate.
  PLUMB_GPU_INLINE float Seen(const Global<const T>& weights, int64_t k, float state) const {
    return options.peephole ? state * Computed<T>::Load(weights[k]) : 0;
  }
  // Where gate `gate` of cell i stands among the pre-activations.
  PLUMB_GPU_INLINE int64_t At(int gate, int64_t i) const { return (i / cells * 4 + gate) * cells + i % cells; }
};

template <class T>
PLUMB_GPU_INLINE float RoundedTo(float value) {
  return Computed<T>::Load(Computed<T>::Store(value));
}

// One step's outputs, [batch, cells] each.
template <class T>
struct LstmStep {
  Global<const T> cs_prev;
  Global<T> i, cs, f, o, ci, co, h;
};

// of_x, of_h: the parts of the pre-activations [batch, 4, cells].
template <class T>
PLUMB_GPU_KERNEL LstmGates(Global<const float> of_x, Global<const float> of_h, LstmWeights<T> w, LstmStep<T> step) {
  for (int64_t i = First(); i < step.h.size; i += Stride()) {
    const int64_t k = i % w.cells, at = w.At(0, i);
    const int64_t at_c = w.At(w.options.order.c, i), at_f = w.At(w.options.order.f, i);
    const int64_t at_o = w.At(w.options.order.o, i);
    const float before = Computed<T>::Load(step.cs_prev[i]);
    const float in = GateOf(of_x[at] + of_h[at] + w.Bias(0, k) + w.Seen(w.wci, k, before));
    const float candidate = TanhOf(of_x[at_c] + of_h[at_c] + w.Bias(w.options.order.c, k));
    const float forget = GateOf(of_x[at_f] + of_h[at_f] + w.Bias(w.options.order.f, k) + w.options.forget_bias +
                                w.Seen(w.wcf, k, before));
    const float clip = w.options.cell_clip, state = LstmState(in, candidate, forget, before);
    const float cs = RoundedTo<T>(clip > 0 ? CutTo(state, -clip, clip) : state);
    const float out = GateOf(of_x[at_o] + of_h[at_o] + w.Bias(w.options.order.o, k) + w.Seen(w.wco, k, cs));
    const float co = TanhOf(cs);
    step.i[i] = Computed<T>::Store(in);
    step.cs[i] = Computed<T>::Store(cs);
    step.f[i] = Computed<T>::Store(forget);
    step.o[i] = Computed<T>::Store(out);
    step.ci[i] = Computed<T>::Store(candidate);
    step.co[i] = Computed<T>::Store(co);
    step.h[i] = Computed<T>::Store(out * co);
  }
}

// What one step left, and its gradients, [batch, cells] each.
template <class T>
struct LstmPast {
  Global<const T> cs_prev, i, cs, f, o, ci, co, cs_grad, h_grad;
};

// dcs, dh: what comes from the step behind; dcs then has the gradient of the cell state before this one. Leaves the
// gradients of the pre-activations, and, where there are peepholes, of the weights' three products [batch, 3, cells].
template <class T>
PLUMB_GPU_KERNEL LstmBack(LstmPast<T> at, LstmWeights<T> w, Global<float> dcs, Global<const float> dh,
                          Global<float> gates, Global<float> products) {
  for (int64_t i = First(); i < dcs.size; i += Stride()) {
    const int64_t k = i % w.cells;
    const float of_h = RoundedTo<T>(RoundedTo<T>(dh[i]) + Computed<T>::Load(at.h_grad[i]));
    const float of_cs = RoundedTo<T>(dcs[i] + Computed<T>::Load(at.cs_grad[i]));
    const float in = Computed<T>::Load(at.i[i]), forget = Computed<T>::Load(at.f[i]);
    const float out = Computed<T>::Load(at.o[i]), candidate = Computed<T>::Load(at.ci[i]);
    const float co = Computed<T>::Load(at.co[i]), before = Computed<T>::Load(at.cs_prev[i]);
    const float of_out = GateBack(out, of_h, co);
    const float d = LstmStateBack(out, co, of_h, of_cs) + w.Seen(w.wco, k, of_out);
    const float of_in = GateBack(in, d, candidate), of_forget = GateBack(forget, d, before);
    gates[w.At(0, i)] = of_in;
    gates[w.At(w.options.order.c, i)] = CandidateBack(candidate, d, in);
    gates[w.At(w.options.order.f, i)] = of_forget;
    gates[w.At(w.options.order.o, i)] = of_out;
    dcs[i] = RoundedTo<T>(d * forget + w.Seen(w.wci, k, of_in) + w.Seen(w.wcf, k, of_forget));
    if (!w.options.peephole) continue;
    const int64_t to = i / w.cells * 3 * w.cells + k;
    products[to] = of_in * before;
    products[to + w.cells] = of_forget * before;
    products[to + 2 * w.cells] = of_out * Computed<T>::Load(at.cs[i]);
  }
}

// Queues the sums of the columns of a matrix of float, rounded.
template <class T>
void SumColumns(GpuContext& context, const Tensor& rows, Tensor& sums) {
  using Fold = FoldOfPieces<SumFold<T>>;
  QueueFold(context, PlanFold(rows.shape(), {true, false}), context.ViewOf<float>(rows), context.ViewOf<T>(sums),
            Fold{});
}

// Queues outputs `first` to first + 2, the gradients of the peephole weights: the sums of products [rows, 3, cells], or
// zero without peepholes.
template <class T>
void SumPeepholes(GpuContext& context, const LstmOptions& options, const Tensor& products, int first) {
  Tensor sums = context.Scratch(DTypeOf<T>, Shape{products.dim(1)});
  if (options.peephole) SumColumns<T>(context, products, sums);
  for (int k = 0; k < 3; ++k) {
    Tensor out = context.AllocateOutput(first + k, context.OutputShape(first + k));
    if (options.peephole) {
      CopyRange(context, sums, k * out.elements(), out, 0, out.elements());
    } else {
      context.Clear(out);
    }
  }
}

}  // namespace plumb::fast::GPU_NAMESPACE

#include "fastpath/cpu/rnn/lstm.h"

#include <algorithm>
#include <vector>

#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/linear/gemm.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/rnn/gate_rows.h"
#include "fastpath/cpu/rnn/lstm_loops.h"

namespace plumb::fast::cpu {
namespace {

template <class Body>
void ForRows(ThreadPool& pool, const LstmSizes& sizes, const Body& body) {
  pool.ParallelFor(sizes.batch, GrainFor(sizes.cells * kLstmCellWork), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) body(row);
  });
}

const float* Floats(const Tensor& tensor) { return tensor.data<float>().data(); }

// What the rows that are taken at once share: the biases of each gate, and the peephole weights, if there are any.
struct LstmShared {
  std::vector<float> bias[4], wci, wcf, wco;

  LstmShared(const LstmOptions& options, int64_t cells, const LstmInputs& in) {
    const int64_t rows = RowsAtOnce(cells);
    for (int64_t gate = 0; gate < 4; ++gate) bias[gate] = ForEachRow(Floats(in.b) + gate * cells, cells, rows);
    if (!options.peephole) return;
    wci = ForEachRow(Floats(in.wci), cells, rows);
    wcf = ForEachRow(Floats(in.wcf), cells, rows);
    wco = ForEachRow(Floats(in.wco), cells, rows);
  }
};

}  // namespace

void RoundLstm(DType type, float* numbers, int64_t n) {
  if (!IsHalfWidth(type)) return;
  Half piece[kFloatPiece];
  for (int64_t i = 0; i < n; i += kFloatPiece) {
    const int64_t count = std::min(kFloatPiece, n - i);
    FromFloat(type, numbers + i, piece, count);
    ToFloat(type, piece, numbers + i, count);
  }
}

LstmInputs::LstmInputs(ThreadPool& pool, const KernelContext& context, int first)
    : x(AsFloat(pool, context.input(first))),
      cs_prev(AsFloat(pool, context.input(first + 1))),
      h_prev(AsFloat(pool, context.input(first + 2))),
      w(AsFloat(pool, context.input(first + 3))),
      wci(AsFloat(pool, context.input(first + 4))),
      wcf(AsFloat(pool, context.input(first + 5))),
      wco(AsFloat(pool, context.input(first + 6))),
      b(AsFloat(pool, context.input(first + 7))) {}

void LstmForward(ThreadPool& pool, const LstmOptions& options, const LstmSizes& sizes, const LstmInputs& in,
                 const LstmOutputs& out) {
  const int64_t cells = sizes.cells, columns = 4 * cells, size = sizes.batch * cells;
  if (sizes.steps == 0 || size == 0) return;
  const float* const w = Floats(in.w);
  Tensor of_x = Allocate(DType::kFloat, {sizes.rows(), columns});
  Tensor of_h = Allocate(DType::kFloat, {sizes.batch, columns});
  float* const x_part = of_x.mutable_data<float>().data();
  float* const h_part = of_h.mutable_data<float>().data();
  Gemm(pool, DenseGemm(sizes.rows(), columns, sizes.inputs), Floats(in.x), w, x_part);
  const LstmLoops loops = FindLstmLoops();
  const LstmShared shared(options, cells, in);
  for (int64_t t = 0; t < sizes.steps; ++t) {
    const float* const cs_prev = t == 0 ? Floats(in.cs_prev) : out.cs + (t - 1) * size;
    const float* const h_prev = t == 0 ? Floats(in.h_prev) : out.h + (t - 1) * size;
    Gemm(pool, DenseGemm(sizes.batch, columns, cells), h_prev, w + sizes.inputs * columns, h_part);
    ForRows(pool, sizes.batch, 4, cells, [&](int64_t row, int64_t rows, float* sums) {
      const int64_t at = t * size + row * cells, n = rows * cells;
      AddGates(x_part + (t * sizes.batch + row) * columns, h_part + row * columns, rows, 4, cells, sums);
      const float* const before = cs_prev + row * cells;
      const auto gate = [&](int which, float shift, const float* state, const std::vector<float>& weights, float* to) {
        loops.gate(sums + which * n, shared.bias[which].data(), shift, state,
                   options.peephole ? weights.data() : nullptr, to, n);
      };
      const int c = options.order.c;
      gate(0, 0, before, shared.wci, out.i + at);
      loops.input(sums + c * n, shared.bias[c].data(), out.ci + at, n);
      gate(options.order.f, options.forget_bias, before, shared.wcf, out.f + at);
      loops.state(out.i + at, out.ci + at, out.f + at, before, options.cell_clip, out.cs + at, n);
      RoundLstm(options.type, out.cs + at, n);
      loops.output(out.cs + at, out.co + at, n);
      gate(options.order.o, 0, out.cs + at, shared.wco, out.o + at);
      loops.product(out.o + at, out.co + at, out.h + at, n);
      RoundLstm(options.type, out.h + at, n);
    });
  }
}

void LstmStepBack(ThreadPool& pool, const LstmOptions& options, const LstmSizes& sizes, const LstmInputs& in,
                  const LstmKnown& at, const float* cs_prev, const float* dcs, const float* dh, float* gates,
                  float* cs_prev_grad) {
  const int64_t cells = sizes.cells;
  const LstmBackLoop back = FindLstmBackLoop();
  const auto peephole = [&](const Tensor& weights) { return options.peephole ? Floats(weights) : nullptr; };
  ForRows(pool, sizes, [&](int64_t row) {
    const int64_t from = row * cells;
    float* const to = gates + 4 * from;
    const LstmBackRow known = {at.i + from,
                               at.cs + from,
                               at.f + from,
                               at.o + from,
                               at.ci + from,
                               at.co + from,
                               cs_prev + from,
                               dcs + from,
                               dh + from,
                               peephole(in.wci),
                               peephole(in.wcf),
                               peephole(in.wco),
                               to,
                               to + options.order.c * cells,
                               to + options.order.f * cells,
                               to + options.order.o * cells,
                               cs_prev_grad + from};
    back(known, cells);
    RoundLstm(options.type, cs_prev_grad + from, cells);
  });
}

void PeepholeSums(ThreadPool& pool, const LstmSizes& sizes, const float* gates, int gate, const float* state,
                  float* sums) {
  const int64_t cells = sizes.cells;
  pool.ParallelFor(cells, GrainFor(sizes.rows() * 2), [&](int64_t begin, int64_t end) {
    std::fill(sums + begin, sums + end, 0.0f);
    for (int64_t row = 0; row < sizes.rows(); ++row) {
      const float *const g = gates + (4 * row + gate) * cells, *const s = state + row * cells;
      for (int64_t k = begin; k < end; ++k) sums[k] += g[k] * s[k];
    }
  });
}

}  // namespace plumb::fast::cpu

// GRUBlockCell and its gradient: products of whole batches, and the gates in the vector loops of lstm_loops.h.
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/linear/gemm.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/rnn/gate_rows.h"
#include "fastpath/cpu/rnn/lstm_loops.h"
#include "fastpath/formulas/rnn/cell_sizes.h"

namespace plumb::fast::cpu {
namespace {

// The first six inputs, which are those of the cell.
struct Cell : GruSizes {
  const float *x, *h_prev, *w_ru, *w_c, *b_ru, *b_c;

  explicit Cell(const KernelContext &context) : GruSizes(GruSizesOf(ShapesOfInputs(context, 0, context.num_inputs()))) {
    const auto data = [&](int i) { return context.input(i).data<float>().data(); };
    x = data(0);
    h_prev = data(1);
    w_ru = data(2);
    w_c = data(3);
    b_ru = data(4);
    b_c = data(5);
  }

  template <class Body>
  void ForRows(ThreadPool &pool, const Body &body) const {
    pool.ParallelFor(batch, GrainFor(cells * kLstmCellWork), [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) body(row);
    });
  }
};

// Memory of one call.
class Floats {
 public:
  explicit Floats(const Shape &shape) : tensor_(Allocate(DType::kFloat, shape)) {}
  operator float *() { return tensor_.mutable_data<float>().data(); }  // NOLINT: stands for its numbers

 private:
  Tensor tensor_;
};

float *Output(KernelContext &context, int i, const Shape &shape) {
  return context.AllocateOutput(i, DType::kFloat, shape).mutable_data<float>().data();
}

class GruCell final : public Kernel {
 public:
  explicit GruCell(const Node &) {}

  void Run(KernelContext &context) override {
    const Cell cell(context);
    const int64_t batch = cell.batch, cells = cell.cells, inputs = cell.inputs;
    float *const r = Output(context, 0, cell.state()), *const u = Output(context, 1, cell.state()),
                 *const c = Output(context, 2, cell.state()), *const h = Output(context, 3, cell.state());
    if (batch * cells == 0) return;
    ThreadPool &pool = context.pool();
    const LstmLoops loops = FindLstmLoops();
    Floats x_gates({batch, 2 * cells}), h_gates({batch, 2 * cells}), kept({batch, cells});
    Gemm<float>(pool, DenseGemm(batch, 2 * cells, inputs), cell.x, cell.w_ru, x_gates);
    Gemm<float>(pool, DenseGemm(batch, 2 * cells, cells), cell.h_prev, cell.w_ru + inputs * 2 * cells, h_gates);
    const int64_t together = RowsAtOnce(cells);
    const std::vector<float> b_r = ForEachRow(cell.b_ru, cells, together),
                             b_u = ForEachRow(cell.b_ru + cells, cells, together),
                             b_c = ForEachRow(cell.b_c, cells, together);
    ForRows(pool, batch, 2, cells, [&](int64_t row, int64_t rows, float *sums) {
      const int64_t at = row * cells, n = rows * cells;
      AddGates(x_gates + 2 * at, h_gates + 2 * at, rows, 2, cells, sums);
      loops.gate(sums, b_r.data(), 0, nullptr, nullptr, r + at, n);
      loops.gate(sums + n, b_u.data(), 0, nullptr, nullptr, u + at, n);
      loops.product(r + at, cell.h_prev + at, kept + at, n);
    });
    Floats x_part({batch, cells}), h_part({batch, cells});
    Gemm<float>(pool, DenseGemm(batch, cells, inputs), cell.x, cell.w_c, x_part);
    Gemm<float>(pool, DenseGemm(batch, cells, cells), kept, cell.w_c + inputs * cells, h_part);
    ForRows(pool, batch, 1, cells, [&](int64_t row, int64_t rows, float *sums) {
      const int64_t at = row * cells, n = rows * cells;
      AddGates(x_part + at, h_part + at, 1, 1, n, sums);
      loops.input(sums, b_c.data(), c + at, n);
      loops.mixture(u + at, cell.h_prev + at, c + at, h + at, n);
    });
  }
};

class GruCellGrad final : public Kernel {
 public:
  explicit GruCellGrad(const Node &) {}

  void Run(KernelContext &context) override {
    const Cell cell(context);
    const auto data = [&](int i) { return context.input(i).data<float>().data(); };
    const float *const r = data(6), *const u = data(7), *const c = data(8), *const dh = data(9);
    const int64_t batch = cell.batch, cells = cell.cells, inputs = cell.inputs, both = inputs + cells;
    float *const dx = Output(context, 0, {batch, inputs});
    float *const dh_prev = Output(context, 1, cell.state()), *const of_c = Output(context, 2, cell.state());
    float *const of_ru = Output(context, 3, {batch, 2 * cells});
    ThreadPool &pool = context.pool();
    cell.ForRows(pool, [&](int64_t row) {
      float *const of_u = of_ru + (2 * row + 1) * cells;
      for (int64_t k = 0, at = row * cells; k < cells; ++k, ++at) {
        of_c[at] = dh[at] * (1 - u[at]) * (1 - c[at] * c[at]);
        of_u[k] = dh[at] * (cell.h_prev[at] - c[at]) * u[at] * (1 - u[at]);
      }
    });
    Floats back_of_c({batch, both}), back_of_ru({batch, both});
    Gemm<float>(pool, DenseGemm(batch, both, cells, false, true), of_c, cell.w_c, back_of_c);
    cell.ForRows(pool, [&](int64_t row) {
      float *const of_r = of_ru + 2 * row * cells, *const back = back_of_c + row * both + inputs;
      for (int64_t k = 0, at = row * cells; k < cells; ++k, ++at) {
        of_r[k] = back[k] * cell.h_prev[at] * r[at] * (1 - r[at]);
      }
    });
    Gemm<float>(pool, DenseGemm(batch, both, 2 * cells, false, true), of_ru, cell.w_ru, back_of_ru);
    cell.ForRows(pool, [&](int64_t row) {
      const float *const from_c = back_of_c + row * both, *const from_ru = back_of_ru + row * both;
      for (int64_t j = 0; j < inputs; ++j) dx[row * inputs + j] = from_ru[j] + from_c[j];
      for (int64_t k = 0, at = row * cells; k < cells; ++k, ++at) {
        dh_prev[at] = from_ru[inputs + k] + (from_c[inputs + k] * r[at] + dh[at] * u[at]);
      }
    });
  }
};

constexpr KernelRow kRows[] = {
    {"GRUBlockCell", Make<GruCell>},
    {"GRUBlockCellGrad", Make<GruCellGrad>},
};

}  // namespace

std::span<const KernelRow> RnnGruCell() { return kRows; }

}  // namespace plumb::fast::cpu

// GRUBlockCell and its gradient, element by element.
#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"
#include "reference/ops/rnn/gate.h"

namespace plumb::reference {
namespace {

void RequireShape(const OpContext& c, int i, const Shape& shape) {
  Require(c.tensor(i).shape() == shape, "input ", i, " must have the shape ", shape.ToString(), ", not ",
          c.tensor(i).shape().ToString());
}

// The first six inputs, which are those of the cell.
struct Cell {
  int64_t batch, inputs, cells;
  Array<Real> x, h_prev, w_ru, w_c, b_ru, b_c;

  explicit Cell(const OpContext& c) {
    Require(c.tensor(0).rank() == 2 && c.tensor(1).rank() == 2, "x and h_prev must be matrices, not of shapes ",
            c.tensor(0).shape().ToString(), " and ", c.tensor(1).shape().ToString());
    batch = c.tensor(0).dim(0);
    inputs = c.tensor(0).dim(1);
    cells = c.tensor(1).dim(1);
    RequireShape(c, 1, {batch, cells});
    RequireShape(c, 2, {inputs + cells, 2 * cells});
    RequireShape(c, 3, {inputs + cells, cells});
    RequireShape(c, 4, {2 * cells});
    RequireShape(c, 5, {cells});
    x = Load<Real>(c.input(0));
    h_prev = Load<Real>(c.input(1));
    w_ru = Load<Real>(c.input(2));
    w_c = Load<Real>(c.input(3));
    b_ru = Load<Real>(c.input(4));
    b_c = Load<Real>(c.input(5));
  }

  Array<Real> MakeState() const { return MakeArray<Real>(x.dtype, {batch, cells}); }
};

// Row `row` of [x, state] times a column of `w`, and its bias. The two parts may be summed apart.
Real BeforeGate(const Cell& cell, const Array<Real>& state, const Array<Real>& w, const Array<Real>& bias, int64_t row,
                int64_t column) {
  const int64_t columns = w.shape.dim(1);
  Sum sum;
  for (int64_t j = 0; j < cell.inputs; ++j) {
    sum.AddProduct(cell.x[row * cell.inputs + j], w[j * columns + column]);
  }
  for (int64_t j = 0; j < cell.cells; ++j) {
    sum.AddProduct(state[row * cell.cells + j], w[(cell.inputs + j) * columns + column]);
  }
  const Real product = sum.Result();
  return Real{product.v, product.e + arithmetic.unit * std::fabs(product.v), product.d} + bias[column];
}

void GruBlockCell(OpContext& c) {
  ComputeIn(c.tensor(0).dtype());
  const Cell cell(c);
  Array<Real> r = cell.MakeState(), u = r, candidate = r, h = r, kept = r;
  for (int64_t b = 0; b < cell.batch; ++b) {
    for (int64_t k = 0; k < cell.cells; ++k) {
      const int64_t at = b * cell.cells + k;
      r[at] = SigmoidOfSteps(BeforeGate(cell, cell.h_prev, cell.w_ru, cell.b_ru, b, k));
      u[at] = SigmoidOfSteps(BeforeGate(cell, cell.h_prev, cell.w_ru, cell.b_ru, b, cell.cells + k));
      kept[at] = Kept(r[at] * cell.h_prev[at]);
    }
    for (int64_t k = 0; k < cell.cells; ++k) {
      const int64_t at = b * cell.cells + k;
      candidate[at] = Tanh(BeforeGate(cell, kept, cell.w_c, cell.b_c, b, k));
      h[at] = Kept(u[at] * cell.h_prev[at]) + Kept((Real(1) - u[at]) * candidate[at]);
    }
  }
  c.Output(0, Store(r));
  c.Output(1, Store(u));
  c.Output(2, Store(candidate));
  c.Output(3, Store(h));
}

// Row `row` of `gradient` times row `weight` of `w`: what comes back to element `weight` of [x, state].
Real Back(const Array<Real>& gradient, const Array<Real>& w, int64_t row, int64_t weight) {
  const int64_t columns = w.shape.dim(1);
  Sum sum;
  for (int64_t k = 0; k < columns; ++k) sum.AddProduct(gradient[row * columns + k], w[weight * columns + k]);
  return sum.Result();
}

void GruBlockCellGrad(OpContext& c) {
  ComputeIn(c.tensor(0).dtype());
  const Cell cell(c);
  for (int i = 6; i < 10; ++i) RequireShape(c, i, {cell.batch, cell.cells});
  const Array<Real> r = Load<Real>(c.input(6)), u = Load<Real>(c.input(7)), candidate = Load<Real>(c.input(8)),
                    dh = Load<Real>(c.input(9));
  const Real one(1);
  Array<Real> of_c = cell.MakeState(), dh_prev = of_c, reset_back = of_c;
  auto of_ru = MakeArray<Real>(of_c.dtype, {cell.batch, 2 * cell.cells});
  auto dx = MakeArray<Real>(of_c.dtype, {cell.batch, cell.inputs});
  for (int64_t b = 0; b < cell.batch; ++b) {
    for (int64_t k = 0; k < cell.cells; ++k) {
      const int64_t at = b * cell.cells + k;
      of_c[at] = dh[at] * (one - u[at]) * (one - candidate[at] * candidate[at]);
      of_ru[b * 2 * cell.cells + cell.cells + k] = dh[at] * (cell.h_prev[at] - candidate[at]) * u[at] * (one - u[at]);
    }
    for (int64_t k = 0; k < cell.cells; ++k) {
      const int64_t at = b * cell.cells + k;
      reset_back[at] = Back(of_c, cell.w_c, b, cell.inputs + k);
      of_ru[b * 2 * cell.cells + k] = reset_back[at] * cell.h_prev[at] * r[at] * (one - r[at]);
    }
    for (int64_t j = 0; j < cell.inputs; ++j) {
      dx[b * cell.inputs + j] = Back(of_ru, cell.w_ru, b, j) + Back(of_c, cell.w_c, b, j);
    }
    for (int64_t k = 0; k < cell.cells; ++k) {
      const int64_t at = b * cell.cells + k;
      dh_prev[at] = Back(of_ru, cell.w_ru, b, cell.inputs + k) + (reset_back[at] * r[at] + dh[at] * u[at]);
    }
  }
  c.Output(0, Store(dx));
  c.Output(1, Store(dh_prev));
  c.Output(2, Store(of_c));
  c.Output(3, Store(of_ru));
}

constexpr KernelRow kRows[] = {
    {"GRUBlockCell", GruBlockCell},
    {"GRUBlockCellGrad", GruBlockCellGrad},
};

}  // namespace

namespace topics {
std::span<const KernelRow> RnnGruCell() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

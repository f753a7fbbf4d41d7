// GRUBlockCell and its gradient: products of whole batches, and a thread for the gates of each cell.
#include "fastpath/formulas/rnn/cell_sizes.h"
#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/rnn/float_product.h"
#include "fastpath/gpu/rnn/gates.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

using In = Global<const float>;
using Out = Global<float>;

// of_x, of_h: the parts of the pre-activations [batch, 2, cells] of r and u; kept: what the reset gate leaves of
// h_prev.
PLUMB_GPU_KERNEL GruGates(In of_x, In of_h, In bias, In h_prev, int64_t cells, Out r, Out u, Out kept) {
  for (int64_t i = First(); i < r.size; i += Stride()) {
    const int64_t k = i % cells, at = i / cells * 2 * cells + k;
    const float reset = GateOf(of_x[at] + of_h[at] + bias[k]);
    r[i] = reset;
    u[i] = GateOf(of_x[at + cells] + of_h[at + cells] + bias[k + cells]);
    kept[i] = reset * h_prev[i];
  }
}

PLUMB_GPU_KERNEL GruState(In of_x, In of_h, In bias, In h_prev, In u, int64_t cells, Out c, Out h) {
  for (int64_t i = First(); i < c.size; i += Stride()) {
    const float candidate = TanhOf(of_x[i] + of_h[i] + bias[i % cells]);
    c[i] = candidate;
    h[i] = MixtureOf<float>(u[i], h_prev[i], candidate);
  }
}

class GruCell final : public GpuKernel {
 public:
  explicit GruCell(const Node&) {}
  void Run(GpuContext& context) override {
    const auto [batch, inputs, cells] = GruSizesOf(ShapesOfInputs(context, 0, 6));
    const Shape state{batch, cells}, gates{batch, 2 * cells};
    Tensor r = context.AllocateOutput(0, state), u = context.AllocateOutput(1, state);
    Tensor c = context.AllocateOutput(2, state), h = context.AllocateOutput(3, state);
    if (batch * cells == 0) return;
    Tensor x_gates = context.Scratch(DType::kFloat, gates), h_gates = context.Scratch(DType::kFloat, gates);
    Tensor x_part = context.Scratch(DType::kFloat, state), h_part = context.Scratch(DType::kFloat, state);
    Tensor kept = context.Scratch(DType::kFloat, state);
    const auto data = [&](int i) { return static_cast<const float*>(context.input(i).raw()); };
    const auto view = [&](Tensor& tensor) { return context.ViewOf<float>(tensor); };
    MultiplyFloats(context, {batch, 2 * cells, inputs}, {data(0)}, {data(2)}, x_gates);
    MultiplyFloats(context, {batch, 2 * cells, cells}, {data(1)}, {data(2) + inputs * 2 * cells}, h_gates);
    Launch(context.stream(), LoopOver(r.elements()), GruGates, view(x_gates), view(h_gates), context.In<float>(4),
           context.In<float>(1), cells, view(r), view(u), view(kept));
    MultiplyFloats(context, {batch, cells, inputs}, {data(0)}, {data(3)}, x_part);
    MultiplyFloats(context, {batch, cells, cells}, {kept.raw()}, {data(3) + inputs * cells}, h_part);
    Launch(context.stream(), LoopOver(c.elements()), GruState, view(x_part), view(h_part), context.In<float>(5),
           context.In<float>(1), view(u), cells, view(c), view(h));
  }
};

// What the cell computed, and the gradient of its new state.
struct GruPast {
  In h_prev, r, u, c, dh;
  int64_t inputs, cells;

  // Where cell i stands behind the inputs of its row.
  PLUMB_GPU_INLINE int64_t BehindInputs(int64_t i) const { return i / cells * (inputs + cells) + inputs + i % cells; }
};

// The gradients of what the candidate and the update gate are taken of; those of both gates are [batch, 2, cells].
PLUMB_GPU_KERNEL BackToUpdate(GruPast at, Out of_c, Out of_ru) {
  for (int64_t i = First(); i < of_c.size; i += Stride()) {
    const float d = at.dh[i], u = at.u[i], c = at.c[i];
    of_c[i] = CandidateBack(c, d, 1 - u);
    of_ru[(i / at.cells * 2 + 1) * at.cells + i % at.cells] = GateBack(u, d, at.h_prev[i] - c);
  }
}

// back_of_c: what of_c leads to, through the weights, in [x, r·h_prev].
PLUMB_GPU_KERNEL BackToReset(GruPast at, In back_of_c, Out of_ru) {
  for (int64_t i = First(); i < at.r.size; i += Stride()) {
    const float d = back_of_c[at.BehindInputs(i)];
    of_ru[i / at.cells * 2 * at.cells + i % at.cells] = GateBack<float>(at.r[i], d, at.h_prev[i]);
  }
}

PLUMB_GPU_KERNEL BackToInputs(In back_of_c, In back_of_ru, int64_t inputs, int64_t both, Out dx) {
  for (int64_t i = First(); i < dx.size; i += Stride()) {
    const int64_t from = i / inputs * both + i % inputs;
    dx[i] = back_of_ru[from] + back_of_c[from];
  }
}

PLUMB_GPU_KERNEL BackToState(GruPast at, In back_of_c, In back_of_ru, Out dh_prev) {
  for (int64_t i = First(); i < dh_prev.size; i += Stride()) {
    const int64_t from = at.BehindInputs(i);
    dh_prev[i] = back_of_ru[from] + (back_of_c[from] * at.r[i] + at.dh[i] * at.u[i]);
  }
}

class GruCellGrad final : public GpuKernel {
 public:
  explicit GruCellGrad(const Node&) {}
  void Run(GpuContext& context) override {
    const auto [batch, inputs, cells] = GruSizesOf(ShapesOfInputs(context, 0, 10));
    const Shape state{batch, cells};
    const int64_t both = inputs + cells;
    Tensor dx = context.AllocateOutput(0, {batch, inputs}), dh_prev = context.AllocateOutput(1, state);
    Tensor of_c = context.AllocateOutput(2, state), of_ru = context.AllocateOutput(3, {batch, 2 * cells});
    if (batch * both == 0) return;
    Tensor back_of_c = context.Scratch(DType::kFloat, {batch, both});
    Tensor back_of_ru = context.Scratch(DType::kFloat, {batch, both});
    const auto in = [&](int i) { return context.In<float>(i); };
    const auto view = [&](Tensor& tensor) { return context.ViewOf<float>(tensor); };
    const GruPast past{in(1), in(6), in(7), in(8), in(9), inputs, cells};
    const GridSize by_cell = LoopOver(batch * cells);
    Launch(context.stream(), by_cell, BackToUpdate, past, view(of_c), view(of_ru));
    MultiplyFloats(context, {batch, both, cells}, {of_c.raw()}, {context.input(3).raw(), true}, back_of_c);
    Launch(context.stream(), by_cell, BackToReset, past, view(back_of_c), view(of_ru));
    MultiplyFloats(context, {batch, both, 2 * cells}, {of_ru.raw()}, {context.input(2).raw(), true}, back_of_ru);
    Launch(context.stream(), LoopOver(batch * inputs), BackToInputs, view(back_of_c), view(back_of_ru), inputs, both,
           view(dx));
    Launch(context.stream(), by_cell, BackToState, past, view(back_of_c), view(back_of_ru), view(dh_prev));
  }
};

constexpr GpuKernelRow kRows[] = {
    {"GRUBlockCell", Make<GruCell>},
    {"GRUBlockCellGrad", Make<GruCellGrad>},
};

}  // namespace

std::span<const GpuKernelRow> RnnGruCell() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE

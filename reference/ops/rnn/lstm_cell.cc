#include "reference/ops/rnn/lstm.h"

namespace plumb::reference {
namespace {

void LstmBlockCell(OpContext& c) {
  const DType dtype = c.tensor(0).dtype();
  const LstmOptions options{kIcfo, c.attr<bool>("use_peephole"), c.attr<float>("forget_bias"),
                            c.attr<float>("cell_clip")};
  const LstmSizes sizes = LstmSizesOf(c, 0, 2, options.peephole);
  ForKind<Real>(dtype, [&](auto) {
    const LstmWeights weights(c, 3);
    LstmStep step = Forward(options, sizes, weights, Load<Real>(c.input(0)).at, Load<Real>(c.input(1)).at,
                            Load<Real>(c.input(2)).at);
    for (int i = 0; i < kLstmOutputs; ++i) {
      c.Output(i, Store(Array<Real>{dtype, {sizes.batch, sizes.cells}, std::move(step[static_cast<size_t>(i)])}));
    }
  });
}

// What a peephole weight of a gate is multiplied with, times the gate's gradient, over the batch.
Value PeepholeGradient(DType dtype, const LstmSizes& sizes, bool peephole, const Reals& gate, const Reals& state) {
  auto gradient = MakeArray<Real>(dtype, {sizes.cells});
  for (int64_t k = 0; k < sizes.cells && peephole; ++k) {
    Sum sum;
    for (int64_t b = 0; b < sizes.batch; ++b) sum.AddProduct(gate[b * sizes.cells + k], state[b * sizes.cells + k]);
    gradient[k] = sum.Result();
  }
  return Store(gradient);
}

void LstmBlockCellGrad(OpContext& c) {
  const DType dtype = c.tensor(0).dtype();
  const LstmOptions options{kIcfo, c.attr<bool>("use_peephole")};
  const LstmSizes sizes = LstmSizesOf(c, 0, 2, options.peephole);
  const Shape shape{sizes.batch, sizes.cells};
  for (int i = 8; i < 16; ++i) {
    Require(c.tensor(i).shape() == shape, "input ", i, " must have the shape ", shape.ToString(), ", not ",
            c.tensor(i).shape().ToString());
  }
  ForKind<Real>(dtype, [&](auto) {
    const LstmWeights weights(c, 3);
    LstmStep step;
    for (int i = kI; i < kH; ++i) step[static_cast<size_t>(i)] = Load<Real>(c.input(8 + i)).at;
    const Reals cs_prev = Load<Real>(c.input(1)).at;
    LstmBackStep back =
        Backward(options, sizes, weights, step, cs_prev, Load<Real>(c.input(14)).at, Load<Real>(c.input(15)).at);
    c.Output(0, Store(Array<Real>{dtype, shape, std::move(back.cs_prev)}));
    c.Output(1, Store(Array<Real>{dtype, {sizes.batch, 4 * sizes.cells}, std::move(back.gates)}));
    c.Output(2, PeepholeGradient(dtype, sizes, options.peephole, back.di, cs_prev));
    c.Output(3, PeepholeGradient(dtype, sizes, options.peephole, back.df, cs_prev));
    c.Output(4, PeepholeGradient(dtype, sizes, options.peephole, back.dout, step[kCs]));
  });
}

constexpr KernelRow kRows[] = {
    {"LSTMBlockCell", LstmBlockCell},
    {"LSTMBlockCellGrad", LstmBlockCellGrad},
};

}  // namespace

namespace topics {
std::span<const KernelRow> RnnLstmCell() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

#include <algorithm>

#include "reference/numbers/index.h"
#include "reference/ops/rnn/lstm.h"

namespace plumb::reference {
namespace {

int64_t StepsOf(const OpContext& c) {
  const int64_t steps = ScalarOf(c.tensor(0), "seq_len_max"), times = c.tensor(1).dim(0);
  Require(0 <= steps && steps <= times, "seq_len_max must be between 0 and ", times, ", not ", steps);
  return steps;
}

void BlockLstm(OpContext& c, const LstmOptions& options) {
  const DType dtype = c.tensor(1).dtype();
  const LstmSizes sizes = LstmSizesOf(c, 1, 3, /*peephole=*/true);
  const int64_t steps = StepsOf(c), size = sizes.batch * sizes.cells, x_size = sizes.batch * sizes.inputs;
  ForKind<Real>(dtype, [&](auto) {
    const LstmWeights weights(c, 4);
    const auto x = Load<Real>(c.input(1));
    std::vector<Array<Real>> outputs;
    for (int i = 0; i < kLstmOutputs; ++i) {
      outputs.push_back(MakeArray<Real>(dtype, {c.tensor(1).dim(0), sizes.batch, sizes.cells}));
    }
    Reals cs = Load<Real>(c.input(2)).at, h = Load<Real>(c.input(3)).at;
    for (int64_t t = 0; t < steps; ++t) {
      LstmStep step = Forward(options, sizes, weights, Piece(x, t * x_size, x_size), cs, h);
      for (size_t i = 0; i < outputs.size(); ++i) {
        std::copy(step[i].begin(), step[i].end(), outputs[i].at.begin() + t * size);
      }
      cs = std::move(step[kCs]);
      h = std::move(step[kH]);
    }
    for (int i = 0; i < kLstmOutputs; ++i) c.Output(i, Store(outputs[static_cast<size_t>(i)]));
  });
}

// Sums over all times and the batch.
struct WeightSums {
  int64_t inputs, cells;
  std::vector<Sum> w, wci, wcf, wco, b;

  explicit WeightSums(const LstmSizes& sizes)
      : inputs(sizes.inputs),
        cells(sizes.cells),
        w(static_cast<size_t>((inputs + cells) * 4 * cells)),
        wci(static_cast<size_t>(cells)),
        wcf(static_cast<size_t>(cells)),
        wco(static_cast<size_t>(cells)),
        b(static_cast<size_t>(4 * cells)) {}

  void Add(const LstmBackStep& back, const LstmSizes& sizes, const Reals& x, const Reals& h_prev, const Reals& cs_prev,
           const Reals& cs) {
    for (int64_t row = 0; row < sizes.batch; ++row) {
      for (int64_t column = 0; column < 4 * cells; ++column) {
        const Real gate = back.gates[row * 4 * cells + column];
        b[column].Add(gate);
        for (int64_t j = 0; j < inputs; ++j) w[j * 4 * cells + column].AddProduct(x[row * inputs + j], gate);
        for (int64_t j = 0; j < cells; ++j) {
          w[(inputs + j) * 4 * cells + column].AddProduct(h_prev[row * cells + j], gate);
        }
      }
      for (int64_t k = 0; k < cells; ++k) {
        const int64_t at = row * cells + k;
        wci[k].AddProduct(back.di[at], cs_prev[at]);
        wcf[k].AddProduct(back.df[at], cs_prev[at]);
        wco[k].AddProduct(back.dout[at], cs[at]);
      }
    }
  }
};

Value StoredSums(DType dtype, const Shape& shape, const std::vector<Sum>& sums, bool wanted = true) {
  auto array = MakeArray<Real>(dtype, shape);
  for (int64_t i = 0; i < shape.elements() && wanted; ++i) array[i] = sums[i].Result();
  return Store(array);
}

// Element `column` of row `row` of the pre-activations' gradient times the transposed weights.
Real ThroughWeights(const LstmBackStep& back, const LstmSizes& sizes, const LstmWeights& weights, int64_t row,
                    int64_t column) {
  Sum sum;
  for (int64_t j = 0; j < 4 * sizes.cells; ++j) {
    sum.AddProduct(back.gates[row * 4 * sizes.cells + j], weights.w[column * 4 * sizes.cells + j]);
  }
  return sum.Result();
}

Reals Plus(DType dtype, Reals a, const Reals& b) {
  for (size_t i = 0; i < a.size(); ++i) a[i] += b[i];
  return Stored(dtype, std::move(a));
}

void BlockLstmGrad(OpContext& c, const LstmOptions& options) {
  const DType dtype = c.tensor(1).dtype();
  const LstmSizes sizes = LstmSizesOf(c, 1, 3, options.peephole);
  const int64_t steps = StepsOf(c), size = sizes.batch * sizes.cells, x_size = sizes.batch * sizes.inputs;
  const Shape& x_shape = c.tensor(1).shape();
  const Shape sequence{x_shape.dim(0), sizes.batch, sizes.cells};
  for (int i = 9; i < 18; ++i) {
    Require(c.tensor(i).shape() == sequence, "input ", i, " must have the shape ", sequence.ToString(), ", not ",
            c.tensor(i).shape().ToString());
  }
  ForKind<Real>(dtype, [&](auto) {
    const LstmWeights weights(c, 4);
    const auto x = Load<Real>(c.input(1));
    std::vector<Array<Real>> given;
    for (int i = 9; i < 18; ++i) given.push_back(Load<Real>(c.input(i)));
    const Reals first_cs = Load<Real>(c.input(2)).at, first_h = Load<Real>(c.input(3)).at;
    auto x_grad = MakeArray<Real>(dtype, x_shape);
    Reals dcs(static_cast<size_t>(size)), dh(static_cast<size_t>(size));
    WeightSums sums(sizes);
    for (int64_t t = steps - 1; t >= 0; --t) {
      LstmStep step;
      for (size_t i = 0; i < step.size(); ++i) step[i] = Piece(given[i], t * size, size);
      const Reals cs_prev = t == 0 ? first_cs : Piece(given[kCs], (t - 1) * size, size);
      const Reals h_prev = t == 0 ? first_h : Piece(given[kH], (t - 1) * size, size);
      const LstmBackStep back =
          Backward(options, sizes, weights, step, cs_prev, Plus(dtype, dcs, Piece(given[7], t * size, size)),
                   Plus(dtype, dh, Piece(given[8], t * size, size)));
      sums.Add(back, sizes, Piece(x, t * x_size, x_size), h_prev, cs_prev, step[kCs]);
      for (int64_t row = 0; row < sizes.batch; ++row) {
        for (int64_t j = 0; j < sizes.inputs; ++j) {
          x_grad[t * x_size + row * sizes.inputs + j] = ThroughWeights(back, sizes, weights, row, j);
        }
        for (int64_t j = 0; j < sizes.cells; ++j) {
          dh[row * sizes.cells + j] = ThroughWeights(back, sizes, weights, row, sizes.inputs + j);
        }
      }
      dh = Stored(dtype, std::move(dh));
      dcs = Stored(dtype, back.cs_prev);
    }
    c.Output(0, Store(x_grad));
    c.Output(1, Store(Array<Real>{dtype, {sizes.batch, sizes.cells}, dcs}));
    c.Output(2, Store(Array<Real>{dtype, {sizes.batch, sizes.cells}, dh}));
    c.Output(3, StoredSums(dtype, weights.w.shape, sums.w));
    c.Output(4, StoredSums(dtype, weights.wci.shape, sums.wci, options.peephole));
    c.Output(5, StoredSums(dtype, weights.wcf.shape, sums.wcf, options.peephole));
    c.Output(6, StoredSums(dtype, weights.wco.shape, sums.wco, options.peephole));
    c.Output(7, StoredSums(dtype, weights.b.shape, sums.b));
  });
}

constexpr KernelRow kRows[] = {
    {"BlockLSTM",
     [](OpContext& c) {
       BlockLstm(c, {kIcfo, c.attr<bool>("use_peephole"), c.attr<float>("forget_bias"), c.attr<float>("cell_clip")});
     }},
    {"BlockLSTMGrad",
     [](OpContext& c) {
       BlockLstmGrad(c, {kIcfo, c.attr<bool>("use_peephole")});
     }},
    {"BlockLSTMGradV2",
     [](OpContext& c) {
       BlockLstmGrad(c, {kIfco, c.attr<bool>("use_peephole")});
     }},
    {"BlockLSTMV2",
     [](OpContext& c) {
       BlockLstm(c, {kIfco, c.attr<bool>("use_peephole"), 0, c.attr<float>("cell_clip")});
     }},
};

}  // namespace

namespace topics {
std::span<const KernelRow> RnnBlockLstm() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

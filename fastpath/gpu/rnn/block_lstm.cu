// BlockLSTM and its gradient: the steps of lstm.h, and products over all times at once.
#include "fastpath/gpu/lib/axes.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/lib/widen.h"
#include "fastpath/gpu/rnn/float_product.h"
#include "fastpath/gpu/rnn/lstm.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// `count` elements of a tensor, from `first` on, as float.
const float* Floats(GpuContext& context, const Tensor& tensor, int64_t first, int64_t count, Tensor& scratch) {
  const auto* const from = static_cast<const char*>(tensor.raw()) + first * ElementSize(tensor.dtype());
  return static_cast<const float*>(Widened(context, tensor.dtype(), from, count, scratch));
}
const float* Floats(GpuContext& context, const Tensor& tensor, Tensor& scratch) {
  return Floats(context, tensor, 0, tensor.elements(), scratch);
}

class Block : public GpuKernel {
 public:
  Block(const Node& node, GateOrder order, float forget_bias, float cell_clip)
      : node_(node.name), options_{order, GetAttr<bool>(node.attrs, "use_peephole"), forget_bias, cell_clip} {}

 protected:
  // The sizes of the sequence, of which seq_len_max steps are computed. `checks_peephole`: whether its weights have to
  // fit, which the forward op asks of those that it leaves alone, too.
  LstmSizes SizesOf(const GpuContext& context, bool checks_peephole) const {
    LstmSizes sizes = LstmSizesOf(ShapesOfInputs(context, 1, 9), 1, 3, checks_peephole);
    const Tensor& steps = context.input(0);
    sizes.steps = StepsOf(steps.shape(), NumberIn(steps), sizes.steps);
    return sizes;
  }

  const std::string node_;
  const LstmOptions options_;
};

template <class T>
class BlockLstm final : public Block {
 public:
  using Block::Block;
  void Run(GpuContext& context) override {
    const LstmSizes sizes = SizesOf(context, true);
    const int64_t columns = 4 * sizes.cells, size = sizes.batch * sizes.cells;
    std::vector<Tensor> out;
    for (int k = 0; k < 7; ++k) {
      out.push_back(context.AllocateOutput(k, {context.input(1).dim(0), sizes.batch, sizes.cells}));
      if (sizes.steps < context.input(1).dim(0)) context.Clear(out.back());
    }
    if (sizes.steps == 0 || size == 0) return;
    Tensor of_x = context.Scratch(DType::kFloat, {sizes.rows(), columns});
    Tensor of_h = context.Scratch(DType::kFloat, {sizes.batch, columns}), wide_x, wide_w;
    const float* const w = Floats(context, context.input(4), wide_w);
    const float* const x = Floats(context, context.input(1), 0, sizes.rows() * sizes.inputs, wide_x);
    MultiplyFloats(context, {sizes.rows(), columns, sizes.inputs}, {x}, {w}, of_x);
    const LstmWeights<T> weights(context, options_, sizes.cells, 1);
    for (int64_t t = 0; t < sizes.steps; ++t) {
      const auto to = [&](size_t k) { return context.ViewOf<T>(out[k]).From(t * size, size); };
      const Tensor &before = t == 0 ? context.input(3) : out[6], &state = t == 0 ? context.input(2) : out[1];
      const int64_t from = t == 0 ? 0 : (t - 1) * size;
      Tensor wide_h;
      const float* const h = Floats(context, before, from, size, wide_h);
      MultiplyFloats(context, {sizes.batch, columns, sizes.cells}, {h}, {w + sizes.inputs * columns}, of_h);
      Launch(context.stream(), LoopOver(size), LstmGates<T>,
             context.ViewOf<float>(of_x).From(t * sizes.batch * columns, sizes.batch * columns),
             context.ViewOf<float>(of_h), weights,
             LstmStep<T>{context.ViewOf<T>(state).From(from, size), to(0), to(1), to(2), to(3), to(4), to(5), to(6)});
    }
  }
};

// What the steps backwards leave for the weights.
struct GatesBack {
  Tensor gates, products;
};

template <class T>
class BlockLstmGrad final : public Block {
 public:
  using Block::Block;
  void Run(GpuContext& context) override {
    const LstmSizes sizes = SizesOf(context, options_.peephole);
    const Shape sequence{context.input(1).dim(0), sizes.batch, sizes.cells};
    RequireShapes(ShapesOfInputs(context, 9, 18), 9, sequence);
    if (sizes.steps == 0 || sizes.batch * sizes.cells == 0) {
      for (int k = 0; k < 8; ++k) {
        Tensor out = context.AllocateOutput(k, context.input(1 + k).shape());
        context.Clear(out);
      }
      return;
    }
    Tensor wide_w;
    const float* const w = Floats(context, context.input(4), wide_w);
    const GatesBack back = StepsBack(context, sizes, w);
    const int64_t columns = 4 * sizes.cells;
    FloatOutput x_grad(context, 0, context.input(1).shape());
    if (sizes.steps < sequence[0]) context.Clear(x_grad.wide());
    MultiplyFloats(context, {sizes.rows(), sizes.inputs, columns}, {back.gates.raw()}, {w, true}, x_grad.wide());
    x_grad.Round(context);
    Weights(context, sizes, back.gates);
    SumPeepholes<T>(context, options_, back.products, 4);
    Tensor b_grad = context.AllocateOutput(7, {columns});
    SumColumns<T>(context, back.gates, b_grad);
  }

 private:
  // From the last step to the first; the gradients of the first cell state and output are outputs 1 and 2.
  GatesBack StepsBack(GpuContext& context, const LstmSizes& sizes, const float* w) const {
    const int64_t size = sizes.batch * sizes.cells, columns = 4 * sizes.cells;
    GatesBack back{context.Scratch(DType::kFloat, {sizes.rows(), columns}),
                   context.Scratch(DType::kFloat, {options_.peephole ? sizes.rows() : 0, 3 * sizes.cells})};
    FloatOutput dcs(context, 1, {sizes.batch, sizes.cells}), dh(context, 2, {sizes.batch, sizes.cells});
    context.Clear(dcs.wide());
    context.Clear(dh.wide());
    const LstmWeights<T> weights(context, options_, sizes.cells, 1);
    for (int64_t t = sizes.steps - 1; t >= 0; --t) {
      const auto at = [&](int i) { return context.In<T>(i).From(t * size, size); };
      const Global<const T> state = t == 0 ? context.In<T>(2) : context.In<T>(10).From((t - 1) * size, size);
      const int64_t line = 3 * sizes.cells * sizes.batch, of_gates = t * sizes.batch * columns;
      const auto products = context.ViewOf<float>(back.products);
      Launch(context.stream(), LoopOver(size), LstmBack<T>,
             LstmPast<T>{state, at(9), at(10), at(11), at(12), at(13), at(14), at(16), at(17)}, weights,
             context.ViewOf<float>(dcs.wide()), context.ViewOf<float>(dh.wide()),
             context.ViewOf<float>(back.gates).From(of_gates, sizes.batch * columns),
             options_.peephole ? products.From(t * line, line) : products);
      const GemmOperand step{static_cast<const float*>(back.gates.raw()) + of_gates};
      MultiplyFloats(context, {sizes.batch, sizes.cells, columns}, step, {w + sizes.inputs * columns, true}, dh.wide());
    }
    dcs.Round(context);
    dh.Round(context);
    return back;
  }

  // Output 3: what came in at all times, [x, h_prev], times what is due to the gates.
  static void Weights(GpuContext& context, const LstmSizes& sizes, const Tensor& gates) {
    const int64_t rows = sizes.rows(), columns = 4 * sizes.cells, size = sizes.batch * sizes.cells;
    Tensor before = context.Scratch(DTypeOf<T>, {rows, sizes.cells}), wide_x, wide_h;
    CopyRange(context, context.input(3), 0, before, 0, size);
    CopyRange(context, context.input(15), 0, before, size, rows * sizes.cells - size);
    const float* const x = Floats(context, context.input(1), 0, rows * sizes.inputs, wide_x);
    const float* const h = Floats(context, before, wide_h);
    FloatOutput w_grad(context, 3, {sizes.inputs + sizes.cells, columns});
    MultiplyFloats(context, {sizes.inputs, columns, rows}, {x, true}, {gates.raw()}, w_grad.wide());
    MultiplyFloats(context, {sizes.cells, columns, rows}, {h, true}, {gates.raw()}, w_grad.wide(),
                   sizes.inputs * columns);
    w_grad.Round(context);
  }
};

// By the type of x.
template <template <class> class K>
std::unique_ptr<GpuKernel> MakeBlock(const Node& node, GateOrder order, float forget_bias, float cell_clip) {
  return ForType(node, Base(node.input_types[1]), TypeList<float, Half>(), [&](auto tag) -> std::unique_ptr<GpuKernel> {
    return std::make_unique<K<typename decltype(tag)::Type>>(node, order, forget_bias, cell_clip);
  });
}
std::unique_ptr<GpuKernel> MakeForward(const Node& node) {
  return MakeBlock<BlockLstm>(node, kIcfo, GetAttr<float>(node.attrs, "forget_bias"),
                              GetAttr<float>(node.attrs, "cell_clip"));
}
std::unique_ptr<GpuKernel> MakeForwardV2(const Node& node) {
  return MakeBlock<BlockLstm>(node, kIfco, 0, GetAttr<float>(node.attrs, "cell_clip"));
}
std::unique_ptr<GpuKernel> MakeGrad(const Node& node) { return MakeBlock<BlockLstmGrad>(node, kIcfo, 0, 0); }
std::unique_ptr<GpuKernel> MakeGradV2(const Node& node) { return MakeBlock<BlockLstmGrad>(node, kIfco, 0, 0); }

constexpr GpuKernelRow kRows[] = {
    {"BlockLSTM", MakeForward, ByHost::kNo, "seq_len_max"},
    {"BlockLSTMV2", MakeForwardV2, ByHost::kNo, "seq_len_max"},
    {"BlockLSTMGrad", MakeGrad, ByHost::kNo, "seq_len_max"},
    {"BlockLSTMGradV2", MakeGradV2, ByHost::kNo, "seq_len_max"},
};

}  // namespace

std::span<const GpuKernelRow> RnnBlockLstm() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE

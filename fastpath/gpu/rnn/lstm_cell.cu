// LSTMBlockCell and its gradient: one step of lstm.h.
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/lib/widen.h"
#include "fastpath/gpu/rnn/float_product.h"
#include "fastpath/gpu/rnn/lstm.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

template <class T>
class LstmCell final : public GpuKernel {
 public:
  explicit LstmCell(const Node& node)
      : options_{kIcfo, GetAttr<bool>(node.attrs, "use_peephole"), GetAttr<float>(node.attrs, "forget_bias"),
                 GetAttr<float>(node.attrs, "cell_clip")} {}

  void Run(GpuContext& context) override {
    const LstmSizes sizes = LstmSizesOf(ShapesOfInputs(context, 0, 8), 0, 2, options_.peephole);
    const int64_t batch = sizes.batch, columns = 4 * sizes.cells;
    std::vector<Tensor> out;
    for (int k = 0; k < 7; ++k) out.push_back(context.AllocateOutput(k, {batch, sizes.cells}));
    const auto to = [&](size_t k) { return context.ViewOf<T>(out[k]); };
    Tensor of_x = context.Scratch(DType::kFloat, {batch, columns}), of_h = context.Scratch(DType::kFloat, of_x.shape());
    Tensor wide_w;
    const float* const w = Floats(context, 3, wide_w);
    Multiply(context, {batch, columns, sizes.inputs}, 0, w, of_x);
    Multiply(context, {batch, columns, sizes.cells}, 2, w + sizes.inputs * columns, of_h);
    Launch(context.stream(), LoopOver(batch * sizes.cells), LstmGates<T>, context.ViewOf<float>(of_x),
           context.ViewOf<float>(of_h), LstmWeights<T>(context, options_, sizes.cells, 0),
           LstmStep<T>{context.In<T>(1), to(0), to(1), to(2), to(3), to(4), to(5), to(6)});
  }

 private:
  static const float* Floats(GpuContext& context, int i, Tensor& scratch) {
    const Tensor& input = context.input(i);
    return static_cast<const float*>(Widened(context, input.dtype(), input.raw(), input.elements(), scratch));
  }
  // Input x times weights.
  static void Multiply(GpuContext& context, const GemmSize& size, int x, const float* w, Tensor& out) {
    Tensor wide;
    MultiplyFloats(context, size, {Floats(context, x, wide)}, {w}, out);
  }

  const LstmOptions options_;
};

template <class T>
class LstmCellGrad final : public GpuKernel {
 public:
  explicit LstmCellGrad(const Node& node)
      : node_(node.name), options_{kIcfo, GetAttr<bool>(node.attrs, "use_peephole")} {}

  void Run(GpuContext& context) override {
    const LstmSizes sizes = LstmSizesOf(ShapesOfInputs(context, 0, 8), 0, 2, options_.peephole);
    const int64_t batch = sizes.batch, cells = sizes.cells;
    const Shape shape{batch, cells};
    RequireShapes(ShapesOfInputs(context, 8, 16), 8, shape);
    FloatOutput dcs(context, 0, shape), gates(context, 1, {batch, 4 * cells});
    Tensor dh = context.Scratch(DType::kFloat, shape);
    Tensor products = context.Scratch(DType::kFloat, {options_.peephole ? batch : 0, 3 * cells});
    context.Clear(dcs.wide());
    context.Clear(dh);
    const auto in = [&](int i) { return context.In<T>(i); };
    Launch(context.stream(), LoopOver(batch * cells), LstmBack<T>,
           LstmPast<T>{in(1), in(8), in(9), in(10), in(11), in(12), in(13), in(14), in(15)},
           LstmWeights<T>(context, options_, cells, 0), context.ViewOf<float>(dcs.wide()), context.ViewOf<float>(dh),
           context.ViewOf<float>(gates.wide()), context.ViewOf<float>(products));
    dcs.Round(context);
    gates.Round(context);
    SumPeepholes<T>(context, options_, products, 2);
  }

 private:
  const std::string node_;
  const LstmOptions options_;
};

using CellTypes = TypeList<float, Half>;

constexpr GpuKernelRow kRows[] = {
    {"LSTMBlockCell", MakeForType<LstmCell, CellTypes>},
    {"LSTMBlockCellGrad", MakeForType<LstmCellGrad, CellTypes>},
};

}  // namespace

std::span<const GpuKernelRow> RnnLstmCell() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE

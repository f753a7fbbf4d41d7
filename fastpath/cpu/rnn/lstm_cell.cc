// LSTMBlockCell and its gradient: one step of lstm.h.
#include <array>

#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/rnn/lstm.h"
#include "fastpath/cpu/rnn/lstm_outputs.h"

namespace plumb::fast::cpu {
namespace {

class LstmCell final : public Kernel {
 public:
  explicit LstmCell(const Node& node)
      : options_{kIcfo, GetAttr<bool>(node.attrs, "use_peephole"), GetAttr<float>(node.attrs, "forget_bias"),
                 GetAttr<float>(node.attrs, "cell_clip"), InputType(node, 0)} {}

  void Run(KernelContext& context) override {
    const LstmSizes sizes = LstmSizesOf(ShapesOfInputs(context, 0, 8), 0, 2, options_.peephole);
    const LstmInputs inputs(context.pool(), context, 0);
    FloatOutputs outputs(options_.type, std::vector<Shape>(7, Shape({sizes.batch, sizes.cells})));
    LstmForward(context.pool(), options_, sizes, inputs,
                {outputs[0], outputs[1], outputs[2], outputs[3], outputs[4], outputs[5], outputs[6]});
    outputs.Give(context);
  }

 private:
  const LstmOptions options_;
};

class LstmCellGrad final : public Kernel {
 public:
  explicit LstmCellGrad(const Node& node)
      : node_(node.name), options_{kIcfo, GetAttr<bool>(node.attrs, "use_peephole"), 0, 0, InputType(node, 0)} {}

  void Run(KernelContext& context) override {
    const LstmSizes sizes = LstmSizesOf(ShapesOfInputs(context, 0, 8), 0, 2, options_.peephole);
    const Shape shape({sizes.batch, sizes.cells}), cells({sizes.cells});
    RequireShapes(ShapesOfInputs(context, 8, 16), 8, shape);
    const LstmInputs inputs(context.pool(), context, 0);
    const FloatInputs known(context, 8, 16);
    FloatOutputs outputs(options_.type, {shape, Shape({sizes.batch, 4 * sizes.cells}), cells, cells, cells});
    const float* const cs_prev = inputs.cs_prev.data<float>().data();
    LstmStepBack(context.pool(), options_, sizes, inputs,
                 {known[0], known[1], known[2], known[3], known[4], known[5], nullptr, nullptr, nullptr}, cs_prev,
                 known[6], known[7], outputs[1], outputs[0]);
    if (options_.peephole) {
      PeepholeSums(context.pool(), sizes, outputs[1], 0, cs_prev, outputs[2]);
      PeepholeSums(context.pool(), sizes, outputs[1], options_.order.f, cs_prev, outputs[3]);
      PeepholeSums(context.pool(), sizes, outputs[1], options_.order.o, known[1], outputs[4]);
    }
    outputs.Give(context);
  }

 private:
  const std::string node_;
  const LstmOptions options_;
};

constexpr KernelRow kRows[] = {
    {"LSTMBlockCell", Make<LstmCell>},
    {"LSTMBlockCellGrad", Make<LstmCellGrad>},
};

}  // namespace

std::span<const KernelRow> RnnLstmCell() { return kRows; }

}  // namespace plumb::fast::cpu

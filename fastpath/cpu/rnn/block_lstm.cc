// BlockLSTM and its gradient: the steps of lstm.h, and products over all times at once.
#include <algorithm>

#include "fastpath/cpu/lib/linear/gemm.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/rnn/lstm.h"
#include "fastpath/cpu/rnn/lstm_outputs.h"

namespace plumb::fast::cpu {
namespace {

// The sizes of the sequence, of which seq_len_max steps are computed.
LstmSizes SequenceOf(const KernelContext& context, bool peephole) {
  LstmSizes sizes = LstmSizesOf(ShapesOfInputs(context, 1, 9), 1, 3, peephole);
  const Tensor& steps = context.input(0);
  sizes.steps = StepsOf(steps.shape(), ScalarInt(steps, "seq_len_max"), sizes.steps);
  return sizes;
}

class BlockLstm final : public Kernel {
 public:
  BlockLstm(const Node& node, GateOrder order, float forget_bias)
      : options_{order, GetAttr<bool>(node.attrs, "use_peephole"), forget_bias, GetAttr<float>(node.attrs, "cell_clip"),
                 InputType(node, 1)} {}

  void Run(KernelContext& context) override {
    const LstmSizes sizes = SequenceOf(context, /*peephole=*/true);
    const LstmInputs inputs(context.pool(), context, 1);
    const Shape shape({context.input(1).dim(0), sizes.batch, sizes.cells});
    FloatOutputs outputs(options_.type, std::vector<Shape>(7, shape));
    LstmForward(context.pool(), options_, sizes, inputs,
                {outputs[0], outputs[1], outputs[2], outputs[3], outputs[4], outputs[5], outputs[6]});
    outputs.Give(context);
  }

 private:
  const LstmOptions options_;
};

class BlockLstmGrad final : public Kernel {
 public:
  BlockLstmGrad(const Node& node, GateOrder order)
      : node_(node.name), options_{order, GetAttr<bool>(node.attrs, "use_peephole"), 0, 0, InputType(node, 1)} {}

  void Run(KernelContext& context) override {
    const LstmSizes sizes = SequenceOf(context, options_.peephole);
    RequireShapes(ShapesOfInputs(context, 9, 18), 9, Shape({context.input(1).dim(0), sizes.batch, sizes.cells}));
    const LstmInputs inputs(context.pool(), context, 1);
    const FloatInputs known(context, 9, 18);
    std::vector<Shape> shapes;
    for (int i = 1; i < 9; ++i) shapes.push_back(context.input(i).shape());
    FloatOutputs outputs(options_.type, shapes);
    const int64_t size = sizes.batch * sizes.cells;
    if (sizes.steps > 0 && size > 0) {
      Tensor gates = Allocate(DType::kFloat, Shape({sizes.rows(), 4 * sizes.cells}));
      float* const of_gates = gates.mutable_data<float>().data();
      StepsBack(context.pool(), sizes, inputs, known, of_gates, outputs);
      Weights(context.pool(), sizes, inputs, known, of_gates, outputs);
    }
    outputs.Give(context);
  }

 private:
  // From the last step to the first; leaves the gradients of the first cell state and output where they belong.
  void StepsBack(ThreadPool& pool, const LstmSizes& sizes, const LstmInputs& in, const FloatInputs& known, float* gates,
                 FloatOutputs& out) const {
    const int64_t size = sizes.batch * sizes.cells, columns = 4 * sizes.cells;
    const LstmSizes one{1, sizes.batch, sizes.inputs, sizes.cells};
    float *const dcs = out[1], *const dh = out[2];
    for (int64_t t = sizes.steps - 1; t >= 0; --t) {
      const int64_t at = t * size;
      Add(pool, known[7] + at, dcs, size);
      Add(pool, known[8] + at, dh, size);
      const LstmKnown step = {known[0] + at, known[1] + at, known[2] + at, known[3] + at, known[4] + at,
                              known[5] + at, nullptr,       nullptr,       nullptr};
      const float* const cs_prev = t == 0 ? in.cs_prev.data<float>().data() : known[1] + at - size;
      float* const of_step = gates + t * sizes.batch * columns;
      LstmStepBack(pool, options_, one, in, step, cs_prev, dcs, dh, of_step, dcs);
      Gemm(pool, DenseGemm(sizes.batch, sizes.cells, columns, false, true), of_step,
           in.w.data<float>().data() + sizes.inputs * columns, dh);
      RoundLstm(options_.type, dh, size);
    }
  }

  void Weights(ThreadPool& pool, const LstmSizes& sizes, const LstmInputs& in, const FloatInputs& known,
               const float* gates, FloatOutputs& out) const {
    const int64_t rows = sizes.rows(), columns = 4 * sizes.cells, size = sizes.batch * sizes.cells;
    Gemm(pool, DenseGemm(rows, sizes.inputs, columns, false, true), gates, in.w.data<float>().data(), out[0]);
    Gemm(pool, DenseGemm(sizes.inputs, columns, rows, true), in.x.data<float>().data(), gates, out[3]);
    const Tensor h_before = Before(sizes, in.h_prev, known[6], size),
                 cs_before = Before(sizes, in.cs_prev, known[1], size);
    Gemm(pool, DenseGemm(sizes.cells, columns, rows, true), h_before.data<float>().data(), gates,
         out[3] + sizes.inputs * columns);
    if (options_.peephole) {
      const float* const cs_prev = cs_before.data<float>().data();
      PeepholeSums(pool, sizes, gates, 0, cs_prev, out[4]);
      PeepholeSums(pool, sizes, gates, options_.order.f, cs_prev, out[5]);
      PeepholeSums(pool, sizes, gates, options_.order.o, known[1], out[6]);
    }
    float* const b = out[7];
    pool.ParallelFor(columns, GrainFor(rows), [&](int64_t begin, int64_t end) {
      for (int64_t row = 0; row < rows; ++row) {
        for (int64_t k = begin; k < end; ++k) b[k] += gates[row * columns + k];
      }
    });
  }

  // What each step started from.
  static Tensor Before(const LstmSizes& sizes, const Tensor& first, const float* later, int64_t size) {
    Tensor before = Allocate(DType::kFloat, Shape({sizes.rows(), sizes.cells}));
    float* const to = before.mutable_data<float>().data();
    std::copy_n(first.data<float>().data(), size, to);
    std::copy_n(later, (sizes.steps - 1) * size, to + size);
    return before;
  }

  void Add(ThreadPool& pool, const float* more, float* to, int64_t size) const {
    pool.ParallelFor(size, kChunkWork, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) to[i] += more[i];
      RoundLstm(options_.type, to + begin, end - begin);
    });
  }

  const std::string node_;
  const LstmOptions options_;
};

constexpr KernelRow kRows[] = {
    {"BlockLSTM",
     [](const Node& node) -> std::unique_ptr<Kernel> {
       return std::make_unique<BlockLstm>(node, kIcfo, GetAttr<float>(node.attrs, "forget_bias"));
     }},
    {"BlockLSTMGrad",
     [](const Node& node) -> std::unique_ptr<Kernel> { return std::make_unique<BlockLstmGrad>(node, kIcfo); }},
    {"BlockLSTMGradV2",
     [](const Node& node) -> std::unique_ptr<Kernel> { return std::make_unique<BlockLstmGrad>(node, kIfco); }},
    {"BlockLSTMV2",
     [](const Node& node) -> std::unique_ptr<Kernel> { return std::make_unique<BlockLstm>(node, kIfco, 0.0f); }},
};

}  // namespace

std::span<const KernelRow> RnnBlockLstm() { return kRows; }

}  // namespace plumb::fast::cpu

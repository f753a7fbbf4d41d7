// CTCGreedyDecoder: each sequence of the batch on its own, then all of them as one sparse matrix.
#include <vector>

#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/loss/ctc_sequences.h"

namespace plumb::fast::cpu {
namespace {

class CtcGreedyDecoderKernel : public Kernel {
 public:
  explicit CtcGreedyDecoderKernel(const Node& node)
      : dtype_(InputType(node, 0)),
        blank_(GetAttr<int64_t>(node.attrs, "blank_index")),
        merges_(GetAttr<bool>(node.attrs, "merge_repeated")) {}

  void Run(KernelContext& context) override {
    const Tensor& inputs = context.input(0);
    const std::vector<int64_t> lengths = SequenceLengths(inputs.shape(), context.input(1));
    const int64_t batch = inputs.dim(1), classes = inputs.dim(2), blank = blank_ < 0 ? blank_ + classes : blank_;
    Require(blank >= 0 && blank < classes, "blank_index must be one of ", classes, " classes, not ", blank_);
    std::vector<std::vector<int64_t>> decoded(static_cast<size_t>(batch));
    Tensor& cost = context.AllocateOutput(3, dtype_, {batch, 1});
    const auto decode = [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const T* const rows = inputs.data<T>().data();
      T* const costs = cost.mutable_data<T>().data();
      context.pool().ParallelFor(batch, GrainFor(inputs.dim(0) * classes), [&](int64_t begin, int64_t end) {
        for (int64_t b = begin; b < end; ++b) {
          costs[b] = Decode(rows + b * classes, lengths[b], batch * classes, classes, blank, decoded[b]);
        }
      });
    };
    if (dtype_ == DType::kDouble) {
      decode(TypeTag<double>());
    } else {
      decode(TypeTag<float>());
    }
    SetDecoded(context, 0, 1, decoded);
  }

 private:
  // The best class of each time, `stride` apart, into `decoded`; returns the negative sum of their inputs.
  template <class T>
  T Decode(const T* row, int64_t length, int64_t stride, int64_t classes, int64_t blank,
           std::vector<int64_t>& decoded) const {
    T cost = 0;
    int64_t before = -1;
    for (int64_t time = 0; time < length; ++time, row += stride) {
      int64_t best = 0;
      for (int64_t k = 1; k < classes; ++k) best = row[k] > row[best] ? k : best;
      cost -= row[best];
      if (best != blank && !(merges_ && best == before)) decoded.push_back(best);
      before = best;
    }
    return cost;
  }

  const DType dtype_;
  const int64_t blank_;
  const bool merges_;
};

constexpr KernelRow kRows[] = {
    {"CTCGreedyDecoder", Make<CtcGreedyDecoderKernel>},
};

}  // namespace

std::span<const KernelRow> LossCtcDecoder() { return kRows; }

}  // namespace plumb::fast::cpu

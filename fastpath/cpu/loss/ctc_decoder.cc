// CTCGreedyDecoder: each sequence of the batch on its own, then all of them as one sparse matrix.
#include <algorithm>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

class CtcGreedyDecoderKernel : public Kernel {
 public:
  explicit CtcGreedyDecoderKernel(const Node& node)
      : node_(node.name),
        dtype_(InputType(node, 0)),
        blank_(GetAttr<int64_t>(node.attrs, "blank_index")),
        merges_(GetAttr<bool>(node.attrs, "merge_repeated")) {
    if (dtype_ != DType::kFloat && dtype_ != DType::kDouble) ThrowNoKernel(node);
  }

  void Run(KernelContext& context) override {
    const Tensor& inputs = context.input(0);
    const std::vector<int64_t> lengths = LengthsOf(inputs.shape(), context.input(1));
    const int64_t batch = inputs.dim(1), classes = inputs.dim(2), blank = blank_ < 0 ? blank_ + classes : blank_;
    Require(blank >= 0 && blank < classes, "node ", node_, ": blank_index must be one of ", classes, " classes, not ",
            blank_);
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
    SetDecoded(context, decoded);
  }

 private:
  std::vector<int64_t> LengthsOf(const Shape& inputs, const Tensor& lengths) const {
    Require(inputs.rank() == 3, "node ", node_, ": inputs must be [time, batch, class], not ", Printed(inputs));
    Require(inputs[0] > 0 && inputs[2] > 0, "node ", node_, ": inputs must have times and classes: ", Printed(inputs));
    Require(lengths.rank() == 1, "node ", node_, ": sequence_length must be a vector, not ", Printed(lengths.shape()));
    if (lengths.elements() != inputs[1]) {
      throw FailedPrecondition("node ", node_, ": sequence_length must have ", inputs[1], " entries, not ",
                               lengths.elements());
    }
    std::vector<int64_t> values = ToInt64s(lengths);
    for (const int64_t length : values) {
      Require(length >= 0, "node ", node_, ": sequence_length must not be negative: ", length);
      if (length > inputs[0]) {
        throw FailedPrecondition("node ", node_, ": sequence_length ", length, " is beyond ", inputs[0]);
      }
    }
    return values;
  }

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

  static void SetDecoded(KernelContext& context, const std::vector<std::vector<int64_t>>& decoded) {
    size_t count = 0, longest = 0;
    for (const auto& sequence : decoded) {
      count += sequence.size();
      longest = std::max(longest, sequence.size());
    }
    const auto size = static_cast<int64_t>(count);
    int64_t* index = context.AllocateOutput(0, DType::kInt64, {size, 2}).mutable_data<int64_t>().data();
    int64_t* value = context.AllocateOutput(1, DType::kInt64, {size}).mutable_data<int64_t>().data();
    for (size_t b = 0; b < decoded.size(); ++b) {
      for (size_t i = 0; i < decoded[b].size(); ++i) {
        *index++ = static_cast<int64_t>(b);
        *index++ = static_cast<int64_t>(i);
        *value++ = decoded[b][i];
      }
    }
    Tensor& shape = context.AllocateOutput(2, DType::kInt64, {2});
    shape.mutable_data<int64_t>()[0] = static_cast<int64_t>(decoded.size());
    shape.mutable_data<int64_t>()[1] = static_cast<int64_t>(longest);
  }

  const std::string node_;
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

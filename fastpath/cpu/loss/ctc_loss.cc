// CTCLoss, V1 and V2: the softmax of all rows, cut over threads, then sequence by sequence.
#include <algorithm>
#include <cmath>
#include <vector>

#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/reduction/softmax_loops.h"
#include "fastpath/cpu/lib/sparse_tensor.h"
#include "fastpath/cpu/lib/types.h"
#include "fastpath/cpu/loss/ctc_trellis.h"

namespace plumb::fast::cpu {
namespace {

struct Sequence {
  std::vector<int32_t> labels;  // as they were given, then as they are spelled
  int64_t length = 0;
  bool skipped = false;  // nothing to be computed
};

template <class T, bool kBlankIsFirst>
class CtcLossKernel final : public Kernel {
 public:
  explicit CtcLossKernel(const Node& node)
      : node_(node.name),
        collapses_(GetAttr<bool>(node.attrs, "preprocess_collapse_repeated")),
        merges_(GetAttr<bool>(node.attrs, "ctc_merge_repeated")),
        ignores_(GetAttr<bool>(node.attrs, "ignore_longer_outputs_than_inputs")) {}

  void Run(KernelContext& context) override {
    const Tensor& inputs = context.input(0);
    const Shape shape = inputs.shape();
    std::vector<Sequence> sequences = LengthsOf(shape, context.input(3));
    const int64_t batch = shape[1], classes = shape[2];
    ReadLabels(context.input(1), context.input(2), sequences);
    for (Sequence& sequence : sequences) Spell(sequence, classes);
    const T* const x = inputs.data<T>().data();
    T* const gradient = context.AllocateOutput(1, DTypeOf<T>, shape).template mutable_data<T>().data();
    T* const loss = context.AllocateOutput(0, DTypeOf<T>, Shape({batch})).template mutable_data<T>().data();
    const SoftmaxLoops loops = FindSoftmaxLoops(DTypeOf<T>);
    context.pool().ParallelFor(shape[0] * batch, GrainFor(classes * kSoftmaxWork), [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        const Sequence& sequence = sequences[static_cast<size_t>(row % batch)];
        if (sequence.skipped || row / batch >= sequence.length) {
          std::fill_n(gradient + row * classes, classes, T(0));
        } else {
          loops.softmax(x + row * classes, gradient + row * classes, classes);
        }
      }
    });
    const int64_t work = shape[0] * 64;
    context.pool().ParallelFor(batch, GrainFor(work), [&](int64_t begin, int64_t end) {
      for (int64_t b = begin; b < end; ++b) {
        const Sequence& sequence = sequences[static_cast<size_t>(b)];
        loss[b] = sequence.skipped ? T(0) : LossOf(sequence, gradient + b * classes, batch * classes, classes);
      }
    });
  }

 private:
  std::vector<Sequence> LengthsOf(const Shape& inputs, const Tensor& lengths) const {
    Require(inputs.rank() == 3, "node ", node_, ": inputs must be [time, batch, class], not ", Printed(inputs));
    Require(inputs.elements() > 0, "node ", node_, ": inputs must have times, sequences and classes, not the shape ",
            Printed(inputs));
    Require(lengths.rank() == 1 && lengths.elements() == inputs[1], "node ", node_,
            ": sequence_length must be a vector of ", inputs[1], " entries, not ", Printed(lengths.shape()));
    std::vector<Sequence> sequences(static_cast<size_t>(inputs[1]));
    for (int64_t b = 0; b < inputs[1]; ++b) {
      const int64_t length = IntAt(lengths, b);
      Require(length >= 0 && length <= inputs[0], "node ", node_, ": sequence_length ", length,
              " is not between 0 and ", inputs[0]);
      sequences[static_cast<size_t>(b)].length = length;
    }
    return sequences;
  }

  void ReadLabels(const Tensor& indices, const Tensor& values, std::vector<Sequence>& sequences) const {
    const IndexRows rows = IndexRowsOf(indices);
    Require(rows.rank == 2 && values.rank() == 1 && values.elements() == rows.count, "node ", node_,
            ": labels_indices of shape ", Printed(indices.shape()), " does not fit labels_values of shape ",
            Printed(values.shape()));
    for (int64_t i = 0; i < rows.count; ++i) {
      const int64_t* const row = rows[i];
      Require(static_cast<uint64_t>(row[0]) < sequences.size() && row[1] >= 0, "node ", node_, ": label ", i,
              " stands outside of the batch");
      Require(i == 0 || IsBefore(rows[i - 1], row, 2), "node ", node_, ": label ", i,
              " does not come after the one before it");
      sequences[static_cast<size_t>(row[0])].labels.push_back(static_cast<int32_t>(IntAt(values, i)));
    }
  }

  static int64_t BlankOf(int64_t classes) { return kBlankIsFirst ? 0 : classes - 1; }

  void Spell(Sequence& sequence, int64_t classes) const {
    const std::vector<int32_t> given = std::move(sequence.labels);
    sequence.labels.clear();
    Require(kBlankIsFirst || !given.empty(), "node ", node_, ": a sequence has no labels");
    bool ended = false;
    for (size_t i = 0; i < given.size(); ++i) {
      if (i > 0 && collapses_ && given[i] == given[i - 1]) continue;
      ended = !IsClass(given[i], classes, ended);
      if (!ended) sequence.labels.push_back(given[i]);
    }
    const bool too_long = static_cast<int64_t>(given.size()) > sequence.length;
    Require(!too_long || ignores_, "node ", node_, ": a sequence of length ", sequence.length, " is too short for ",
            given.size(), " labels; ignore_longer_outputs_than_inputs lets that pass");
    sequence.skipped = too_long || sequence.length == 0;
  }

  // Where the blank is the last class, labels from it on end a sequence.
  bool IsClass(int32_t label, int64_t classes, bool ended) const {
    if constexpr (kBlankIsFirst) {
      Require(0 < label && label < classes, "node ", node_, ": label ", label, " is not between 1 and ", classes - 1);
      return true;
    } else {
      Require(label >= 0, "node ", node_, ": label ", label, " is negative");
      Require(label >= classes - 1 || !ended, "node ", node_, ": label ", label,
              " follows one that is no class before the blank");
      return label < classes - 1;
    }
  }

  // `rows` hold the probabilities, a time `stride` after the one before it, and then the gradient.
  T LossOf(const Sequence& sequence, T* rows, int64_t stride, int64_t classes) const {
    const size_t width = sequence.labels.size() + 1;
    const int64_t blank = BlankOf(classes);
    std::vector<Scaled> probabilities;
    probabilities.reserve(static_cast<size_t>(sequence.length) * width);
    bool valid = true;
    for (int64_t t = 0; t < sequence.length; ++t) {
      const T* const row = rows + t * stride;
      valid = valid && !std::isnan(row[blank]);
      probabilities.emplace_back(static_cast<double>(row[blank]));
      for (const int32_t label : sequence.labels) probabilities.emplace_back(static_cast<double>(row[label]));
    }
    if (!valid) {
      for (int64_t t = 0; t < sequence.length; ++t) std::fill_n(rows + t * stride, classes, T(NAN));
      return T(NAN);
    }
    CtcTrellis trellis(sequence.labels, merges_);
    trellis.Run(std::move(probabilities), sequence.length);
    if (trellis.total().m == 0) return T(INFINITY);
    SubtractTaken(sequence, trellis, rows, stride, classes);
    return static_cast<T>(-LogOf(trellis.total()));
  }

  void SubtractTaken(const Sequence& sequence, CtcTrellis& trellis, T* rows, int64_t stride, int64_t classes) const {
    const std::vector<int32_t>& labels = sequence.labels;
    std::vector<size_t> first(labels.size());  // where the label stands for the first time
    for (size_t i = 0; i < labels.size(); ++i) {
      first[i] = static_cast<size_t>(std::find(labels.begin(), labels.end(), labels[i]) - labels.begin());
    }
    std::vector<double> taken(labels.size() + 1);
    for (int64_t t = sequence.length - 1; t >= 0; --t) {
      trellis.Taken(t, taken.data());
      for (size_t i = 0; i < labels.size(); ++i) {
        if (first[i] != i) taken[first[i] + 1] += taken[i + 1];
      }
      T* const row = rows + t * stride;
      row[BlankOf(classes)] = static_cast<T>(row[BlankOf(classes)] - taken[0]);
      for (size_t i = 0; i < labels.size(); ++i) {
        if (first[i] == i) row[labels[i]] = static_cast<T>(row[labels[i]] - taken[i + 1]);
      }
    }
  }

  const std::string node_;
  const bool collapses_, merges_, ignores_;
};

template <class T>
using LastBlank = CtcLossKernel<T, false>;

constexpr KernelRow kRows[] = {
    {"CTCLoss", MakeFor<LastBlank, Types<float, double>>},
    {"CTCLossV2", Make<CtcLossKernel<float, true>>},
};

}  // namespace

std::span<const KernelRow> LossCtcLoss() { return kRows; }

}  // namespace plumb::fast::cpu

// CTCLoss, V1 and V2 (rule N23): the softmax of all rows, cut over threads, then sequence by sequence.
#include <algorithm>
#include <cmath>
#include <vector>

#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/reduction/softmax_loops.h"
#include "fastpath/cpu/lib/types.h"
#include "fastpath/cpu/loss/ctc_trellis.h"
#include "fastpath/formulas/loss/ctc_labels.h"

namespace plumb::fast::cpu {
namespace {

template <class T, bool kBlankIsFirst>
class CtcLossKernel final : public Kernel {
 public:
  explicit CtcLossKernel(const Node& node) : options_(node, kBlankIsFirst) {}

  void Run(KernelContext& context) override {
    const Tensor& inputs = context.input(0);
    const Shape shape = inputs.shape();
    const std::vector<CtcSequence> sequences =
        CtcSequencesOf(options_, shape, context.input(1), context.input(2), context.input(3));
    const int64_t batch = shape[1], classes = shape[2];
    const T* const x = inputs.data<T>().data();
    T* const gradient = context.AllocateOutput(1, DTypeOf<T>, shape).template mutable_data<T>().data();
    T* const loss = context.AllocateOutput(0, DTypeOf<T>, Shape({batch})).template mutable_data<T>().data();
    const SoftmaxLoops loops = FindSoftmaxLoops(DTypeOf<T>);
    context.pool().ParallelFor(shape[0] * batch, GrainFor(classes * kSoftmaxWork), [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        const CtcSequence& sequence = sequences[static_cast<size_t>(row % batch)];
        if (sequence.is_skipped || row / batch >= sequence.length) {
          std::fill_n(gradient + row * classes, classes, T(0));
        } else {
          loops.softmax(x + row * classes, gradient + row * classes, classes);
        }
      }
    });
    const int64_t work = shape[0] * 64;
    context.pool().ParallelFor(batch, GrainFor(work), [&](int64_t begin, int64_t end) {
      for (int64_t b = begin; b < end; ++b) {
        const CtcSequence& sequence = sequences[static_cast<size_t>(b)];
        loss[b] = sequence.is_skipped ? T(0) : LossOf(sequence, gradient + b * classes, batch * classes, classes);
      }
    });
  }

 private:
  static int64_t BlankOf(int64_t classes) { return kBlankIsFirst ? 0 : classes - 1; }

  // `rows` hold the probabilities, a time `stride` after the one before it, and then the gradient.
  T LossOf(const CtcSequence& sequence, T* rows, int64_t stride, int64_t classes) const {
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
    CtcTrellis trellis(sequence.labels, options_.merges);
    trellis.Run(std::move(probabilities), sequence.length);
    if (trellis.total().m == 0) return T(INFINITY);
    SubtractTaken(sequence, trellis, rows, stride, classes);
    return static_cast<T>(-LogOf(trellis.total()));
  }

  void SubtractTaken(const CtcSequence& sequence, CtcTrellis& trellis, T* rows, int64_t stride, int64_t classes) const {
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

  const CtcOptions options_;
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

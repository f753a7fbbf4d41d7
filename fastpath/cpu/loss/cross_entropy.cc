// Cross entropies of softmax.
#include <algorithm>
#include <cmath>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/elementwise/broadcast.h"
#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/reduction/softmax_loops.h"
#include "fastpath/cpu/lib/strided_copy.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

// What both cross entropies share: losses and gradients of a matrix of logits, in float where the type is narrower.
class CrossEntropy : public Kernel {
 protected:
  explicit CrossEntropy(const Node& node)
      : type_(InputType(node, 0)), loop_(FindSoftmaxLoops(ComputeType(type_)).cross_entropy) {}

  // labels_of(row, buffer) gives the row's label distribution; `buffer` may hold it. mend(row, logits, loss) may set
  // the loss of a row anew.
  template <class LabelsOf, class Mend>
  void RunRows(KernelContext& context, const Tensor& logits, const LabelsOf& labels_of, const Mend& mend) const {
    const int64_t rows = logits.dim(0), n = logits.dim(1);
    const DType type = logits.dtype();
    Tensor loss = Allocate(type, Shape({rows})), backprop = Allocate(type, logits.shape());
    const auto size = static_cast<int64_t>(ElementSize(type));
    const char* x = static_cast<const char*>(logits.raw());
    char *losses = static_cast<char*>(loss.mutable_raw()), *out = static_cast<char*>(backprop.mutable_raw());
    if (n == 0) FillZero(context.pool(), loss);
    context.pool().ParallelFor(n == 0 ? 0 : rows, GrainFor(2 * kSoftmaxWork * n), [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        char* to = out + row * n * size;
        loop_(x + row * n * size, labels_of(row, to), losses + row * size, to, n);
        mend(row, x + row * n * size, losses + row * size);
      }
    });
    context.SetOutput(0, RoundedTo(context.pool(), type_, std::move(loss)));
    context.SetOutput(1, RoundedTo(context.pool(), type_, std::move(backprop)));
  }

  DType type_;
  void (*loop_)(const void* x, const void* labels, void* loss, void* backprop, int64_t n);
};

// `x` repeated to the shape of a broadcast plan, of which it is one side.
Tensor Repeated(ThreadPool& pool, const Tensor& x, const BroadcastPlan& plan, const int64_t* stride) {
  if (x.shape() == plan.result) return x;
  Tensor result = Allocate(x.dtype(), plan.result);
  CopyPlan copy;
  int64_t to = plan.result.elements();
  for (int axis = 0; axis < plan.rank && to > 0; ++axis) {
    to /= plan.size[axis];
    copy.Append(plan.size[axis], stride[axis], to);
  }
  if (result.elements() > 0) CopyStrided(pool, x.dtype(), copy, x.raw(), result.mutable_raw());
  return result;
}

class DenseCrossEntropy final : public CrossEntropy {
 public:
  explicit DenseCrossEntropy(const Node& node) : CrossEntropy(node) {}
  void Run(KernelContext& context) override {
    const Tensor &features = context.input(0), &labels = context.input(1);
    BroadcastPlan plan;
    Require(MakeBroadcastPlan(features.shape(), labels.shape(), plan) && plan.result.rank() == 2,
            "logits and labels must be matrices that broadcast together, not of shapes ", features.shape().ToString(),
            " and ", labels.shape().ToString());
    ThreadPool& pool = context.pool();
    const Tensor x = Repeated(pool, AsFloat(pool, features), plan, plan.x_stride);
    const Tensor wanted = Repeated(pool, AsFloat(pool, labels), plan, plan.y_stride);
    const char* rows = static_cast<const char*>(wanted.raw());
    const int64_t bytes = x.dim(1) * static_cast<int64_t>(ElementSize(x.dtype()));
    RunRows(
        context, x, [rows, bytes](int64_t row, char*) { return rows + row * bytes; },
        [](int64_t, const char*, char*) {});
  }
};

class SparseCrossEntropy final : public CrossEntropy {
 public:
  explicit SparseCrossEntropy(const Node& node) : CrossEntropy(node) {}
  void Run(KernelContext& context) override {
    const Tensor &features = context.input(0), &labels = context.input(1);
    Require(features.rank() == 2, "logits must be a matrix, not of shape ", features.shape().ToString());
    Require(labels.rank() == 1 && labels.elements() == features.dim(0), "labels must hold ", features.dim(0),
            " classes, not have the shape ", labels.shape().ToString());
    const int64_t n = features.dim(1);
    Require(n > 0, "there must be at least one class");
    for (int64_t i = 0; i < labels.elements(); ++i) {
      const int64_t label = IntAt(labels, i);
      Require(label >= 0 && label < n, "labels[", i, "] = ", label, " is not in [0, ", n, ")");
    }
    const Tensor x = AsFloat(context.pool(), features);
    if (x.dtype() == DType::kFloat) return RunAs<float>(context, x, labels);
    RunAs<double>(context, x, labels);
  }

 private:
  // The distribution that is 1 at the label, written where the gradient goes.
  template <class T>
  void RunAs(KernelContext& context, const Tensor& x, const Tensor& labels) const {
    const int64_t n = x.dim(1);
    const auto one_hot = [&labels, n](int64_t row, char* buffer) {
      T* distribution = reinterpret_cast<T*>(buffer);
      std::fill_n(distribution, n, T(0));
      distribution[IntAt(labels, row)] = T(1);
      return buffer;
    };
    RunRows(context, x, one_hot, [&labels, n](int64_t row, const char* logits, char* loss) {
      T* const result = reinterpret_cast<T*>(loss);
      if (std::isnan(*result)) *result = LossOf(reinterpret_cast<const T*>(logits), n, IntAt(labels, row));
    });
  }

  // Of one class, whatever the others' logits are: a distribution would make 0 · ∞ of an infinite one.
  template <class T>
  static T LossOf(const T* logits, int64_t n, int64_t label) {
    const T largest = *std::max_element(logits, logits + n);
    T sum = 0;
    for (int64_t i = 0; i < n; ++i) sum += std::exp(logits[i] - largest);
    return std::log(sum) - (logits[label] - largest);
  }
};

constexpr KernelRow kRows[] = {
    {"SoftmaxCrossEntropyWithLogits", Make<DenseCrossEntropy>},
    {"SparseSoftmaxCrossEntropyWithLogits", Make<SparseCrossEntropy>},
};

}  // namespace

std::span<const KernelRow> LossCrossEntropy() { return kRows; }

}  // namespace plumb::fast::cpu

#include "reference/kernel/op_context.h"
#include "reference/numbers/broadcast.h"
#include "reference/numbers/element.h"
#include "reference/ops/lib/shifted_row.h"

namespace plumb::reference {
namespace {

// loss[i] = Σⱼ labels[i, j]·(log Σₖ exp(x[i, k]) − x[i, j]); backprop = softmax(x) − labels.
void SoftmaxCrossEntropy(OpContext& context) {
  const Shape shape = BroadcastShape(context.tensor(0).shape(), context.tensor(1).shape());
  Require(shape.rank() == 2, "logits and labels must broadcast to a matrix, not to ", shape.ToString());
  const DType dtype = context.tensor(0).dtype();
  const int64_t rows = shape.dim(0), classes = shape.dim(1);
  const auto logit_at = BroadcastIndex(context.tensor(0).shape(), shape);
  const auto label_at = BroadcastIndex(context.tensor(1).shape(), shape);
  ForKind<Real>(dtype, [&](auto) {
    const auto features = Load<Real>(context.input(0)), labels = Load<Real>(context.input(1));
    auto loss = MakeArray<Real>(dtype, {rows}), backprop = MakeArray<Real>(dtype, shape);
    for (int64_t i = 0; i < rows; ++i) {
      std::vector<Real> row;
      for (int64_t j = 0; j < classes; ++j) row.push_back(features[logit_at[i * classes + j]]);
      const ShiftedRow shifted = Shift(row);
      const Real log_sum = Log(shifted.sum_of_exps);
      Sum sum;
      for (int64_t j = 0; j < classes; ++j) {
        const Real label = labels[label_at[i * classes + j]], x = row[j] - shifted.largest;
        sum.AddProduct(label, log_sum - x);
        backprop[i * classes + j] = Exp(x) / shifted.sum_of_exps - label;
      }
      loss[i] = sum.Result();
    }
    context.Output(0, Store(loss));
    context.Output(1, Store(backprop));
  });
}

// The same for labels that name one class each.
void SparseSoftmaxCrossEntropy(OpContext& context) {
  const Tensor &logits = context.tensor(0), &labels = context.tensor(1);
  Require(logits.rank() == 2, "logits must be a matrix, not of shape ", logits.shape().ToString());
  Require(labels.rank() == 1 && labels.dim(0) == logits.dim(0), "labels must be a vector of length ", logits.dim(0),
          ", not of shape ", labels.shape().ToString());
  const int64_t rows = logits.dim(0), classes = logits.dim(1);
  Require(classes > 0, "there must be at least one class");
  const auto label = Load<Integer>(context.input(1));
  ForKind<Real>(logits.dtype(), [&](auto) {
    const auto x = Load<Real>(context.input(0));
    auto loss = MakeArray<Real>(logits.dtype(), {rows}), backprop = MakeArray<Real>(logits.dtype(), logits.shape());
    for (int64_t i = 0; i < rows; ++i) {
      Require(0 <= label[i] && label[i] < classes, "the label ", static_cast<int64_t>(label[i]),
              " is outside the valid range [0, ", classes, ")");
      const auto row = std::span<const Real>(x.at).subspan(i * classes, classes);
      const ShiftedRow shifted = Shift(row);
      for (int64_t j = 0; j < classes; ++j) {
        const Real shifted_x = row[j] - shifted.largest, softmax = Exp(shifted_x) / shifted.sum_of_exps;
        backprop[i * classes + j] = label[i] == j ? softmax - 1 : softmax;
        if (label[i] == j) loss[i] = Log(shifted.sum_of_exps) - shifted_x;
      }
    }
    context.Output(0, Store(loss));
    context.Output(1, Store(backprop));
  });
}

constexpr KernelRow kRows[] = {
    {"SoftmaxCrossEntropyWithLogits", SoftmaxCrossEntropy},
    {"SparseSoftmaxCrossEntropyWithLogits", SparseSoftmaxCrossEntropy},
};

}  // namespace

namespace topics {
std::span<const KernelRow> LossCrossEntropy() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

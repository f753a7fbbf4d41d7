#include "reference/kernel/op_context.h"
#include "reference/numbers/element.h"
#include "reference/numbers/numbers_io.h"
#include "reference/ops/lib/shifted_row.h"

namespace plumb::reference {
namespace {

template <class F>
void SoftmaxRows(OpContext& context, F formula) {
  const Tensor& logits = context.tensor(0);
  Require(logits.rank() >= 1, "logits must have at least one dimension");
  const int64_t classes = logits.dim(logits.rank() - 1);
  ForKind<Real>(logits.dtype(), [&](auto) {
    auto x = Load<Real>(context.input(0));
    for (int64_t at = 0; at < logits.elements(); at += classes) {
      formula(std::span<Real>(x.at).subspan(at, classes));
    }
    context.Output(0, Store(x));
  });
}

void Softmax(OpContext& context) {
  SoftmaxRows(context, [](std::span<Real> row) {
    const ShiftedRow shifted = Shift(row);
    for (Real& x : row) x = Exp(x - shifted.largest) / shifted.sum_of_exps;
  });
}

void LogSoftmax(OpContext& context) {
  SoftmaxRows(context, [](std::span<Real> row) {
    const ShiftedRow shifted = Shift(row);
    const Real log_sum = Log(shifted.sum_of_exps);
    for (Real& x : row) x = (x - shifted.largest) - log_sum;
  });
}

constexpr KernelRow kRows[] = {
    {"Softmax", Softmax},
    {"LogSoftmax", LogSoftmax},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ActivationSoftmax() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

#include "reference/index.h"
#include "reference/ops/elementwise.h"
#include "reference/ops/softmax.h"

namespace plumb::reference {
namespace {

// NaN stays NaN; an argument that may have either sign may be cut off or not.
Real ReluOf(Real x) { return IsNan(x) ? x : TakenIf(x > 0, x, 0, x); }
Integer ReluOf(Integer x) { return Max(x, 0); }
Real ReluGradOf(Real dy, Real x) { return TakenIf(x > 0, x, 0, dy); }
Integer ReluGradOf(Integer dy, Integer x) { return x > 0 ? dy : Integer(0); }

template <class N>
N TanhGradOf(N y, N dy) {
  return dy * (N(1.0) - y * y);
}
template <class N>
N SigmoidGradOf(N y, N dy) {
  return dy * (N(1.0) - y) * y;
}

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
    {"Relu", [](OpContext& c) { Unary<Real, Integer>(c, [](auto x) { return ReluOf(x); }); }},
    {"ReluGrad",
     [](OpContext& c) { OwnGradient<Real, Integer>(c, [](auto dy, auto x) { return ReluGradOf(dy, x); }); }},
    {"Tanh", [](OpContext& c) { Unary<Real, Complex>(c, [](auto x) { return Tanh(x); }); }},
    {"TanhGrad",
     [](OpContext& c) { OwnGradient<Real, Complex>(c, [](auto y, auto dy) { return TanhGradOf(y, dy); }); }},
    {"Sigmoid", [](OpContext& c) { Unary<Real, Complex>(c, [](auto x) { return Sigmoid(x); }); }},
    {"SigmoidGrad",
     [](OpContext& c) { OwnGradient<Real, Complex>(c, [](auto y, auto dy) { return SigmoidGradOf(y, dy); }); }},
    {"Softmax", Softmax},
    {"LogSoftmax", LogSoftmax},
};

}  // namespace

std::span<const KernelRow> ActivationKernels() { return kRows; }

}  // namespace plumb::reference

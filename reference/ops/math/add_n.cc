#include <algorithm>
#include <cmath>

#include "reference/kernel/op_context.h"
#include "reference/numbers/numbers_io.h"
#include "reference/ops/lib/variant_arithmetic.h"

namespace plumb::reference {
namespace {

// N19.
bool IsNegativeZero(Real x) { return x.v == 0 && std::signbit(x.v); }
template <class N>
bool IsNegativeZero(const N&) {
  return false;
}

void SumOfInputs(OpContext& context) {
  const Tensor& first = context.tensor(0);
  ForNumber(first.dtype(), [&](auto kind) {
    using N = typename decltype(kind)::Type;
    std::vector<Array<N>> terms;
    for (int i = 0; i < context.num_inputs(); ++i) {
      Require(context.tensor(i).shape() == first.shape(), "the terms of a sum must have one shape, but input ", i,
              " has ", context.tensor(i).shape().ToString(), " and input 0 ", first.shape().ToString());
      terms.push_back(Load<N>(context.input(i)));
    }
    auto sum = MakeArray<N>(first.dtype(), first.shape());
    for (int64_t i = 0; i < first.elements(); ++i) {
      SumOf<N> total;
      for (const auto& term : terms) total.Add(term[i]);
      const bool negative =
          std::all_of(terms.begin(), terms.end(), [i](const auto& t) { return IsNegativeZero(t[i]); });
      sum[i] = negative ? -total.Result() : total.Result();
    }
    context.Output(0, Store(sum));
  });
}

// One variant, as an input of a sum.
const Variant& VariantInput(const OpContext& context, int i) {
  const Tensor& tensor = context.tensor(i);
  Require(tensor.rank() == 0, "a variant that is added is a scalar, but input ", i, " has the shape ",
          tensor.shape().ToString());
  return tensor.data<Variant>()[0];
}

void SumOfVariants(OpContext& context) {
  Variant sum = VariantInput(context, 0);
  for (int i = 1; i < context.num_inputs(); ++i) sum = Added(sum, VariantInput(context, i));
  context.Output(0, MakeScalar(std::move(sum)));
}

// R31: a single term is handed on.
void AddN(OpContext& context) {
  const DType type = context.tensor(0).dtype();
  if (context.num_inputs() > 1) return type == DType::kVariant ? SumOfVariants(context) : SumOfInputs(context);
  if (type == DType::kVariant) return context.Output(0, context.input(0));
  ForNumber(type, [&](auto) { context.Output(0, context.input(0)); });
}

constexpr KernelRow kRows[] = {
    {"AddN", AddN},
    {"AccumulateNV2", SumOfInputs},
};

}  // namespace

namespace topics {
std::span<const KernelRow> MathAddN() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

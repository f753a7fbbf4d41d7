// Reductions over axes: each output element is folded from the elements that share its other coordinates.
#include <limits>

#include "reference/kernel/op_context.h"
#include "reference/numbers/element.h"
#include "reference/numbers/index.h"
#include "reference/numbers/narrow_sums.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
namespace {

struct Reduction {
  Shape kept;                    // the output's shape
  std::vector<int64_t> strides;  // of the output's elements along the input's axes; 0: reduced
  int64_t count = 0;             // input elements per output element
};

Reduction ReductionOf(const OpContext& context) {
  const Shape& shape = context.tensor(0).shape();
  std::vector<bool> reduced(shape.rank(), false);
  const Tensor& axes = context.tensor(1);  // of any shape
  for (const int64_t entry : IntegersOf(axes.Reshaped({axes.elements()}), "reduction_indices")) {
    const int axis = ResolveAxis(entry, shape.rank(), "reduction axis");
    Require(!reduced[axis], "the reduction axis ", axis, " is named twice");
    reduced[axis] = true;
  }
  std::vector<int64_t> dims, with_ones;
  Reduction reduction;
  reduction.count = 1;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    with_ones.push_back(reduced[axis] ? 1 : shape.dim(axis));
    if (!reduced[axis]) dims.push_back(shape.dim(axis));
  }
  const Shape ones(with_ones);
  reduction.kept = context.attr<bool>("keep_dims") ? ones : Shape(dims);
  CheckResultSize(reduction.kept);
  reduction.count = ones.elements() == 0 ? 0 : shape.elements() / ones.elements();
  reduction.strides = Strides(ones);
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (reduced[axis]) reduction.strides[axis] = 0;
  }
  return reduction;
}

// Calls f(p, x) for each input element x, in order; p is the output element that it belongs to.
template <class N, class F>
void ForEachTerm(const OpContext& context, const Reduction& reduction, F f) {
  const Reader<N> x(context.input(0));
  Walk to(x.shape(), reduction.strides);
  for (int64_t i = 0; i < x.size(); ++i) {
    f(to.position(), x[i]);
    to.Next();
  }
}

// R31: where every output element has one input element, the input is handed on.
bool Forwards(OpContext& context, const Reduction& reduction) {
  if (reduction.count != 1) return false;
  context.Output(0, Reshaped(context.input(0), reduction.kept));
  return true;
}

// result[p] = finish(sum of the elements of p). The 16-bit types are summed in float. N19: sums begin with +0, but one
// element alone is its own sum.
template <class F>
void SumUp(OpContext& context, F finish) {
  const DType dtype = context.tensor(0).dtype();
  const Reduction reduction = ReductionOf(context);
  ForNumber(dtype, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    if (Forwards(context, reduction)) return;
    ComputeIn(AccumulatorOf(dtype));
    AllowNarrowSums(dtype);
    auto result = MakeArray<N>(dtype, reduction.kept);
    std::vector<SumOf<N>> sums(reduction.kept.elements());
    ForEachTerm<N>(context, reduction, [&](int64_t p, N x) { sums[p].Add(x); });
    for (size_t i = 0; i < sums.size(); ++i) result.at[i] = finish(sums[i].Result(), reduction.count);
    context.Output(0, Store(result));
  });
}

Real Quotient(Real sum, int64_t count) { return sum / Real(static_cast<double>(count)); }
Complex Quotient(Complex sum, int64_t count) {
  if (count == 0) return {};
  return {Quotient(sum.re, count), Quotient(sum.im, count)};
}
// N17: the sum of integers is kept in 64 bits.
Integer Quotient(Integer sum, int64_t count, DType dtype) {
  const bool is_signed = Wrap(-1, dtype) < 0;
  return count == 0 ? Integer(0) : Wrap(sum, is_signed ? DType::kInt64 : DType::kUint64) / Integer(count);
}

void Mean(OpContext& context) {
  const DType dtype = context.tensor(0).dtype();
  SumUp(context, [&](auto sum, int64_t count) {
    if constexpr (std::is_same_v<decltype(sum), Integer>) return Quotient(sum, count, dtype);
    if constexpr (!std::is_same_v<decltype(sum), Integer>) return Quotient(sum, count);
  });
}

// result[p] = step(… step(start, x₀) …, xₙ).
template <class... Kinds, class Start, class Step>
void Fold(OpContext& context, Start start, Step step) {
  const DType dtype = context.tensor(0).dtype();
  const Reduction reduction = ReductionOf(context);
  ForKind<Kinds...>(dtype, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    if (Forwards(context, reduction)) return;
    auto result = MakeArray<N>(dtype, reduction.kept, start(dtype, kind));
    ForEachTerm<N>(context, reduction, [&](int64_t p, N x) { result[p] = step(result[p], x); });
    context.Output(0, Store(result));
  });
}

void Prod(OpContext& context) {
  const DType dtype = context.tensor(0).dtype();
  const Reduction reduction = ReductionOf(context);
  ForNumber(dtype, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    if (Forwards(context, reduction)) return;
    std::vector<Product<N>> products(reduction.kept.elements());
    ForEachTerm<N>(context, reduction, [&](int64_t p, N x) { products[p].Multiply(x); });
    auto result = MakeArray<N>(dtype, reduction.kept);
    for (size_t i = 0; i < products.size(); ++i) result.at[i] = products[i].Result();
    context.Output(0, Store(result));
  });
}

Integer SmallestOf(DType dtype) {
  Integer smallest = 0;
  VisitType(dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    if constexpr (std::is_integral_v<T>) smallest = std::numeric_limits<T>::min();
    if constexpr (requires(T t) { t.value; }) smallest = std::numeric_limits<decltype(T::value)>::min();
  });
  return smallest;
}
Integer LargestOf(DType dtype) { return Wrap(SmallestOf(dtype) - 1, dtype); }

// Squares that are subnormal may be lost.
void AddSquare(Sum& sum, Real x) {
  sum.AddProduct(x, x);
  sum.Add({0, x.v == 0 ? 0 : arithmetic.tiny, 0});
}
void AddSquare(Sum& sum, Complex z) {
  AddSquare(sum, z.re);
  AddSquare(sum, z.im);
}

// Integers wrap around in their type; a negative sum has no root, and the smallest int32 stands for it, or int64, cut
// to the width.
Integer RootOf(Integer sum, DType dtype) {
  const Integer wrapped = Wrap(sum, dtype);
  if (wrapped < 0) return Wrap(SmallestOf(dtype == DType::kInt64 ? DType::kInt64 : DType::kInt32), dtype);
  const bool is_wide = wrapped > Integer(std::numeric_limits<int64_t>::max());
  const double number = is_wide ? static_cast<double>(static_cast<uint64_t>(wrapped.v)) : static_cast<double>(wrapped);
  return {static_cast<int64_t>(std::sqrt(number))};
}

void EuclideanNorm(OpContext& context) {
  const DType dtype = context.tensor(0).dtype();
  const Reduction reduction = ReductionOf(context);
  ForNumber(dtype, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    auto result = MakeArray<N>(dtype, reduction.kept);
    SumNarrowProductsOf(dtype);
    if constexpr (std::is_same_v<N, Integer>) {
      ForEachTerm<N>(context, reduction, [&](int64_t p, N x) { result[p] += x * x; });
      for (N& sum : result.at) sum = RootOf(sum, dtype);
    } else {
      std::vector<Sum> sums(static_cast<size_t>(reduction.kept.elements()));
      ForEachTerm<N>(context, reduction, [&](int64_t p, N x) { AddSquare(sums[static_cast<size_t>(p)], x); });
      for (size_t i = 0; i < sums.size(); ++i) result.at[i] = N(Sqrt(sums[i].Result()));
    }
    context.Output(0, Store(result));
  });
}

struct Smallest {
  Real operator()(DType, TypeTag<Real>) const { return -INFINITY; }
  Integer operator()(DType dtype, TypeTag<Integer>) const { return SmallestOf(dtype); }
};
struct Largest {
  Real operator()(DType, TypeTag<Real>) const { return INFINITY; }
  Integer operator()(DType dtype, TypeTag<Integer>) const { return LargestOf(dtype); }
};
constexpr auto kOne = [](DType, auto kind) { return typename decltype(kind)::Type(1); };
constexpr auto kZero = [](DType, auto kind) { return typename decltype(kind)::Type(0); };

constexpr KernelRow kRows[] = {
    {"Sum", [](OpContext& c) { SumUp(c, [](auto sum, int64_t) { return sum; }); }},
    {"Mean", Mean},
    {"Prod", Prod},
    {"EuclideanNorm", EuclideanNorm},
    // N12: of equals the last.
    {"Max", [](OpContext& c) { Fold<Real, Integer>(c, Smallest(), [](auto a, auto b) { return Max(b, a); }); }},
    {"Min", [](OpContext& c) { Fold<Real, Integer>(c, Largest(), [](auto a, auto b) { return Min(b, a); }); }},
    {"All", [](OpContext& c) { Fold<Integer>(c, kOne, [](auto a, auto b) { return a * b; }); }},
    {"Any", [](OpContext& c) { Fold<Integer>(c, kZero, [](auto a, auto b) { return Max(a, b); }); }},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ReductionReduce() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

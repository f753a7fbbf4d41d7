#include "reference/kernel/op_context.h"
#include "reference/numbers/element.h"
#include "reference/ops/lib/optimizer_update.h"

namespace plumb::reference {
namespace {

// What an update is told, in the order of its inputs; the second version has l2_shrinkage.
template <class N>
struct Numbers {
  N lr, l1, l2, shrinkage, power;
};
template <class N>
Numbers<N> NumbersOf(OpContext& c, int first, bool shrinks) {
  const auto number = [&](int i) { return Hyperparameter<N>(c, first + i); };
  return {number(0), number(1), number(2), shrinks ? number(3) : N(0.0), number(shrinks ? 4 : 3)};
}

// R66. By rows TensorFlow divides also where linear does not exceed the threshold and nothing is left of it.
template <class N>
auto FtrlFormula(OpContext& c, const Numbers<N>& told, bool shrinks, bool by_rows) {
  const bool scaled = c.attr<bool>("multiply_linear_by_lr");
  const N lr = told.lr, threshold = scaled ? told.l1 * lr : told.l1, penalty = scaled ? 2 * told.l2 * lr : 2 * told.l2,
          shrinkage = 2 * told.shrinkage;
  return [=, power = told.power](Slots<N> slots, const N& g) {
    N &v = slots[0], &n = slots[1], &linear = slots[2];
    const auto root = [&](N accumulated) { return power == -0.5 ? Sqrt(accumulated) : Pow(accumulated, -power); };
    const N grown = Overflowing(n + Squared(g)), pull = shrinks ? g + shrinkage * v : g;
    const N change = (root(grown) - root(n)) * v;
    linear += scaled ? pull * lr - change : pull - change / lr;
    const N quadratic = scaled ? root(grown) + penalty : root(grown) / lr + penalty;
    const N size = Abs(linear);
    v = TakenIf(size > threshold, size, Plain(threshold), (Sign(linear) * threshold - linear) / quadratic);
    if (by_rows && !(size > threshold)) SetPlain(v, (Plain(linear) - Plain(linear)) / Plain(quadratic));
    n = Overflowing(n + Squared(g));
  };
}

// R66: the sparse form alone looks at its numbers.
template <class N>
Numbers<N> CheckedNumbers(OpContext& c, bool shrinks) {
  const Numbers<N> told = NumbersOf<N>(c, 5, shrinks);
  const auto& [lr, l1, l2, shrinkage, power] = told;
  Require(lr > 0 || (c.attr<bool>("multiply_linear_by_lr") && lr == 0), "lr must be positive, not ", Plain(lr));
  Require(l1 >= 0 && l2 >= 0 && shrinkage >= 0, "l1, l2 and l2_shrinkage must not be negative: ", Plain(l1), ", ",
          Plain(l2), ", ", Plain(shrinkage));
  Require(power <= 0, "lr_power must not be positive: ", Plain(power));
  return told;
}

template <bool shrinks>
void Ftrl(OpContext& c) {
  UpdateDense<Real>(c, {.slots = 3, .gradient = 3}, [&](auto kind) {
    return FtrlFormula(c, NumbersOf<typename decltype(kind)::Type>(c, 4, shrinks), shrinks, /*by_rows=*/false);
  });
}
template <bool shrinks>
void SparseFtrl(OpContext& c) {
  UpdateRows<Real>(c, {.slots = 3, .gradient = 3, .indices = 4, .refuses_empty_rows = true}, [&](auto kind) {
    return FtrlFormula(c, CheckedNumbers<typename decltype(kind)::Type>(c, shrinks), shrinks, /*by_rows=*/true);
  });
}

constexpr KernelRow kRows[] = {
    {"ApplyFtrl", Ftrl<false>},          {"SparseApplyFtrl", SparseFtrl<false>},
    {"ResourceApplyFtrl", Ftrl<false>},  {"ResourceSparseApplyFtrl", SparseFtrl<false>},
    {"ApplyFtrlV2", Ftrl<true>},         {"SparseApplyFtrlV2", SparseFtrl<true>},
    {"ResourceApplyFtrlV2", Ftrl<true>}, {"ResourceSparseApplyFtrlV2", SparseFtrl<true>},
};

}  // namespace

namespace topics {
std::span<const KernelRow> OptimizerFtrl() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

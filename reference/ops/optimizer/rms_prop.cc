#include "reference/kernel/op_context.h"
#include "reference/numbers/element.h"
#include "reference/ops/lib/optimizer_update.h"

namespace plumb::reference {
namespace {

// R64: a moving average; the sparse forms weigh its two parts.
template <class N>
void MoveTowards(N& average, const N& sample, const N& rho, bool by_parts) {
  const N rest = N(1.0) - rho;
  average = by_parts ? average * rho + sample * rest : average + (sample - average) * rest;
}

// The order counts where a product overflows.
template <class N>
N ScaledStep(const N& g, const N& lr, const N& square, bool by_parts) {
  return by_parts ? Rsqrt(square) * lr * g : g * lr / Sqrt(square);
}

// R64: mom = mu·mom + lr·g/√(ms + ε); v −= mom.
template <class N>
auto Formula(OpContext& c, bool by_parts) {
  return [lr = Hyperparameter<N>(c, 3), rho = Hyperparameter<N>(c, 4), mu = Hyperparameter<N>(c, 5),
          epsilon = Hyperparameter<N>(c, 6), by_parts](Slots<N> slots, const N& g) {
    N &v = slots[0], &ms = slots[1], &mom = slots[2];
    MoveTowards(ms, Squared(g), rho, by_parts);
    mom = mom * mu + ScaledStep(N(g), lr, ms + epsilon, by_parts);
    v -= mom;
  };
}
void RmsProp(OpContext& c) {
  UpdateDense<Real, Complex>(c, {.slots = 3, .gradient = 7},
                             [&](auto kind) { return Formula<typename decltype(kind)::Type>(c, false); });
}
void SparseRmsProp(OpContext& c) {
  UpdateRows<Real, Complex>(c, {.slots = 3, .gradient = 7, .indices = 8},
                            [&](auto kind) { return Formula<typename decltype(kind)::Type>(c, true); });
}

// R64: the same with the variance ms − mg² in the place of ms.
template <class N>
auto CenteredFormula(OpContext& c, bool by_parts) {
  return [lr = Hyperparameter<N>(c, 4), rho = Hyperparameter<N>(c, 5), mu = Hyperparameter<N>(c, 6),
          epsilon = Hyperparameter<N>(c, 7), by_parts](Slots<N> slots, const N& g) {
    N &v = slots[0], &mg = slots[1], &ms = slots[2], &mom = slots[3];
    MoveTowards(ms, Squared(g), rho, by_parts);
    MoveTowards(mg, N(g), rho, by_parts);
    const N variance = by_parts ? ms + epsilon - Squared(mg) : ms - Squared(mg) + epsilon;
    mom = mom * mu + ScaledStep(N(g), lr, variance, by_parts);
    v -= mom;
  };
}
void CenteredRmsProp(OpContext& c) {
  UpdateDense<Real, Complex>(c, {.slots = 4, .gradient = 8},
                             [&](auto kind) { return CenteredFormula<typename decltype(kind)::Type>(c, false); });
}
void SparseCenteredRmsProp(OpContext& c) {
  UpdateRows<Real, Complex>(c, {.slots = 4, .gradient = 8, .indices = 9},
                            [&](auto kind) { return CenteredFormula<typename decltype(kind)::Type>(c, true); });
}

constexpr KernelRow kRows[] = {
    {"ApplyRMSProp", RmsProp},
    {"SparseApplyRMSProp", SparseRmsProp},
    {"ResourceApplyRMSProp", RmsProp},
    {"ResourceSparseApplyRMSProp", SparseRmsProp},
    {"ApplyCenteredRMSProp", CenteredRmsProp},
    {"SparseApplyCenteredRMSProp", SparseCenteredRmsProp},
    {"ResourceApplyCenteredRMSProp", CenteredRmsProp},
    {"ResourceSparseApplyCenteredRMSProp", SparseCenteredRmsProp},
};

}  // namespace

namespace topics {
std::span<const KernelRow> OptimizerRmsProp() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

#include "reference/kernel/op_context.h"
#include "reference/numbers/element.h"
#include "reference/ops/lib/optimizer_update.h"

namespace plumb::reference {
namespace {

// R65.
void Adam(OpContext& c) {
  const bool nesterov = c.attr<bool>("use_nesterov");
  UpdateDense<Real, Complex>(c, {.slots = 3, .gradient = 9}, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const N one = N(1.0), power1 = Hyperparameter<N>(c, 3), power2 = Hyperparameter<N>(c, 4);
    const N b1 = Hyperparameter<N>(c, 6), b2 = Hyperparameter<N>(c, 7), epsilon = Hyperparameter<N>(c, 8);
    const N alpha = Hyperparameter<N>(c, 5) * Sqrt(one - power2) / (one - power1);
    return [=](Slots<N> slots, const N& g) {
      N &v = slots[0], &m = slots[1], &s = slots[2];
      m += (g - m) * (one - b1);
      s += (Squared(g) - s) * (one - b2);
      const N step = nesterov ? g * (one - b1) + b1 * m : m;
      v -= step * alpha / (Sqrt(s) + epsilon);
    };
  });
}

// What is not a number is not greater.
template <class N>
N Greater(const N& kept, const N& other) {
  return IsNan(kept) || IsNan(other) ? kept : Max(kept, other);
}

void Amsgrad(OpContext& c) {
  UpdateDense<Real>(c, {.slots = 4, .gradient = 10}, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const N one(1.0), b1 = Hyperparameter<N>(c, 7), b2 = Hyperparameter<N>(c, 8);
    const N power1 = Hyperparameter<N>(c, 4), power2 = Hyperparameter<N>(c, 5);
    const N alpha = Hyperparameter<N>(c, 6) * Sqrt(one - power2) / (one - power1);
    return [=, epsilon = Hyperparameter<N>(c, 9)](Slots<N> slots, const N& g) {
      N &v = slots[0], &m = slots[1], &s = slots[2], &greatest = slots[3];
      m += (g - m) * (one - b1);
      s += (Squared(g) - s) * (one - b2);
      greatest = Greater(greatest, s);
      v -= m * alpha / (Sqrt(greatest) + epsilon);
    };
  });
}

void AdaMax(OpContext& c) {
  UpdateDense<Real>(c, {.slots = 3, .gradient = 8}, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const N one(1.0), b1 = Hyperparameter<N>(c, 5), b2 = Hyperparameter<N>(c, 6);
    const N alpha = Hyperparameter<N>(c, 4) / (one - Hyperparameter<N>(c, 3));
    return [=, epsilon = Hyperparameter<N>(c, 7)](Slots<N> slots, const N& g) {
      N &v = slots[0], &m = slots[1], &s = slots[2];
      m += (g - m) * (one - b1);
      s = Greater(b2 * s, Abs(g));
      v -= alpha * (m / (s + epsilon));
    };
  });
}

constexpr KernelRow kRows[] = {
    {"ApplyAdam", Adam},     {"ResourceApplyAdam", Adam},     {"ResourceApplyAdamWithAmsgrad", Amsgrad},
    {"ApplyAdaMax", AdaMax}, {"ResourceApplyAdaMax", AdaMax},
};

}  // namespace

namespace topics {
std::span<const KernelRow> OptimizerAdam() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

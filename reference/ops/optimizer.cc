// Optimizer updates (rules R60–R69): one formula per optimizer, over all elements or over the rows that indices name.
#include "reference/element.h"
#include "reference/ops/optimizer_update.h"

namespace plumb::reference {
namespace {

// R60: v −= alpha·g.
void GradientDescent(OpContext& c) {
  UpdateDense<Real, Complex>(c, {.slots = 1, .gradient = 2}, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    return [alpha = Hyperparameter<N>(c, 1)](std::span<N> slots, N g) { slots[0] -= alpha * g; };
  });
}

// R61: a = a·mu + g; v −= lr·a, or lr·g + lr·mu·a.
void Momentum(OpContext& c) {
  const bool nesterov = c.attr<bool>("use_nesterov");
  UpdateDense<Real, Complex>(c, {.slots = 2, .gradient = 3}, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    return [nesterov, lr = Hyperparameter<N>(c, 2), mu = Hyperparameter<N>(c, 4)](std::span<N> slots, N g) {
      N &v = slots[0], &a = slots[1];
      a = a * mu + g;
      v -= nesterov ? g * lr + a * mu * lr : a * lr;
    };
  });
}

// R62: a += g²; v −= lr·g/√a.
template <class N>
auto AdagradFormula(OpContext& c, int lr_input) {
  return [lr = Hyperparameter<N>(c, lr_input), update_slots = c.attr<bool>("update_slots")](std::span<N> slots, N g) {
    N &v = slots[0], &a = slots[1];
    if (update_slots) a += g * g;
    v -= g * lr * Rsqrt(a);
  };
}
void Adagrad(OpContext& c) {
  UpdateDense<Real, Complex>(c, {.slots = 2, .gradient = 3},
                             [&](auto kind) { return AdagradFormula<typename decltype(kind)::Type>(c, 2); });
}
void SparseAdagrad(OpContext& c) {
  UpdateRows<Real, Complex>(c, {.slots = 2, .gradient = 3, .indices = 4},
                            [&](auto kind) { return AdagradFormula<typename decltype(kind)::Type>(c, 2); });
}

// R64: ms += (1 − rho)·(g² − ms); mom = mu·mom + lr·g/√(ms + epsilon); v −= mom.
void RmsProp(OpContext& c) {
  UpdateDense<Real, Complex>(c, {.slots = 3, .gradient = 7}, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const N lr = Hyperparameter<N>(c, 3), rho = Hyperparameter<N>(c, 4), mu = Hyperparameter<N>(c, 5),
            epsilon = Hyperparameter<N>(c, 6);
    return [=](std::span<N> slots, N g) {
      N &v = slots[0], &ms = slots[1], &mom = slots[2];
      ms += (g * g - ms) * (N(1.0) - rho);
      mom = mom * mu + g * lr / Sqrt(ms + epsilon);
      v -= mom;
    };
  });
}

// R65.
void Adam(OpContext& c) {
  const bool nesterov = c.attr<bool>("use_nesterov");
  UpdateDense<Real, Complex>(c, {.slots = 3, .gradient = 9}, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const N one = N(1.0), power1 = Hyperparameter<N>(c, 3), power2 = Hyperparameter<N>(c, 4);
    const N b1 = Hyperparameter<N>(c, 6), b2 = Hyperparameter<N>(c, 7), epsilon = Hyperparameter<N>(c, 8);
    const N alpha = Hyperparameter<N>(c, 5) * Sqrt(one - power2) / (one - power1);
    return [=](std::span<N> slots, N g) {
      N &v = slots[0], &m = slots[1], &s = slots[2];
      m += (g - m) * (one - b1);
      s += (g * g - s) * (one - b2);
      const N step = nesterov ? g * (one - b1) + b1 * m : m;
      v -= step * alpha / (Sqrt(s) + epsilon);
    };
  });
}

// R66: p = −lr_power; with multiply_linear_by_lr, linear and the penalties are kept multiplied by lr.
auto FtrlFormula(OpContext& c, int first) {
  const Real lr = Hyperparameter<Real>(c, first), l1 = Hyperparameter<Real>(c, first + 1),
             l2 = Hyperparameter<Real>(c, first + 2), power = Hyperparameter<Real>(c, first + 3);
  const bool scaled = c.attr<bool>("multiply_linear_by_lr");
  Require(lr > 0 || (scaled && lr == 0), "lr must be positive, not ", lr.v);
  Require(l1 >= 0 && l2 >= 0, "l1 and l2 must not be negative: ", l1.v, ", ", l2.v);
  Require(power <= 0, "lr_power must not be positive: ", power.v);
  const Real threshold = scaled ? l1 * lr : l1, penalty = scaled ? 2 * l2 * lr : 2 * l2;
  return [=](std::span<Real> slots, Real g) {
    Real &v = slots[0], &n = slots[1], &linear = slots[2];
    const auto root = [&](Real accumulated) { return power == -0.5 ? Sqrt(accumulated) : Pow(accumulated, -power); };
    const Real grown = n + g * g;
    const Real change = (root(grown) - root(n)) * v;
    linear += scaled ? g * lr - change : g - change / lr;
    const Real quadratic = scaled ? root(grown) + penalty : root(grown) / lr + penalty;
    const Real size = Abs(linear);
    v = TakenIf(size > threshold, size, threshold.v, (Sign(linear) * threshold - linear) / quadratic);
    n = grown;
  };
}
void Ftrl(OpContext& c) {
  UpdateDense<Real>(c, {.slots = 3, .gradient = 3}, [&](auto) { return FtrlFormula(c, 4); });
}
void SparseFtrl(OpContext& c) {
  UpdateRows<Real>(c, {.slots = 3, .gradient = 3, .indices = 4}, [&](auto) { return FtrlFormula(c, 5); });
}

constexpr KernelRow kRows[] = {
    {"ApplyGradientDescent", GradientDescent},
    {"ResourceApplyGradientDescent", GradientDescent},
    {"ApplyMomentum", Momentum},
    {"ResourceApplyMomentum", Momentum},
    {"ApplyAdagrad", Adagrad},
    {"SparseApplyAdagrad", SparseAdagrad},
    {"ApplyRMSProp", RmsProp},
    {"ApplyAdam", Adam},
    {"ApplyFtrl", Ftrl},
    {"SparseApplyFtrl", SparseFtrl},
};

}  // namespace

std::span<const KernelRow> OptimizerKernels() { return kRows; }

}  // namespace plumb::reference

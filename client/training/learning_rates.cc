#include "client/training/learning_rates.h"

#include <cmath>
#include <numbers>

namespace plumb {
namespace {

void CheckScalar(Output step) {
  Require(step.shape().rank() <= 0, "the step '", step.name(), "' of a learning rate must be a scalar, not of shape ",
          step.shape().ToString());
}

Output Position(Output step) {
  CheckScalar(step);
  return AsType(step, DType::kFloat);
}

// Steps are counted one by one, also beyond those that float32 can tell apart.
Output IsAtMost(Scope& scope, Output step, int64_t boundary) {
  if (IsFloating(step.dtype())) return step <= static_cast<double>(boundary);
  return AsType(step, DType::kInt64) <= Constant(scope, boundary);
}

Output Number(Scope& scope, double value) { return Constant(scope, static_cast<float>(value)); }

Output Elapsed(Output step, int64_t decay_steps) {
  Require(decay_steps > 0, "a learning rate cannot decay over ", decay_steps, " steps; decay_steps must be positive");
  return Position(step) / static_cast<double>(decay_steps);
}
Output Elapsed(Scope& scope, Output step, const DecayOptions& options) {
  const Output elapsed = Elapsed(step, options.decay_steps);
  return options.staircase ? scope.Call("Floor", {elapsed}) : elapsed;
}

// At most all of the decay.
Output ElapsedAtMostOne(Scope& scope, Output step, int64_t decay_steps) {
  return scope.Call("Minimum", {Elapsed(step, decay_steps), Number(scope, 1)});
}

// Of the decay that the step lies in: the first is as long as decay_steps, the next one ends at twice as many.
Output ElapsedInCycle(Scope& scope, Output step, int64_t decay_steps) {
  const Output elapsed = Elapsed(step, decay_steps);
  const Output cycles = scope.Call("Maximum", {scope.Call("Ceil", {elapsed}), Number(scope, 1)});
  return elapsed / cycles;
}

Output LinearCosine(Scope& scope, Output part, Output left, const LinearCosineOptions& options) {
  const Output cosine = (scope.Call("Cos", {part * (2 * std::numbers::pi * options.num_periods)}) + 1) * 0.5;
  return ((left + options.alpha) * cosine + options.beta) * options.learning_rate;
}

}  // namespace

Output ExponentialDecay(Scope& scope, Output step, const DecayOptions& options) {
  const auto named = scope.Sub("exponential_decay");
  const Output elapsed = Elapsed(scope, step, options);
  return scope.Call("Pow", {Number(scope, options.decay_rate), elapsed}) * options.learning_rate;
}

Output NaturalExponentialDecay(Scope& scope, Output step, const DecayOptions& options) {
  const auto named = scope.Sub("natural_exp_decay");
  const Output elapsed = Elapsed(scope, step, options);
  return scope.Call("Exp", {elapsed * -options.decay_rate}) * options.learning_rate;
}

Output InverseTimeDecay(Scope& scope, Output step, const DecayOptions& options) {
  const auto named = scope.Sub("inverse_time_decay");
  return options.learning_rate / (Elapsed(scope, step, options) * options.decay_rate + 1);
}

Output PolynomialDecay(Scope& scope, Output step, const PolynomialDecayOptions& options) {
  const auto named = scope.Sub("polynomial_decay");
  const Output elapsed = options.cycle ? ElapsedInCycle(scope, step, options.decay_steps)
                                       : ElapsedAtMostOne(scope, step, options.decay_steps);
  const Output left = scope.Call("Pow", {1 - elapsed, Number(scope, options.power)});
  return left * (options.learning_rate - options.end_learning_rate) + options.end_learning_rate;
}

Output CosineDecay(Scope& scope, Output step, const CosineDecayOptions& options) {
  const auto named = scope.Sub("cosine_decay");
  const Output elapsed = ElapsedAtMostOne(scope, step, options.decay_steps);
  const Output left = (scope.Call("Cos", {elapsed * std::numbers::pi}) + 1) * 0.5;
  return (left * (1 - options.alpha) + options.alpha) * options.learning_rate;
}

Output CosineDecayRestarts(Scope& scope, Output step, const CosineRestartsOptions& options) {
  Require(options.t_mul >= 1, "decays cannot become shorter: t_mul must be at least 1, not ", options.t_mul);
  const auto named = scope.Sub("sgdr_decay");
  const Output elapsed = Elapsed(step, options.first_decay_steps);
  Output restarts, within;
  if (options.t_mul == 1) {
    restarts = scope.Call("Floor", {elapsed});
    within = elapsed - restarts;
  } else {
    const double growth = options.t_mul - 1;
    restarts = scope.Call("Floor", {scope.Call("Log", {elapsed * growth + 1}) / std::log(options.t_mul)});
    const Output length = scope.Call("Pow", {Number(scope, options.t_mul), restarts});
    within = (elapsed - (length - 1) / growth) / length;
  }
  const Output height = scope.Call("Pow", {Number(scope, options.m_mul), restarts}) * 0.5;
  const Output left = height * (scope.Call("Cos", {within * std::numbers::pi}) + 1);
  return (left * (1 - options.alpha) + options.alpha) * options.learning_rate;
}

Output LinearCosineDecay(Scope& scope, Output step, const LinearCosineOptions& options) {
  const auto named = scope.Sub("linear_cosine_decay");
  const Output part = ElapsedAtMostOne(scope, step, options.decay_steps);
  return LinearCosine(scope, part, 1 - part, options);
}

Output NoisyLinearCosineDecay(Scope& scope, Output step, const LinearCosineOptions& options, double initial_variance,
                              double variance_decay, int64_t seed) {
  const auto named = scope.Sub("noisy_linear_cosine_decay");
  const Output part = ElapsedAtMostOne(scope, step, options.decay_steps);
  // TensorFlow takes the step that is at most decay_steps here too.
  const Output steps = part * static_cast<double>(options.decay_steps) + 1;
  const Output variance = initial_variance / scope.Call("Pow", {steps, Number(scope, variance_decay)});
  const Output normal = scope.Call("RandomStandardNormal", {Constant(scope, Tensor(DType::kInt32, {0}))},
                                   {{"dtype", DType::kFloat}, {"seed", seed}, {"seed2", int64_t{1}}});
  return LinearCosine(scope, part, 1 - part + normal * scope.Call("Sqrt", {variance}), options);
}

Output PiecewiseConstant(Scope& scope, Output step, const std::vector<int64_t>& boundaries,
                         const std::vector<double>& rates) {
  Require(rates.size() == boundaries.size() + 1,
          "a rate that is constant in pieces needs one rate more than boundaries, not ", rates.size(), " for ",
          boundaries.size());
  for (size_t i = 1; i < boundaries.size(); ++i) {
    Require(boundaries[i - 1] < boundaries[i], "boundaries must grow, but ", boundaries[i], " follows ",
            boundaries[i - 1]);
  }
  const auto named = scope.Sub("piecewise_constant");
  CheckScalar(step);
  Output rate = Number(scope, rates.back());
  for (size_t i = boundaries.size(); i-- > 0;) {
    rate = scope.Call("Select", {IsAtMost(scope, step, boundaries[i]), Number(scope, rates[i]), rate});
  }
  return rate;
}

}  // namespace plumb

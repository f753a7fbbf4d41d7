// Learning rates that change with the step: float32 scalars for an optimizer's Rate.
//
// `step` counts the steps so far, an integer or float scalar such as the value of MakeGlobalStep. A decay is over when
// `step` has reached `decay_steps`, or goes on where the formula does; both follow tf.train of TensorFlow 1.
#pragma once

#include <cstdint>
#include <vector>

#include "client/scope.h"

namespace plumb {

struct DecayOptions {
  double learning_rate = 0;  // at step 0
  int64_t decay_steps = 1;
  double decay_rate = 0;
  bool staircase = false;  // step / decay_steps rounded down: the rate changes every `decay_steps` steps
};
// learning_rate · decay_rate^(step / decay_steps).
Output ExponentialDecay(Scope& scope, Output step, const DecayOptions& options);
// learning_rate · exp(−decay_rate · step / decay_steps).
Output NaturalExponentialDecay(Scope& scope, Output step, const DecayOptions& options);
// learning_rate / (1 + decay_rate · step / decay_steps).
Output InverseTimeDecay(Scope& scope, Output step, const DecayOptions& options);

struct PolynomialDecayOptions {
  double learning_rate = 0;
  int64_t decay_steps = 1;
  double end_learning_rate = 0.0001;
  double power = 1;
  bool cycle = false;  // beyond decay_steps, decay over twice, three times, … as many steps
};
// (learning_rate − end) · (1 − step / decay_steps)^power + end, with the step at most decay_steps.
Output PolynomialDecay(Scope& scope, Output step, const PolynomialDecayOptions& options);

struct CosineDecayOptions {
  double learning_rate = 0;
  int64_t decay_steps = 1;
  double alpha = 0;  // the share that is left in the end
};
// learning_rate · ((1 − alpha) · ½ (1 + cos(π · step / decay_steps)) + alpha), with the step at most decay_steps.
Output CosineDecay(Scope& scope, Output step, const CosineDecayOptions& options);

struct CosineRestartsOptions {
  double learning_rate = 0;
  int64_t first_decay_steps = 1;
  double t_mul = 2;  // each decay is so many times longer than the one before, at least once
  double m_mul = 1;  // and starts so many times higher
  double alpha = 0;
};
// The decay along a cosine, again and again.
Output CosineDecayRestarts(Scope& scope, Output step, const CosineRestartsOptions& options);

struct LinearCosineOptions {
  double learning_rate = 0;
  int64_t decay_steps = 1;
  double num_periods = 0.5;
  double alpha = 0, beta = 0.001;
};
// learning_rate · ((alpha + left) · ½ (1 + cos(2π · num_periods · part)) + beta), where `part` of the decay_steps is
// done and `left` = 1 − part is to come.
Output LinearCosineDecay(Scope& scope, Output step, const LinearCosineOptions& options);
// The same with noise on `left`, normal with the variance initial_variance / (1 + step)^variance_decay.
Output NoisyLinearCosineDecay(Scope& scope, Output step, const LinearCosineOptions& options,
                              double initial_variance = 1, double variance_decay = 0.55, int64_t seed = 0);

// rates[0] up to the step boundaries[0], rates[1] up to boundaries[1], …, the last one after the last. Boundaries grow;
// there is one rate more than boundaries: else kInvalidArgument.
Output PiecewiseConstant(Scope& scope, Output step, const std::vector<int64_t>& boundaries,
                         const std::vector<double>& rates);

}  // namespace plumb

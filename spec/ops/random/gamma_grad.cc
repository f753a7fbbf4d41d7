#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {

std::span<const OpRow> RandomGammaGrad() {
  static const OpRow rows[] = {
      {.signature = "RandomGammaGrad(alpha: T, sample: T) -> (output: T)",
       .attrs = "T: type in [float32, float64]",
       .doc = "The derivative of a sample of the gamma distribution by its alpha, where the share of the distribution "
              "below the sample stays the same; broadcast.",
       .shape_fn = Broadcasting,
       .cost = 256,
       .accuracy = Composed(4),
       .samples = {"[n] in 0.01..20 [n] in 0.01..20", "[3 1] in 0.1..3 [5] in 0.1..3", "[] in 20..60 [n] in 20..60",
                   "[n] [n]"}},
  };
  return rows;
}

}  // namespace plumb::topics

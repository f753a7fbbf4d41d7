// Classes drawn by the logarithms of their weights (R79).
#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/ops/lib/random_stream.h"

namespace plumb::reference {
namespace {

// Running sums of exp(logit − the largest), which what is not finite adds nothing to.
std::vector<double> RunningWeights(const Reader<Real>& logits, int64_t first, int64_t classes, double least) {
  double largest = least;
  for (int64_t j = 0; j < classes; ++j) {
    if (std::isfinite(logits[first + j].v)) largest = std::max(largest, logits[first + j].v);
  }
  std::vector<double> sums;
  double sum = 0;
  for (int64_t j = 0; j < classes; ++j) {
    if (std::isfinite(logits[first + j].v)) sum += std::exp(logits[first + j].v - largest);
    sums.push_back(sum);
  }
  return sums;
}

using Start = Philox (*)(OpContext& c, uint64_t rows, uint64_t samples);

template <Start kStart>
void Multinomial(OpContext& c) {
  const Shape& shape = c.tensor(0).shape();
  Require(shape.rank() == 2, "logits must be a matrix, not of shape ", shape.ToString());
  const int64_t rows = shape.dim(0), classes = shape.dim(1), samples = ScalarOf(c.tensor(1), "num_samples");
  Require(samples >= 0, "num_samples must not be negative: ", samples);
  Require(classes > 0, "there are no classes to draw from: the logits have the shape ", shape.ToString());
  ForKind<Real>(c.tensor(0).dtype(), [&](auto) {
    const Reader<Real> logits(c.input(0));
    auto output = MakeArray<Integer>(c.output_type(0), {rows, samples});
    if (output.at.empty()) return c.Output(0, Store(output));
    PhiloxWords words(kStart(c, static_cast<uint64_t>(rows), static_cast<uint64_t>(samples)));
    for (int64_t row = 0; row < rows; ++row) {
      const auto sums = RunningWeights(logits, row * classes, classes, -LargestFinite(c.tensor(0).dtype()));
      for (int64_t i = 0; i < samples; ++i) {
        const uint32_t low = words.Next(), high = words.Next();
        const double wanted = UniformDouble(low, high) * sums.back();
        output[row * samples + i] = std::upper_bound(sums.begin(), sums.end(), wanted) - sums.begin();
      }
    }
    c.Output(0, Store(output));
  });
}

Philox OwnStart(OpContext& c, uint64_t rows, uint64_t samples) {
  return ReserveBlocks(c, rows * ((samples + 3) / 4 * 4) * 2 * kBlocksPerOutput);
}
Philox SeededStart(OpContext& c, uint64_t, uint64_t) { return KeyedGenerator(ScrambledSeed(c.tensor(2))); }

// Where the seed is looked at even if nothing is drawn.
void StatelessMultinomial(OpContext& c) {
  Require(c.tensor(2).rank() == 1 && c.tensor(2).elements() == 2, "seed must have the shape [2], not ",
          c.tensor(2).shape().ToString());
  Multinomial<SeededStart>(c);
}

constexpr KernelRow kRows[] = {
    {"Multinomial", Multinomial<OwnStart>},
    {"StatelessMultinomial", StatelessMultinomial},
};

}  // namespace

namespace topics {
std::span<const KernelRow> RandomMultinomial() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

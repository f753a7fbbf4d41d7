// Samples of the binomial distribution, in double precision whatever the types (R89).
#include <cmath>
#include <limits>

#include "reference/kernel/op_context.h"
#include "reference/numbers/broadcast.h"
#include "reference/numbers/elements.h"
#include "reference/numbers/index.h"
#include "reference/ops/lib/random_stream.h"
#include "reference/ops/lib/stored_generator.h"
#include "reference/ops/random/samples_for_each.h"
#include "reference/ops/random/uniform_pairs.h"

namespace plumb::reference {
namespace {

// Tries from one success to the next are geometrically distributed: how many such numbers fit into `count`.
double ByWaiting(double count, double chance, UniformPairs& uniforms) {
  double successes = 0;
  for (double tries = 0;; ++successes) {
    tries += std::ceil(std::log(uniforms.Next()) / std::log1p(-chance));
    if (tries > count) return successes;
  }
}

// What Stirling's formula lacks of log k!; up to 9 as published.
double StirlingTail(double k) {
  constexpr double kTails[] = {0.0810614667953272,  0.0413406959554092, 0.0276779256849983, 0.02079067210376509,
                               0.0166446911898211,  0.0138761288230707, 0.0118967099458917, 0.0104112652619720,
                               0.00925546218271273, 0.00833056343336287};
  if (k <= 9) return kTails[static_cast<size_t>(k)];
  const double square = (k + 1) * (k + 1);
  return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / (k + 1);
}

// Hörmann's transformed rejection with squeeze, for chances of at most one half.
double ByRejection(double count, double chance, UniformPairs& uniforms) {
  const double deviation = std::sqrt(count * chance * (1 - chance));
  const double b = 1.15 + 2.53 * deviation, a = -0.0873 + 0.0248 * b + 0.01 * chance, c = count * chance + 0.5;
  const double inner = 0.92 - 4.2 / b, odds = chance / (1 - chance), alpha = (2.83 + 5.1 / b) * deviation;
  const double mode = std::floor((count + 1) * chance);
  while (true) {
    const double u = uniforms.Next() - 0.5, v = uniforms.Next();
    const double shifted = 0.5 - std::fabs(u), k = std::floor((2 * a / shifted + b) * u + c);
    if (shifted >= 0.07 && v <= inner) return k;
    if (k < 0 || k > count) continue;
    const double most = (mode + 0.5) * std::log((mode + 1) / (odds * (count - mode + 1))) +
                        (count + 1) * std::log((count - mode + 1) / (count - k + 1)) +
                        (k + 0.5) * std::log(odds * (count - k + 1) / (k + 1)) + StirlingTail(mode) +
                        StirlingTail(count - mode) - StirlingTail(k) - StirlingTail(count - k);
    if (std::log(v * alpha / (a / (shifted * shifted) + b)) <= most) return k;
  }
}

// Whether `count` tries are many, a product in the type of the parameters.
bool AreMany(double count, double chance, DType dtype) { return RoundTo(dtype, count * chance) >= 10; }

// Sample number `number` of what `start` begins, for a chance of at most one half.
double Successes(double count, double chance, bool are_many, Philox start, int64_t number) {
  constexpr uint64_t kBlocksOfFew = 42;
  start.Skip((are_many ? kBlocksPerOutput : kBlocksOfFew) * static_cast<uint64_t>(number));
  UniformPairs uniforms(start);
  return are_many ? ByRejection(count, chance, uniforms) : ByWaiting(count, chance, uniforms);
}

double Sample(double count, double chance, DType dtype, const Philox& start, int64_t number) {
  if (count <= 0 || chance <= 0) return 0;
  if (std::isnan(chance)) return NAN;
  if (chance >= 1 || !std::isfinite(count)) return count;  // no number of tries has no distribution
  if (chance <= 0.5) return Successes(count, chance, AreMany(count, chance, dtype), start, number);
  const double rest = 1 - chance;
  return count - Successes(count, rest, count * rest >= 10, start, number);
}

// NaN is 0 as a whole number; what lies beyond the type is the lowest of it.
int64_t WholeNumber(double sample, DType dtype) {
  if (std::isnan(sample)) return 0;
  const double end = dtype == DType::kInt32 ? 0x1p31 : 0x1p63;
  if (std::fabs(sample) < end) return static_cast<int64_t>(sample);
  return dtype == DType::kInt32 ? INT32_MIN : INT64_MIN;
}

// Inputs number kFirst and the next are counts and probabilities; kShape is the shape.
template <int kShape, int kFirst, class Start>
void Binomial(OpContext& c, const Start& start) {
  const Value &counts = c.input(kFirst), &chances = c.input(kFirst + 1);
  const Shape each = BroadcastShape(counts.tensor.shape(), chances.tensor.shape());
  const Shape shape = WholeShapeOfSamples(c, each, kShape);
  const int64_t batches = each.elements();
  const int64_t samples = Subshape(shape, 0, shape.rank() - each.rank()).elements();
  const Philox first = start(batches, samples);
  const DType dtype = c.output_type(0), type = counts.tensor.dtype();
  const auto from_counts = BroadcastIndex(counts.tensor.shape(), each);
  const auto from_chances = BroadcastIndex(chances.tensor.shape(), each);
  const Reader<Real> count(counts), chance(chances);
  ForKind<Real, Integer>(dtype, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    auto output = MakeArray<N>(dtype, shape);
    for (int64_t o = 0; o < shape.elements(); ++o) {
      const int64_t batch = o / samples;
      const double sample = Sample(count[from_counts[static_cast<size_t>(batch)]].v,
                                   chance[from_chances[static_cast<size_t>(batch)]].v, type, first, o);
      N& to = output[o % samples * batches + batch];
      if constexpr (std::is_same_v<N, Real>) {
        to = sample;
      } else {
        to = WholeNumber(sample, dtype);
      }
    }
    c.Output(0, Store(output));
  });
}

void StatefulRandomBinomial(OpContext& c) {
  Binomial<2, 3>(c, [&](int64_t batches, int64_t samples) {
    constexpr int64_t kPhilox = 1;
    const int64_t algorithm = ScalarOf(c.tensor(1), "algorithm");
    Require(algorithm == kPhilox, "the algorithm must be 1, Philox, not ", algorithm);
    return TakeBlocks(c, algorithm, kBlocksPerOutput * static_cast<uint64_t>(batches * 50 * (samples + 3)));
  });
}

void StatelessRandomBinomial(OpContext& c) {
  Binomial<0, 2>(c, [&](int64_t, int64_t) { return ScrambledGenerator(c, 0); });
}

constexpr KernelRow kRows[] = {
    {"StatefulRandomBinomial", StatefulRandomBinomial},
    {"StatelessRandomBinomial", StatelessRandomBinomial},
};

}  // namespace

namespace topics {
std::span<const KernelRow> RandomBinomial() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

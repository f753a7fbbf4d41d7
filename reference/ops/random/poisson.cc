// Samples of the Poisson distribution, in double precision whatever the types; each has 256 blocks of its own.
#include <cmath>

#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/log_gamma.h"
#include "reference/ops/lib/random_stream.h"
#include "reference/ops/random/samples_for_each.h"
#include "reference/ops/random/uniform_pairs.h"

namespace plumb::reference {
namespace {

// Knuth: how many uniform numbers can be multiplied until the product is at most exp(−rate).
double ByProducts(double rate, UniformPairs& uniforms) {
  double count = 0;
  for (double product = uniforms.Next(); product > std::exp(-rate); product *= uniforms.Next()) ++count;
  return count;
}

// Hörmann: transformed rejection. Numbers above `highest` are drawn again.
double ByRejection(double rate, double highest, UniformPairs& uniforms) {
  const double b = 0.931 + 2.53 * std::sqrt(rate), a = -0.059 + 0.02483 * b;
  const double inverse_acceptance = 1.1239 + 1.1328 / (b - 3.4);
  for (int tries = 0; tries < 10000; ++tries) {
    const double u = uniforms.Next() - 0.5, v = uniforms.Next();
    const double shifted = 0.5 - std::fabs(u);
    const double k = std::floor((2 * a / shifted + b) * u + rate + 0.43);
    if (k > highest) continue;
    if (shifted >= 0.07 && v <= 0.9277 - 3.6224 / (b - 2)) return k;
    if (k < 0 || (shifted < 0.013 && v > shifted)) continue;
    const double s = std::log(v * inverse_acceptance / (a / (shifted * shifted) + b));
    if (s <= -rate + k * std::log(rate) - LgammaOf(k + 1)) return k;
  }
  throw InvalidArgument("a Poisson distribution of the rate ", rate, " has too few numbers that the type holds");
}

double HighestOf(DType dtype) {
  if (dtype == DType::kInt32) return INT32_MAX;
  return dtype == DType::kInt64 ? std::nextafter(0x1p63, 0) : LargestFinite(dtype);
}

// What is not finite has no distribution: it comes back, as zero where the type has no such number.
double Sample(double rate, DType dtype, Philox generator) {
  if (std::isnan(rate) || rate == INFINITY) return IsInteger(dtype) ? 0 : rate;
  UniformPairs uniforms(generator);
  return rate < 10 ? ByProducts(rate, uniforms) : ByRejection(rate, HighestOf(dtype), uniforms);
}

template <class N>
double ValueOf(const Reader<N>& rates, int64_t i) {
  if constexpr (std::is_same_v<N, Real>) {
    return rates[i].v;
  } else {
    return static_cast<double>(rates[i]);
  }
}

std::vector<double> RatesOf(const Value& rates) {
  std::vector<double> numbers;
  ForKind<Real, Integer>(rates.tensor.dtype(), [&](auto kind) {
    const Reader<typename decltype(kind)::Type> from(rates);
    for (int64_t i = 0; i < from.size(); ++i) numbers.push_back(ValueOf(from, i));
  });
  return numbers;
}

void FillWithSamples(OpContext& c, const Shape& shape, const Value& of, const Philox& start) {
  const DType dtype = c.output_type(0);
  const std::vector<double> rates = RatesOf(of);
  ForKind<Real, Integer>(dtype, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    auto output = MakeArray<N>(dtype, shape);
    const auto count = static_cast<int64_t>(rates.size());
    for (int64_t o = 0; o < shape.elements(); ++o) {
      const int64_t each = shape.elements() / count, which = o / each;
      Philox generator = start;
      generator.Skip(kBlocksPerOutput * static_cast<uint64_t>(o));
      const double sample = Sample(rates[static_cast<size_t>(which)], dtype, generator);
      if constexpr (std::is_same_v<N, Real>) {
        output[o % each * count + which] = sample;
      } else {
        output[o % each * count + which] = static_cast<int64_t>(sample);
      }
    }
    c.Output(0, Store(output));
  });
}

void RandomPoisson(OpContext& c) {
  const Shape shape = SamplesOfEach(c, c.tensor(1).shape());
  FillWithSamples(c, shape, c.input(1), OwnGenerator(c, static_cast<uint64_t>(shape.elements())));
}

void StatelessRandomPoisson(OpContext& c) {
  FillWithSamples(c, WholeShapeOfSamples(c, c.tensor(2).shape()), c.input(2), ScrambledGenerator(c, 0));
}

constexpr KernelRow kRows[] = {
    {"RandomPoissonV2", RandomPoisson},
    {"RandomPoisson", RandomPoisson},
    {"StatelessRandomPoisson", StatelessRandomPoisson},
};

}  // namespace

namespace topics {
std::span<const KernelRow> RandomPoisson() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

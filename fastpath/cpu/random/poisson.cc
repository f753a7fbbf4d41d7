// Samples of the Poisson distribution, in double precision whatever the types; each has 256 blocks of its own.
#include <math.h>  // lgamma_r, which keeps its sign to itself

#include <algorithm>
#include <cmath>
#include <limits>

#include "fastpath/cpu/lib/state/random.h"
#include "fastpath/cpu/lib/types.h"
#include "fastpath/cpu/random/samples_for_each.h"
#include "fastpath/cpu/random/uniform_pairs.h"

namespace plumb::fast::cpu {
namespace {

// For small rates Knuth's product of uniform numbers, for large ones Hörmann's transformed rejection.
class PoissonDistribution {
 public:
  PoissonDistribution(double rate, double highest)
      : rate_(rate),
        highest_(highest),
        least_(std::exp(-rate)),
        log_rate_(std::log(rate)),
        b_(0.931 + 2.53 * std::sqrt(rate)),
        a_(-0.059 + 0.02483 * b_),
        inverse_acceptance_(1.1239 + 1.1328 / (b_ - 3.4)) {}

  double Draw(const Philox& generator) const {
    UniformPairs uniforms(generator);
    if (!(rate_ < 10)) return ByRejection(uniforms);
    double count = 0;
    for (double product = uniforms.Next(); product > least_; product *= uniforms.Next()) ++count;
    return count;
  }

 private:
  // Numbers above the highest of the type are drawn again.
  double ByRejection(UniformPairs& uniforms) const {
    constexpr int kMostTries = 10000;
    for (int tries = 0; tries < kMostTries; ++tries) {
      const double u = uniforms.Next() - 0.5, v = uniforms.Next();
      const double shifted = 0.5 - std::fabs(u);
      const double k = std::floor((2 * a_ / shifted + b_) * u + rate_ + 0.43);
      if (k > highest_) continue;
      if (shifted >= 0.07 && v <= 0.9277 - 3.6224 / (b_ - 2)) return k;
      if (k < 0 || (shifted < 0.013 && v > shifted)) continue;
      const double s = std::log(v * inverse_acceptance_ / (a_ / (shifted * shifted) + b_));
      int sign = 0;
      if (s <= -rate_ + k * log_rate_ - lgamma_r(k + 1, &sign)) return k;
    }
    throw InvalidArgument("a Poisson distribution of the rate ", rate_, " has too few numbers that the type holds");
  }

  const double rate_, highest_, least_, log_rate_, b_, a_, inverse_acceptance_;
};

template <class T>
constexpr double kHighest = static_cast<double>(std::numeric_limits<T>::max());
template <>
constexpr double kHighest<Half> = 65504;
template <>
constexpr double kHighest<int64_t> = 0x1.fffffffffffffp62;  // 2⁶³ itself is the next double

// What is not finite has no distribution: it comes back, as zero where the type has no such number.
template <class T>
bool HasNoDistribution(double rate, T& instead) {
  if (!std::isnan(rate) && !(std::isinf(rate) && rate > 0)) return false;
  instead = std::is_integral_v<T> ? T(0) : T(rate);
  return true;
}

// Rates are input kRates; `Base` draws.
template <class Base, int kRates>
class PoissonKernel : public Base {
 public:
  explicit PoissonKernel(const Node& node) : Base(node), type_(OutputType(node, 0)) {}

  void Run(KernelContext& context) override {
    const Tensor& rates = context.input(kRates);
    Tensor& output = context.AllocateOutput(0, type_, ShapeOfSamples(context.input(0), rates.shape(), kRates > 1));
    const Philox start = this->StartFor(context, output.elements());
    if (output.elements() == 0) return;
    VisitOneOf(OutputTypes(), rates.dtype(), false, [&](auto from) {
      return VisitOneOf(OutputTypes(), type_, false, [&](auto to) {
        Fill<typename decltype(from)::Type, typename decltype(to)::Type>(context.pool(), start, rates, output);
        return true;
      });
    });
  }

  using OutputTypes = Types<float, double, Half, int32_t, int64_t>;

 private:
  static constexpr int64_t kWork = 400;

  template <class R, class T>
  static void Fill(ThreadPool& pool, const Philox& start, const Tensor& rates, Tensor& output) {
    const int64_t count = rates.elements(), each = output.elements() / count;
    const R* const from = rates.data<R>().data();
    T* const to = output.mutable_data<T>().data();
    pool.ParallelFor(output.elements(), GrainFor(kWork), [&](int64_t begin, int64_t end) {
      for (int64_t o = begin; o < end;) {
        const int64_t which = o / each, last = std::min(end, (which + 1) * each);
        const auto rate = static_cast<double>(from[which]);
        T instead;
        if (HasNoDistribution(rate, instead)) {
          for (; o < last; ++o) to[o % each * count + which] = instead;
          continue;
        }
        const PoissonDistribution distribution(rate, kHighest<T>);
        for (; o < last; ++o) {
          Philox generator = start;
          generator.Skip(static_cast<uint64_t>(o) * kBlocksPerOutput);
          to[o % each * count + which] = T(distribution.Draw(generator));
        }
      }
    });
  }

  const DType type_;
};

constexpr KernelRow kRows[] = {
    {"RandomPoissonV2", Make<PoissonKernel<RandomKernel, 1>>},
    {"RandomPoisson", Make<PoissonKernel<RandomKernel, 1>>},
    {"StatelessRandomPoisson", Make<PoissonKernel<SeededRandomKernel, 2>>},
};

}  // namespace

std::span<const KernelRow> RandomPoisson() { return kRows; }

}  // namespace plumb::fast::cpu

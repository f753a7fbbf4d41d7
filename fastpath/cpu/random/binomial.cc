// Samples of the binomial distribution, in double precision whatever the types (R89).
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "fastpath/cpu/lib/elementwise/broadcast.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/state/stored_random.h"
#include "fastpath/cpu/lib/types.h"
#include "fastpath/cpu/random/samples_for_each.h"
#include "fastpath/cpu/random/uniform_pairs.h"

namespace plumb::fast::cpu {
namespace {

// What Stirling's formula lacks of log k!; up to 9 as published.
double StirlingTail(double k) {
  constexpr std::array kTails = {0.0810614667953272,  0.0413406959554092, 0.0276779256849983, 0.02079067210376509,
                                 0.0166446911898211,  0.0138761288230707, 0.0118967099458917, 0.0104112652619720,
                                 0.00925546218271273, 0.00833056343336287};
  if (k <= 9) return kTails[static_cast<size_t>(k)];
  const double square = (k + 1) * (k + 1);
  return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / (k + 1);
}

// Successes among so many tries, of a chance between 0 and one half: the gaps between them for few, Hörmann's
// transformed rejection with squeeze for many.
class FewerHalf {
 public:
  FewerHalf(double count, double chance, bool are_many)
      : count_(count),
        are_many_(are_many),
        log_failure_(std::log1p(-chance)),
        deviation_(std::sqrt(count * chance * (1 - chance))),
        b_(1.15 + 2.53 * deviation_),
        a_(-0.0873 + 0.0248 * b_ + 0.01 * chance),
        c_(count * chance + 0.5),
        inner_(0.92 - 4.2 / b_),
        odds_(chance / (1 - chance)),
        alpha_((2.83 + 5.1 / b_) * deviation_),
        mode_(std::floor((count + 1) * chance)) {}

  // Sample number `number` of what `start` begins.
  double Draw(const Philox& start, int64_t number) const {
    Philox generator = start;
    generator.Skip(static_cast<uint64_t>(number) * (are_many_ ? kBlocksPerOutput : kBlocksOfFew));
    UniformPairs uniforms(generator);
    if (are_many_) return ByRejection(uniforms);
    double tries = std::ceil(std::log(uniforms.Next()) / log_failure_), successes = 0;
    for (; !(tries > count_); ++successes) tries += std::ceil(std::log(uniforms.Next()) / log_failure_);
    return successes;
  }

 private:
  static constexpr uint64_t kBlocksOfFew = 42;

  double ByRejection(UniformPairs& uniforms) const {
    while (true) {
      const double u = uniforms.Next() - 0.5, v = uniforms.Next();
      const double shifted = 0.5 - std::fabs(u), k = std::floor((2 * a_ / shifted + b_) * u + c_);
      if (shifted >= 0.07 && v <= inner_) return k;
      if (k < 0 || k > count_) continue;
      if (std::log(v * alpha_ / (a_ / (shifted * shifted) + b_)) <= HighestFor(k)) return k;
    }
  }
  double HighestFor(double k) const {
    return (mode_ + 0.5) * std::log((mode_ + 1) / (odds_ * (count_ - mode_ + 1))) +
           (count_ + 1) * std::log((count_ - mode_ + 1) / (count_ - k + 1)) +
           (k + 0.5) * std::log(odds_ * (count_ - k + 1) / (k + 1)) + StirlingTail(mode_) +
           StirlingTail(count_ - mode_) - StirlingTail(k) - StirlingTail(count_ - k);
  }

  const double count_;
  const bool are_many_;
  const double log_failure_, deviation_, b_, a_, c_, inner_, odds_, alpha_, mode_;
};

// NaN is 0 as a whole number; what lies beyond the type is the lowest of it.
template <class T>
T SampleAs(double sample) {
  if constexpr (std::is_integral_v<T>) {
    if (std::isnan(sample)) return 0;
    const bool fits = std::fabs(sample) < (sizeof(T) == 4 ? 0x1p31 : 0x1p63);
    return fits ? static_cast<T>(sample) : std::numeric_limits<T>::min();
  } else {
    return T(sample);
  }
}

// Samples number begin … end-1 of a pair of parameters; put(i, sample). `are_many` is for chances of at most one half.
template <class Put>
void DrawSamples(double count, double chance, bool are_many, const Philox& start, int64_t begin, int64_t end,
                 const Put& put) {
  const bool is_certain = count <= 0 || chance <= 0 || !(chance < 1) || !std::isfinite(count);
  if (is_certain) {
    const double sample = count <= 0 || chance <= 0 ? 0 : std::isnan(chance) ? chance : count;
    for (int64_t i = begin; i < end; ++i) put(i, sample);
    return;
  }
  const bool is_likely = chance > 0.5;
  const double rest = is_likely ? 1 - chance : chance;
  const FewerHalf distribution(count, rest, is_likely ? count * rest >= 10 : are_many);
  for (int64_t i = begin; i < end; ++i) {
    const double sample = distribution.Draw(start, i);
    put(i, is_likely ? count - sample : sample);
  }
}

using ParameterTypes = Types<float, double, Half>;
using SampleTypes = Types<float, double, Half, int32_t, int64_t>;

// Which element of an operand each element of the broadcast shape repeats.
struct Operands {
  Shape shape;
  std::vector<int64_t> x, y;
};

Operands BroadcastOperands(const Shape& x, const Shape& y) {
  BroadcastPlan plan;
  Require(MakeBroadcastPlan(x, y, plan), "counts of shape ", Printed(x), " and probs of shape ", Printed(y),
          " do not go together");
  Operands operands{plan.result, {}, {}};
  if (plan.result.elements() == 0) return operands;
  RowCursor row(plan, 0);
  for (int64_t i = 0; i < plan.outer(); ++i, row.Next()) {
    for (int64_t k = 0; k < plan.inner(); ++k) {
      operands.x.push_back(row.x() + k * plan.x_stride[plan.rank - 1]);
      operands.y.push_back(row.y() + k * plan.y_stride[plan.rank - 1]);
    }
  }
  return operands;
}

// `Base` gives Philox Start(context, batches, samples).
template <class Base, int kShape, int kFirst>
class BinomialKernel final : public Base {
 public:
  explicit BinomialKernel(const Node& node) : Base(node), type_(OutputType(node, 0)) {}

  void Run(KernelContext& context) override {
    const Tensor &counts = context.input(kFirst), &chances = context.input(kFirst + 1);
    const Operands operands = BroadcastOperands(counts.shape(), chances.shape());
    const Shape shape = ShapeOfSamples(context.input(kShape), operands.shape, /*is_whole=*/true);
    int64_t samples = 1;
    for (int axis = 0; axis < shape.rank() - operands.shape.rank(); ++axis) samples *= shape[axis];
    const Philox start = this->Start(context, operands.shape.elements(), samples);
    Tensor& output = context.AllocateOutput(0, type_, shape);
    if (output.elements() == 0) return;
    VisitOneOf(ParameterTypes(), counts.dtype(), false, [&](auto from) {
      return VisitOneOf(SampleTypes(), type_, false, [&](auto to) {
        Fill<typename decltype(from)::Type, typename decltype(to)::Type>(context.pool(), start, operands, counts,
                                                                         chances, samples, output);
        return true;
      });
    });
  }

 private:
  static constexpr int64_t kWork = 500;

  template <class P, class T>
  static void Fill(ThreadPool& pool, const Philox& start, const Operands& operands, const Tensor& counts,
                   const Tensor& chances, int64_t samples, Tensor& output) {
    const int64_t batches = operands.shape.elements();
    const P *const count = counts.data<P>().data(), *const chance = chances.data<P>().data();
    T* const to = output.mutable_data<T>().data();
    pool.ParallelFor(output.elements(), GrainFor(kWork), [&](int64_t begin, int64_t end) {
      for (int64_t o = begin; o < end;) {
        const int64_t batch = o / samples, last = std::min(end, (batch + 1) * samples);
        const auto n = static_cast<double>(count[operands.x[static_cast<size_t>(batch)]]);
        const auto p = static_cast<double>(chance[operands.y[static_cast<size_t>(batch)]]);
        const bool are_many = static_cast<double>(P(n * p)) >= 10;  // a product in the type of the parameters
        DrawSamples(n, p, are_many, start, o, last,
                    [&](int64_t i, double sample) { to[i % samples * batches + batch] = SampleAs<T>(sample); });
        o = last;
      }
    });
  }

  const DType type_;
};

class StoredStart : public GeneratorKernel {
 public:
  using GeneratorKernel::GeneratorKernel;

 protected:
  Philox Start(KernelContext& context, int64_t batches, int64_t samples) {
    const int64_t algorithm = NumberIn(context.input(1), "algorithm");
    Require(algorithm == 1, "the algorithm must be 1, Philox, not ", algorithm);
    return TakeBlocks(context, algorithm, static_cast<uint64_t>(batches * 50 * (samples + 3)) * kBlocksPerOutput);
  }
};

class SeededStart : public SeededRandomKernel {
 public:
  using SeededRandomKernel::SeededRandomKernel;

 protected:
  Philox Start(KernelContext& context, int64_t, int64_t) const { return StartFor(context, 0); }
};

constexpr KernelRow kRows[] = {
    {"StatefulRandomBinomial", Make<BinomialKernel<StoredStart, 2, 3>>},
    {"StatelessRandomBinomial", Make<BinomialKernel<SeededStart, 0, 2>>},
};

}  // namespace

std::span<const KernelRow> RandomBinomial() { return kRows; }

}  // namespace plumb::fast::cpu

// Normally distributed numbers within bounds by rejection, each step rounded to the type (R86).
#include <algorithm>
#include <cmath>
#include <vector>

#include "reference/kernel/op_context.h"
#include "reference/numbers/broadcast.h"
#include "reference/numbers/element.h"
#include "reference/ops/random/random_normal.h"

namespace plumb::reference {
namespace {

constexpr int kMostRefusals = 1000;
constexpr int64_t kSamplesPerBatch = 100;  // where all samples have the same parameters

// A number as the type stores it: proposals are refused and accepted by what is stored.
Real Stored(DType dtype, Real x) { return {RoundTo(dtype, x.v), x.e, 0}; }

// The bounds, in deviations from the mean, on the side where the greater numbers are less probable.
struct Bounds {
  Real mean, deviation, low, high;
  bool is_certain;  // nothing is known of samples whose parameters are not

  Bounds(DType dtype, Real mean_of, Real deviation_of, Real min, Real max)
      : mean(mean_of),
        deviation(deviation_of),
        is_certain(mean_of.e == 0 && deviation_of.e == 0 && min.e == 0 && max.e == 0) {
    Require(deviation.v > 0 && min.v < max.v && (std::isfinite(min.v) || std::isfinite(max.v)),
            "a deviation must be positive and a minimum below its maximum, one of both finite; they are ", deviation.v,
            ", ", min.v, " and ", max.v);
    if (min.v == -INFINITY || max.v < mean.v) {
      std::swap(min, max);
      deviation = -deviation;
    }
    low = Stored(dtype, Stored(dtype, min - mean) / deviation);
    high = Stored(dtype, Stored(dtype, max - mean) / deviation);
  }
};

// The samples of one batch.
class Sampler {
 public:
  Sampler(DType dtype, const Bounds& bounds, Philox& generator)
      : dtype_(dtype), bounds_(bounds), low_(bounds.low), high_(bounds.high), generator_(generator) {}

  void Fill(std::span<Real> samples) {
    samples_ = samples;
    ComputeIn(dtype_);
    const Real root = Step(Sqrt(Step(Step(low_ * low_) + Real(4))));
    const Real exponent = Step(Real(0.5) + Step(Step(low_ * Step(low_ - root)) / Real(4)));
    const Real cutoff = Step(Step(Real(2) * Step(Exp(exponent))) / Step(low_ + root)), width = Step(high_ - low_);
    const double enough = RoundTo(dtype_, 1.3);
    if ((low_.v < -enough && high_.v >= 0) || (high_.v > enough && low_.v <= 0)) {
      while (filled_ < samples_.size()) Normals();
    } else if (width.v < cutoff.v) {
      while (filled_ < samples_.size()) Uniforms(width);
    } else {
      const Real rate = Step(Step(low_ + root) / Real(2));
      while (filled_ < samples_.size()) Exponentials(rate);
    }
  }

 private:
  Real Step(Real x) const { return Stored(dtype_, x); }

  // One block's worth of normals.
  void Normals() {
    const Philox::Block w = generator_.Next();
    ComputeNormalsIn(dtype_);
    std::vector<plumb::reference::Normals> pairs;
    if (dtype_ == DType::kDouble) {
      pairs = {NormalsFromWords(w[0], w[1], w[2], w[3])};
    } else {
      pairs = {NormalsFromWords(w[0], w[1]), NormalsFromWords(w[2], w[3])};
    }
    ComputeIn(dtype_);
    for (const auto& pair : pairs) {
      for (const Real& normal : {pair.first, pair.second}) {
        const Real z = Step(Rounded(normal.v, normal.e, 0));
        if (!Offer(z, low_.v <= z.v && z.v <= high_.v, kMostRefusals + 1)) return;
      }
    }
  }

  std::vector<double> NextUniforms() {
    const Philox::Block w = generator_.Next();
    if (dtype_ == DType::kDouble) return {UniformDouble(w[0], w[1]), UniformDouble(w[2], w[3])};
    std::vector<double> uniforms;
    for (const uint32_t word : w) uniforms.push_back(Fraction(word, dtype_ == DType::kHalf ? 10 : 23));
    return uniforms;
  }

  // Evenly between the bounds, accepted by how probable they are beside the most probable one.
  void Uniforms(Real width) {
    const Real highest = low_.v < 0 ? Real(0) : Step(low_ * low_);
    const std::vector<double> proposals = NextUniforms(), chances = NextUniforms();
    for (size_t i = 0; i < proposals.size(); ++i) {
      const Real z = Step(Step(Real(proposals[i]) * width) + low_);
      const Real density = Step(Exp(Step(Step(highest - Step(z * z)) / Real(2))));
      if (!Offer(z, chances[i] <= density.v, kMostRefusals)) return;
    }
  }

  // From the lower bound on with exponentially falling density, accepted by how much the normal one falls below that.
  void Exponentials(Real rate) {
    const std::vector<double> uniforms = NextUniforms();
    for (size_t i = 0; i + 1 < uniforms.size(); i += 2) {
      const Real z = Step(Step(-Step(Log(Real(uniforms[i]))) / rate) + low_);
      const Real x = Step(low_.v < rate.v ? rate - z : low_ - rate);
      const Real chance = Step(Exp(Step(-Step(x * x) / Real(2))));
      if (!Offer(z, uniforms[i + 1] <= chance.v && z.v < high_.v, kMostRefusals)) return;
    }
  }

  // Keeps or refuses `z`; false when the batch is full.
  bool Offer(Real z, bool accepted, int most) {
    if (!accepted) {
      if (++refused_ >= most) {
        throw Internal("no sample between ", low_.v, " and ", high_.v, " deviations was accepted in ", most, " tries");
      }
      return true;
    }
    refused_ = 0;
    Real sample = Step(z * bounds_.deviation) + bounds_.mean;
    if (!bounds_.is_certain) sample.e = INFINITY;
    samples_[filled_++] = sample;
    return filled_ < samples_.size();
  }

  const DType dtype_;
  const Bounds& bounds_;
  const Real low_, high_;
  Philox& generator_;
  std::span<Real> samples_;
  size_t filled_ = 0;
  int refused_ = 0;
};

void BoundedNormal(OpContext& c) {
  const DType dtype = c.output_type(0);
  const Shape shape = RandomShape(c);
  Require(shape.rank() > 0, "the shape of the result must have a dimension");
  Array<Real> output = MakeArray<Real>(dtype, shape);
  bool is_shared = true;
  for (int i = 1; i < 5; ++i) {
    const Shape& parameter = c.tensor(i).shape();
    Require(parameter.rank() <= 1, "parameters must be scalars or vectors, not of shape ", parameter.ToString());
    is_shared = is_shared && (parameter.rank() == 0 || (i < 3 && parameter.dim(0) == 1));
  }
  int64_t batches = shape.dim(0), samples = batches == 0 ? 0 : shape.elements() / batches;
  for (int i = 1; i < 5 && !is_shared; ++i) {
    const Shape& parameter = c.tensor(i).shape();
    Require(parameter.rank() == 0 || parameter.dim(0) == 1 || parameter.dim(0) == batches,
            "a parameter must have one number, or one for each of ", batches, " rows, not the shape ",
            parameter.ToString());
  }
  if (is_shared) {
    samples = kSamplesPerBatch;
    batches = (shape.elements() + samples - 1) / samples;
  }
  Philox generator = ReserveBlocks(c, static_cast<uint64_t>(batches * 2 * kMostRefusals * (samples + 3) / 4));
  if (output.at.empty()) return c.Output(0, Store(output));
  ForKind<Real>(dtype, [&](auto) {
    const auto parameter = [&](int i, int64_t batch) {
      const Reader<Real> from(c.input(i));
      return from[from.size() == 1 ? 0 : batch];
    };
    for (int64_t b = 0; b < batches; ++b) {
      ComputeIn(dtype);
      const Bounds bounds(dtype, parameter(1, b), parameter(2, b), parameter(3, b), parameter(4, b));
      const auto first = static_cast<size_t>(b * samples);
      const size_t count = std::min(static_cast<size_t>(samples), output.at.size() - first);
      Sampler(dtype, bounds, generator).Fill(std::span(output.at).subspan(first, count));
    }
    c.Output(0, Store(output));
  });
}

// The parameters of each batch, by where their common shape has it.
struct Parameters {
  Reader<Real> numbers;
  std::vector<int64_t> places;
  Parameters(const Value& value, const Shape& common)
      : numbers(value), places(BroadcastIndex(value.tensor.shape(), common)) {}
  Real operator[](int64_t batch) const { return numbers[places[static_cast<size_t>(batch)]]; }
};

// A batch for each element of the parameters' common shape, which the result repeats along its first axes.
void SeededBoundedNormal(OpContext& c) {
  const DType dtype = c.output_type(0);
  Philox generator = ScrambledGenerator(c, 0);
  Shape common = c.tensor(2).shape();
  for (int i = 3; i < 6; ++i) common = BroadcastShape(common, c.tensor(i).shape());
  const Shape shape = RandomShape(c);
  const int more = shape.rank() - common.rank();
  bool ends_so = more >= 0;
  for (int axis = 0; ends_so && axis < common.rank(); ++axis) ends_so = shape.dim(more + axis) == common.dim(axis);
  Require(ends_so, "the shape of the result must end with ", common.ToString(), ", the common one of the parameters, ",
          "but it is ", shape.ToString());
  Array<Real> output = MakeArray<Real>(dtype, shape);
  if (output.at.empty()) return c.Output(0, Store(output));
  const int64_t batches = common.elements(), samples = shape.elements() / batches;
  ForKind<Real>(dtype, [&](auto) {
    const Parameters means(c.input(2), common), deviations(c.input(3), common), low(c.input(4), common),
        high(c.input(5), common);
    std::vector<Real> batch(static_cast<size_t>(samples));
    for (int64_t b = 0; b < batches; ++b) {
      ComputeIn(dtype);
      Sampler(dtype, Bounds(dtype, means[b], deviations[b], low[b], high[b]), generator).Fill(batch);
      for (int64_t i = 0; i < samples; ++i) output.at[static_cast<size_t>(i * batches + b)] = batch[size_t(i)];
    }
    c.Output(0, Store(output));
  });
}

constexpr KernelRow kRows[] = {
    {"ParameterizedTruncatedNormal", BoundedNormal},
    {"StatelessParameterizedTruncatedNormal", SeededBoundedNormal},
};

}  // namespace

namespace topics {
std::span<const KernelRow> RandomBoundedNormal() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

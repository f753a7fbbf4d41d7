// Mel-frequency cepstral coefficients: filters on the mel scale, logarithms, a cosine transform.
#include <cmath>
#include <vector>

#include "reference/kernel/op_context.h"
#include "reference/numbers/element.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
namespace {

double MelOf(double hertz) { return 1127 * std::log1p(hertz / 700); }

// Filter k rises from the centre before it to its own, and falls to the next one. So a bin between two centres adds to
// two filters.
class Filters {
 public:
  Filters(const OpContext& c, int64_t bins, int32_t sample_rate)
      : count_(c.attr<int64_t>("filterbank_channel_count")),
        low_(c.attr<float>("lower_frequency_limit")),
        high_(c.attr<float>("upper_frequency_limit")) {
    Require(count_ >= 1 && count_ <= INT32_MAX && sample_rate > 0 && bins >= 2 && low_ >= 0 && high_ > low_,
            "there are no ", count_, " filters from ", low_, " to ", high_, " Hz over ", bins, " bins at ", sample_rate,
            " samples per second");
    bin_width_ = 0.5 * sample_rate / static_cast<double>(bins - 1);
    first_ = static_cast<int64_t>(1.5 + low_ / bin_width_);
    last_ = static_cast<int64_t>(high_ / bin_width_);
    fits_ = last_ < bins;
  }
  int64_t count() const { return count_; }
  bool fits() const { return fits_; }

  // What each lets through of the bins that begin at `begin`.
  std::vector<Real> Applied(const Reader<Real>& input, int64_t begin) const {
    std::vector<Real> passed(static_cast<size_t>(count_));
    for (int64_t bin = first_; bin <= last_; ++bin) {
      const double mel = MelOf(static_cast<double>(bin) * bin_width_);
      int64_t next = 0;  // the first centre that is not below
      while (next < count_ && Centre(next) < mel) ++next;
      const Real size = Sqrt(input[begin + bin]);
      const Real falling = size * Real((Centre(next) - mel) / (Centre(next) - Centre(next - 1)));
      if (next > 0) Add(passed, next - 1, falling);
      if (next < count_) Add(passed, next, size - falling);
    }
    return passed;
  }

 private:
  // On the mel scale. Number −1 is the lower limit, number count() the upper one.
  double Centre(int64_t k) const {
    const double low = MelOf(low_), spacing = (MelOf(high_) - low) / static_cast<double>(count_ + 1);
    return low + spacing * static_cast<double>(k + 1);
  }
  static void Add(std::vector<Real>& sums, int64_t k, Real term) {
    sums[static_cast<size_t>(k)] = sums[static_cast<size_t>(k)] + term;
  }

  int64_t count_;
  double low_, high_, bin_width_ = 0;
  int64_t first_ = 0, last_ = 0;
  bool fits_ = false;
};

// At least 10⁻¹², also where it is known with a bound only.
Real LogOf(Real x) {
  constexpr double kLeast = 1e-12;
  return Log({x.v < kLeast ? kLeast : x.v, x.e, 0});
}

Real Coefficient(const std::vector<Real>& logs, int64_t i) {
  const auto n = static_cast<double>(logs.size());
  Real sum;
  for (size_t j = 0; j < logs.size(); ++j) {
    const double angle = static_cast<double>(i) * (M_PI / n) * (static_cast<double>(j) + 0.5);
    sum = sum + Real(std::sqrt(2 / n) * std::cos(angle)) * logs[j];
  }
  return sum;
}

// Float32 goes in and out; what lies between is double.
void Mfcc(OpContext& c) {
  const Shape& shape = c.tensor(0).shape();
  Require(shape.rank() == 3, "the spectrogram must have three dimensions, not the shape ", shape.ToString());
  Require(c.tensor(1).rank() == 0, "the sample rate must be a scalar, not of shape ", c.tensor(1).shape().ToString());
  const Filters filters(c, shape.dim(2), c.tensor(1).data<int32_t>()[0]);
  const int64_t count = c.attr<int64_t>("dct_coefficient_count");
  Require(count >= 1 && count <= filters.count(), "there are no ", count, " coefficients of ", filters.count(),
          " filters");
  const Reader<Real> input(c.input(0));
  Writer<Real> output(DType::kFloat, {shape.dim(0), shape.dim(1), count});
  for (int64_t frame = 0; frame < shape.dim(0) * shape.dim(1); ++frame) {
    ComputeIn(DType::kDouble);
    std::vector<Real> logs, coefficients(static_cast<size_t>(count));
    if (filters.fits()) {
      for (const Real& passed : filters.Applied(input, frame * shape.dim(2))) logs.push_back(LogOf(passed));
    }
    for (int64_t i = 0; i < count && !logs.empty(); ++i) coefficients[static_cast<size_t>(i)] = Coefficient(logs, i);
    ComputeIn(DType::kFloat);
    for (int64_t i = 0; i < count; ++i) {
      const Real& exact = coefficients[static_cast<size_t>(i)];
      output.Set(frame * count + i, Rounded(exact.v, exact.e, 0));
    }
  }
  c.Output(0, output.Take());
}

constexpr KernelRow kRows[] = {
    {"Mfcc", Mfcc},
};

}  // namespace

namespace topics {
std::span<const KernelRow> SpectralMfcc() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

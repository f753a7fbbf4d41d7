// Mfcc: weights of bins and cosines are worked out once for a call, frames run on the pool.
#include <algorithm>
#include <cmath>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/device/kernel.h"
#include "spec/core/memory.h"

namespace plumb::fast::cpu {
namespace {

double MelOf(double hertz) { return 1127 * std::log1p(hertz / 700); }

struct Limits {
  double low, high;  // Hz
};

// Triangular filters, of which each bin reaches two: the share that goes to the one whose centre lies below it.
class FilterBank {
 public:
  FilterBank(int64_t channels, Limits limits, int64_t bins, double sample_rate)
      : channels_(channels),
        limits_(limits),
        width_(0.5 * sample_rate / static_cast<double>(bins - 1)),
        begin_(static_cast<int64_t>(1.5 + limits.low / width_)),
        end_(static_cast<int64_t>(limits.high / width_) + 1),
        is_empty_(end_ > bins) {}
  // A limit lies beyond the last bin.
  bool is_empty() const { return is_empty_; }

  // Works out the shares of the bins; as much work as there are channels.
  void Weigh() {
    const double low = MelOf(limits_.low), spacing = (MelOf(limits_.high) - low) / static_cast<double>(channels_ + 1);
    int64_t above = 0;  // the first centre that is not below the bin
    const auto centre = [&](int64_t k) { return low + spacing * static_cast<double>(k + 1); };
    for (int64_t bin = begin_; bin < end_; ++bin) {
      const double mel = MelOf(static_cast<double>(bin) * width_);
      while (above < channels_ && centre(above) < mel) ++above;
      bins_.push_back({above, (centre(above) - mel) / (centre(above) - centre(above - 1))});
    }
  }

  // The logarithms of what the filters let through; `to` has an entry for each.
  void Logarithms(const float* frame, double* to) const {
    std::fill_n(to, channels_, 0.0);
    const float* power = frame + begin_;
    for (const Bin& bin : bins_) {
      const double size = std::sqrt(static_cast<double>(*power++)), below = size * bin.below;
      if (bin.above > 0) to[bin.above - 1] += below;
      if (bin.above < channels_) to[bin.above] += size - below;
    }
    for (int64_t k = 0; k < channels_; ++k) to[k] = std::log(to[k] < 1e-12 ? 1e-12 : to[k]);
  }

 private:
  struct Bin {
    int64_t above;  // the filter above it
    double below;   // the share of the one before
  };
  const int64_t channels_;
  const Limits limits_;
  const double width_;  // of a bin, in Hz
  const int64_t begin_, end_;
  const bool is_empty_;
  std::vector<Bin> bins_;
};

// [coefficients, channels].
std::vector<double> Cosines(int64_t coefficients, int64_t channels) {
  const auto n = static_cast<double>(channels);
  std::vector<double> cosines;
  RequireMemory(coefficients * channels, sizeof(double));
  cosines.reserve(static_cast<size_t>(coefficients * channels));
  for (int64_t i = 0; i < coefficients; ++i) {
    for (int64_t j = 0; j < channels; ++j) {
      const double angle = static_cast<double>(i) * (M_PI / n) * (static_cast<double>(j) + 0.5);
      cosines.push_back(std::sqrt(2 / n) * std::cos(angle));
    }
  }
  return cosines;
}

class MfccKernel final : public Kernel {
 public:
  explicit MfccKernel(const Node& node)
      : limits_{GetAttr<float>(node.attrs, "lower_frequency_limit"),
                GetAttr<float>(node.attrs, "upper_frequency_limit")},
        channels_(GetAttr<int64_t>(node.attrs, "filterbank_channel_count")),
        coefficients_(GetAttr<int64_t>(node.attrs, "dct_coefficient_count")) {}

  void Run(KernelContext& context) override {
    const Tensor& input = context.input(0);
    Require(input.rank() == 3, "the spectrogram must have three dimensions, not the shape ", Printed(input.shape()));
    Require(context.input(1).rank() == 0, "the sample rate must be a scalar, not of shape ",
            Printed(context.input(1).shape()));
    const int64_t rate = IntAt(context.input(1), 0), bins = input.dim(2);
    Check(rate, bins);
    FilterBank filters(channels_, limits_, bins, static_cast<double>(rate));
    const Shape shape{input.dim(0), input.dim(1), coefficients_};
    Tensor& output = context.AllocateOutput(0, DType::kFloat, shape);
    float* const to = output.mutable_data<float>().data();
    if (filters.is_empty()) {
      std::fill_n(to, shape.elements(), 0.0F);
      return;
    }
    const std::vector<double> cosines = Cosines(coefficients_, channels_);  // before anything counts up to the channels
    filters.Weigh();
    const float* const from = input.data<float>().data();
    context.pool().ParallelFor(input.dim(0) * input.dim(1), GrainFor(8 * bins + channels_ * (coefficients_ + 16)),
                               [&](int64_t begin, int64_t end) {
                                 std::vector<double> logs(static_cast<size_t>(channels_));
                                 for (int64_t frame = begin; frame < end; ++frame) {
                                   filters.Logarithms(from + frame * bins, logs.data());
                                   Transform(logs, cosines, to + frame * coefficients_);
                                 }
                               });
  }

 private:
  void Check(int64_t rate, int64_t bins) const {
    Require(channels_ >= 1 && channels_ <= INT32_MAX && rate > 0 && bins >= 2 && limits_.low >= 0 &&
                limits_.high > limits_.low,
            "there are no ", channels_, " filters from ", limits_.low, " to ", limits_.high, " Hz over ", bins,
            " bins at ", rate, " samples per second");
    Require(coefficients_ >= 1 && coefficients_ <= channels_, "there are no ", coefficients_, " coefficients of ",
            channels_, " filters");
  }

  void Transform(const std::vector<double>& logs, const std::vector<double>& cosines, float* to) const {
    for (int64_t i = 0; i < coefficients_; ++i) {
      const double* const row = cosines.data() + i * channels_;
      double sum = 0;
      for (int64_t j = 0; j < channels_; ++j) sum += row[j] * logs[static_cast<size_t>(j)];
      to[i] = static_cast<float>(sum);
    }
  }

  const Limits limits_;
  const int64_t channels_, coefficients_;
};

constexpr KernelRow kRows[] = {
    {"Mfcc", Make<MfccKernel>},
};

}  // namespace

std::span<const KernelRow> SpectralMfcc() { return kRows; }

}  // namespace plumb::fast::cpu

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/ops/summary/shown.h"

namespace plumb::reference {
namespace {

constexpr double kLargest = std::numeric_limits<double>::max();

// Where ranges end: 1e-12·1.1^k up to 1e20, their negatives, zero, and the largest numbers (Z13).
std::vector<double> Limits() {
  std::vector<double> limits = {0, kLargest, -kLargest};
  for (double limit = 1e-12; limit < 1e20; limit *= 1.1) {
    limits.push_back(limit);
    limits.push_back(-limit);
  }
  std::sort(limits.begin(), limits.end());
  return limits;
}

class Histogram {
 public:
  void Add(double value) {
    const auto above = std::upper_bound(limits_.begin(), limits_.end(), value) - limits_.begin();
    counts_[std::min(static_cast<size_t>(above), counts_.size() - 1)] += 1;
    min_ = std::min(min_, value);
    max_ = std::max(max_, value);
    count_ += 1;
    sum_ += value;
    sum_of_squares_ += value * value;
  }

  // Empty ranges beside each other are one.
  void Write(pb::HistogramProto* to) const {
    to->set_min(min_);
    to->set_max(max_);
    to->set_num(count_);
    to->set_sum(sum_);
    to->set_sum_squares(sum_of_squares_);
    for (size_t i = 0; i < counts_.size(); ++i) {
      if (counts_[i] == 0 && i + 1 < counts_.size() && counts_[i + 1] == 0) continue;
      to->add_bucket_limit(limits_[i]);
      to->add_bucket(counts_[i]);
    }
  }

 private:
  std::vector<double> limits_ = Limits();
  std::vector<double> counts_ = std::vector<double>(limits_.size(), 0);
  double min_ = kLargest, max_ = -kLargest, count_ = 0, sum_ = 0, sum_of_squares_ = 0;
};

void HistogramSummary(OpContext& c) {
  const Tensor& tag = c.tensor(0);
  Require(tag.rank() == 0, "tag must be a scalar, not of shape ", tag.shape().ToString());
  pb::Summary summary;
  ShowHistogram(tag.scalar<std::string>(), c.tensor(1), &summary);
  c.Output(0, MakeScalar(summary.SerializeAsString()));
}

constexpr KernelRow kRows[] = {
    {"HistogramSummary", HistogramSummary},
};

}  // namespace

void ShowHistogram(const std::string& tag, const Tensor& values, pb::Summary* summary) {
  Histogram histogram;
  VisitType(values.dtype(), [&](auto type) {
    using T = typename decltype(type)::Type;
    if constexpr (requires(T number) { static_cast<double>(number); }) {
      for (int64_t i = 0; i < values.elements(); ++i) {
        const auto value = static_cast<double>(values.data<T>()[i]);
        Require(std::isfinite(value), "element ", i, " of the histogram is not finite");
        histogram.Add(value);
      }
    }
  });
  pb::Summary::Value* const shown = summary->add_value();
  shown->set_tag(tag);
  histogram.Write(shown->mutable_histo());
}

namespace topics {
std::span<const KernelRow> SummaryHistogram() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

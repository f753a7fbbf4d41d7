#include "conformance/compare/spread.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "conformance/compare/compare.h"

namespace plumb::conformance {
namespace {

// The middle one, the lower of two; 0 of none.
double Median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double SpreadOf(double centre, size_t i, const std::vector<std::vector<double>>& samples) {
  double low = centre, high = centre;
  bool measured = false;
  for (const std::vector<double>& sample : samples) {
    if (std::isnan(sample[i])) continue;
    measured = true;
    low = std::min(low, sample[i]);
    high = std::max(high, sample[i]);
  }
  return measured ? high - low : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

Spread::Spread(const std::vector<double>& centre, const std::vector<double>& bounds,
               const std::vector<std::vector<double>>& samples)
    : bounds_(bounds) {
  std::vector<double> parts, sizes;
  for (size_t i = 0; i < centre.size(); ++i) {
    own_.push_back(SpreadOf(centre[i], i, samples));
    if (!(own_[i] > 0) || !std::isfinite(own_[i])) continue;
    sizes.push_back(own_[i]);
    if (bounds_[i] > 0 && std::isfinite(bounds_[i])) parts.push_back(own_[i] / bounds_[i]);
  }
  typical_part_ = Median(std::move(parts));
  typical_size_ = Median(std::move(sizes));
}

double Spread::Limit(size_t i, double spacing) const {
  if (std::isnan(own_[i])) return bounds_[i];
  const double typical = std::isfinite(bounds_[i]) ? typical_part_ * bounds_[i] : typical_size_;
  const double spread = std::max(own_[i], typical);
  return spread == 0 ? bounds_[i] : std::min(bounds_[i], kSpreads * spread + spacing);
}

}  // namespace plumb::conformance

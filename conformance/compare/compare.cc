#include "conformance/compare/compare.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "conformance/compare/elements.h"
#include "conformance/compare/spread.h"
#include "spec/session/tensor_float_32.h"

namespace plumb::conformance {
namespace {

bool Equal(double a, double b, const Profile& profile) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b && (!profile.signed_zeros || a != 0 || std::signbit(a) == std::signbit(b));
}

// Judges the numbers of a floating-point tensor one by one.
class BoundedComparison {
 public:
  BoundedComparison(const Tensor& actual, const reference::Value& expected, const Samples& samples,
                    const Profile& profile, const Sides& sides)
      : actual_(actual),
        expected_(expected),
        profile_(profile),
        sides_(sides),
        a_(ToDoubles(actual)),
        e_(ToDoubles(expected.tensor)),
        sampler_(samples) {
    for (const double value : e_) {
      if (std::isfinite(value)) scale_ = std::max(scale_, std::fabs(value));
    }
    if (expected.bound != nullptr && expected.bound->size() != e_.size()) {
      throw Internal("the reference gave ", expected.bound->size(), " bounds for ", e_.size(), " numbers");
    }
  }

  Verdict Judged() {
    if (expected_.bound != nullptr) verdict_.judge = expected_.sharp ? Judge::kSharp : Judge::kComputed;
    for (size_t i = 0; i < e_.size(); ++i) {
      if (!Accept(i)) Fail(i);
    }
    verdict_.compared = actual_.elements() - open_ / PartsOf(actual_.dtype());
    if (failures_ > 1) verdict_.detail += Str("; ", failures_, " of ", e_.size(), " numbers are out");
    return std::move(verdict_);
  }

 private:
  double Bound(size_t i) const { return expected_.bound == nullptr ? 0 : (*expected_.bound)[i]; }

  bool Accept(size_t i) {
    const double bound = Bound(i);
    if (Equal(a_[i], e_[i], profile_)) return true;
    if (IsComplex(actual_.dtype()) && BothBroken(i)) return true;
    if (!std::isfinite(a_[i]) || !std::isfinite(e_[i])) return AcceptClass(i, bound);
    const bool says_something = bound <= kUsefulBound * scale_;  // false for NaN
    if (says_something || !LoadSamples()) return AcceptWithin(i, bound);
    verdict_.judge = Judge::kMeasured;
    return EqualsSample(i) || AcceptWithin(i, spread_->Limit(i, Spacing(actual_.dtype(), e_[i])));
  }

  // Nothing is known of this number, as when a sum may overflow on its way: it passes, but does not count.
  bool Open() {
    ++open_;
    return true;
  }

  // Where a number is infinite or NaN: the class must be the same, unless the bound reaches across overflow.
  bool AcceptClass(size_t i, double bound) {
    if (std::isinf(bound)) return Open();
    const double a = a_[i], e = e_[i];
    limit_ = bound;
    if (!std::isnan(a) && !std::isnan(e) && std::isfinite(a) != std::isfinite(e)) {
      const double finite = std::isinf(a) ? e : a;
      if (std::signbit(a) == std::signbit(e) && std::fabs(finite) + bound > Largest(actual_.dtype())) return true;
    }
    if (bound <= kUsefulBound * scale_ || !LoadSamples()) return false;
    return EqualsSample(i) || (SampleIsNan(i) && Open());
  }

  bool AcceptWithin(size_t i, double limit) {
    if (std::isinf(limit)) return Open();
    const double a = a_[i], e = e_[i];
    limit_ = limit;
    if (profile_.signed_zeros && a == 0 && e == 0) return false;  // they were not equal
    const double flushed = limit > 0 && profile_.flush_subnormals ? SmallestNormal(actual_.dtype()) : 0;
    const double difference = std::fabs(a - e);
    if (difference > flushed && limit > 0) verdict_.worst = std::max(verdict_.worst, difference / limit);
    return difference <= std::max(limit, flushed);
  }

  // Which part of a complex number turns NaN or infinite first is not specified.
  bool BothBroken(size_t i) const {
    const size_t other = i ^ 1;
    const bool actual_broken = !std::isfinite(a_[i]) || !std::isfinite(a_[other]);
    const bool expected_broken = !std::isfinite(e_[i]) || !std::isfinite(e_[other]);
    return actual_broken && expected_broken;
  }

  bool LoadSamples() {
    if (!sampled_ && sampler_) {
      for (const Tensor& sample : sampler_()) {
        if (CompareType(sample, expected_.tensor).ok()) samples_.push_back(ToDoubles(sample));
      }
    }
    if (!sampled_ && !samples_.empty()) spread_.emplace(e_, *expected_.bound, samples_);
    sampled_ = true;
    return !samples_.empty();
  }

  bool EqualsSample(size_t i) const {
    return std::any_of(samples_.begin(), samples_.end(),
                       [&](const std::vector<double>& sample) { return Equal(a_[i], sample[i], profile_); });
  }

  bool SampleIsNan(size_t i) const {
    return std::any_of(samples_.begin(), samples_.end(),
                       [&](const std::vector<double>& sample) { return std::isnan(sample[i]); });
  }

  void Fail(size_t i) {
    if (failures_++ > 0) return;
    const int64_t element = static_cast<int64_t>(i) / PartsOf(actual_.dtype());
    verdict_.failed = verdict_.judge == Judge::kExact ? Gate::kExact : Gate::kBound;
    verdict_.detail =
        Str("at ", PrintPosition(actual_.shape(), element), " ", sides_.actual, " ", PrintElement(actual_, element),
            ", ", sides_.expected, " ", PrintElement(expected_.tensor, element), " within ", limit_, " (",
            JudgeName(verdict_.judge), "), off by ", std::fabs(a_[i] - e_[i]));
  }

  const Tensor& actual_;
  const reference::Value& expected_;
  const Profile profile_;
  const Sides sides_;
  const std::vector<double> a_, e_;
  const Samples& sampler_;
  std::vector<std::vector<double>> samples_;
  bool sampled_ = false;
  std::optional<Spread> spread_;  // of the samples, if there are any
  double scale_ = 0;
  double limit_ = 0;  // that judged the last number
  int64_t failures_ = 0;
  int64_t open_ = 0;
  Verdict verdict_;
};

}  // namespace

std::string_view GateName(Gate gate) {
  constexpr std::string_view kNames[] = {"", "crash", "status", "type", "exact", "bound", "effect"};
  return kNames[static_cast<int>(gate)];
}

std::string_view JudgeName(Judge judge) {
  constexpr std::string_view kNames[] = {"exact", "computed bound", "sharp limit", "measured sensitivity"};
  return kNames[static_cast<int>(judge)];
}

Verdict CompareType(const Tensor& actual, const Tensor& expected, const Sides& sides) {
  Verdict verdict;
  if (actual.dtype() == expected.dtype() && actual.shape() == expected.shape()) return verdict;
  verdict.failed = Gate::kType;
  verdict.detail = Str(sides.actual, " ", DTypeName(actual.dtype()), actual.shape().ToString(), ", ", sides.expected,
                       " ", DTypeName(expected.dtype()), expected.shape().ToString());
  return verdict;
}

Verdict CompareExact(const Tensor& actual, const Tensor& expected, const Sides& sides) {
  Verdict verdict = CompareType(actual, expected, sides);
  if (!verdict.ok()) return verdict;
  verdict.compared = actual.elements();
  int64_t failures = 0;
  for (int64_t i = 0; i < actual.elements(); ++i) {
    if (SameElement(actual, expected, i) || failures++ > 0) continue;
    verdict.failed = Gate::kExact;
    verdict.detail = Str("at ", PrintPosition(actual.shape(), i), " ", sides.actual, " ", PrintElement(actual, i), ", ",
                         sides.expected, " ", PrintElement(expected, i));
  }
  if (failures > 1) verdict.detail += Str("; ", failures, " of ", actual.elements(), " elements differ");
  return verdict;
}

static Verdict Judged(const Tensor& actual, const reference::Value& expected, const Samples& samples,
                      const Profile& profile, const Sides& sides) {
  Verdict verdict = CompareType(actual, expected.tensor, sides);
  if (!verdict.ok()) return verdict;
  if (IsFloating(actual.dtype()) || IsComplex(actual.dtype())) {
    return BoundedComparison(actual, expected, samples, profile, sides).Judged();
  }
  verdict = CompareExact(actual, expected.tensor, sides);
  if (verdict.ok() || !samples) return verdict;
  for (const Tensor& sample : samples()) {
    if (!CompareExact(actual, sample).ok()) continue;
    Verdict outcome;
    outcome.judge = Judge::kMeasured;
    outcome.compared = actual.elements();
    return outcome;
  }
  return verdict;
}

Verdict Compare(const Tensor& actual, const reference::Value& expected, const Samples& samples, const Profile& profile,
                const Sides& sides) {
  if (IsTensorFloat32Enabled()) {
    throw FailedPrecondition("float32 is multiplied as TF32: limits are those of products in full precision");
  }
  Verdict verdict = Judged(actual, expected, samples, profile, sides);
  if (!verdict.ok() && expected.was_alias) {
    verdict.detail += "; an alias of a variable, to be read when the step is over (rule F28)";
  }
  return verdict;
}

}  // namespace plumb::conformance

#include "property-tests/generators/smoothness.h"

#include <algorithm>
#include <cmath>

#include "backends/backends.h"
#include "conformance/compare/elements.h"
#include "conformance/suites/single_node.h"

namespace plumb::property {
namespace {

using Numbers = std::vector<double>;

// The op as a function of some of its inputs.
class Function {
 public:
  Function(const OpDef& op, const SampledCase& sample)
      : single_(conformance::MakeSingleNode(op, sample)), session_(OpenSession("reference")) {
    Must(session_->Extend(single_.graph));
    // With nodes around it, feeds are of them as well.
    for (size_t i = 0; i < sample.inputs.size() && sample.StandsAlone(); ++i) {
      if (sample.inputs[i].dtype() == DType::kDouble && sample.freedoms[i] != Freedom::kThis) moving_.push_back(i);
    }
  }

  bool HasInputs() const { return !moving_.empty(); }

  std::vector<Numbers> Inputs() const {
    std::vector<Numbers> inputs;
    for (const size_t i : moving_) inputs.push_back(conformance::ToDoubles(single_.run.feeds[i].second));
    return inputs;
  }

  // All floating-point results, one after the other.
  Numbers operator()(const std::vector<Numbers>& inputs) {
    std::vector<Feed> feeds = single_.run.feeds;
    for (size_t k = 0; k < moving_.size(); ++k) {
      Tensor& tensor = feeds[moving_[k]].second;
      tensor = tensor.Clone();
      std::copy(inputs[k].begin(), inputs[k].end(), tensor.mutable_data<double>().begin());
    }
    std::vector<Tensor> outputs;
    Must(session_->Run(feeds, single_.run.fetches, single_.run.targets, &outputs));
    Numbers results;
    for (const Tensor& output : outputs) {
      if (!IsFloating(output.dtype())) continue;
      const Numbers numbers = conformance::ToDoubles(output);
      results.insert(results.end(), numbers.begin(), numbers.end());
    }
    return results;
  }

 private:
  static void Must(const Status& status) {
    if (!status.ok()) throw Error(status);
  }

  const conformance::SingleNode single_;
  const std::unique_ptr<Session> session_;
  std::vector<size_t> moving_;  // feeds
};

// One of several directions, in which elements move forth, back, or not at all.
std::vector<Numbers> Moved(std::vector<Numbers> inputs, size_t direction, double step) {
  constexpr size_t kSteps = 5;
  for (size_t k = 0; k < inputs.size(); ++k) {
    for (size_t i = 0; i < inputs[k].size(); ++i) {
      inputs[k][i] += step * (static_cast<double>((i * (direction + 1) + 2 * k + direction) % kSteps) - 2);
    }
  }
  return inputs;
}

Smoothness Around(Function& f, const std::vector<Numbers>& inputs) {
  constexpr double kStep = 0x1p-14, kChange = 0x1p-4;  // changes of f and its slope that a smooth f does not have
  Smoothness smoothness = Smoothness::kSmooth;
  const Numbers middle = f(inputs);
  for (size_t direction = 0; direction < 3; ++direction) {
    const Numbers right = f(Moved(inputs, direction, kStep)), left = f(Moved(inputs, direction, -kStep));
    for (size_t i = 0; i < middle.size(); ++i) {
      const double rise = right[i] - middle[i], rise_before = middle[i] - left[i];
      if (!(std::abs(rise) < kChange && std::abs(rise_before) < kChange)) return Smoothness::kJumps;  // or NaN
      if (std::abs(rise - rise_before) > kChange * kStep) smoothness = Smoothness::kBends;
    }
  }
  return smoothness;
}

}  // namespace

Smoothness SmoothnessOf(const OpDef& op, const SampledCase& sample) {
  Function f(op, sample);
  if (!f.HasInputs()) return Smoothness::kJumps;
  const std::vector<Numbers> inputs = f.Inputs();
  Smoothness smoothness = Around(f, inputs);
  for (const double all : {0.0, 1.0}) {
    std::vector<Numbers> equal = inputs;
    for (Numbers& numbers : equal) std::fill(numbers.begin(), numbers.end(), all);
    smoothness = std::min(smoothness, Around(f, equal));
  }
  return smoothness;
}

}  // namespace plumb::property

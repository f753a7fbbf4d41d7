// Stochastic dual coordinate ascent: one example after the other, since each meets the weights that those before it
// left. Sums are kept in float64, changes of weights in float32.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/row_loops.h"
#include "fastpath/cpu/optimizer/sdca_groups.h"
#include "fastpath/cpu/optimizer/sdca_losses.h"
#include "fastpath/device/kernel.h"
#include "fastpath/device/variable_access.h"
#include "spec/graph/int32_attr.h"

namespace plumb::fast::cpu {
namespace {

struct Rates {
  double l2, shrinkage, partitions;
};

// A pass over the examples, whose rows of the state are changed in place.
template <class Loss>
class Ascent {
 public:
  Ascent(const Rates& rates, std::vector<SdcaGroup>& groups, std::span<const float> weights,
         const std::vector<double>& labels, float* state)
      : rates_(rates), groups_(groups), weights_(weights), labels_(labels), state_(state) {
    for (int64_t i = 0; i < std::ssize(weights); ++i) {
      double norm = 0;
      ForEach(i, [&](const SdcaGroup&, int64_t, double value) { norm += value * value; });
      norms_.push_back(norm);
    }
  }

  void Run(bool is_adaptive) {
    std::vector<int64_t> order(weights_.size());
    std::iota(order.begin(), order.end(), 0);
    if (is_adaptive) {
      std::vector<double> urgency;
      for (const int64_t i : order) urgency.push_back(Urgency(i));
      std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
        return urgency[static_cast<size_t>(a)] > urgency[static_cast<size_t>(b)];
      });
    }
    for (const int64_t i : order) Improve(i);
  }

 private:
  template <class F>
  void ForEach(int64_t example, const F& f) const {
    for (const SdcaGroup& group : groups_) {
      group.ForEach(example, [&](int64_t at, double value) { f(group, at, value); });
    }
  }

  // l1 draws weights to zero.
  double Shrunk(double weight) const {
    return std::copysign(std::max(std::fabs(weight) - rates_.shrinkage, 0.0), weight);
  }

  // By the weights as they are now; `before` by those that were given.
  double Prediction(int64_t example, double* before = nullptr) const {
    double now = 0, given = 0;
    ForEach(example, [&](const SdcaGroup& group, int64_t at, double value) {
      const double weight = group.weights[at];
      now += value * Shrunk(weight + group.deltas[at] * rates_.partitions);
      given += value * Shrunk(weight);
    });
    if (before != nullptr) *before = given;
    return now;
  }

  // How far the dual variable is from the best, as its chance to be drawn would have it.
  double Urgency(int64_t example) const {
    const auto i = static_cast<size_t>(example);
    const double kappa = state_[4 * example] + Loss::Slope(Prediction(example), labels_[i]);
    return weights_[i] * std::sqrt(norms_[i] + rates_.l2 * Loss::kSmoothness) * std::fabs(kappa);
  }

  void Improve(int64_t example) {
    const auto i = static_cast<size_t>(example);
    const double weight = weights_[i], label = labels_[i];
    float* const state = state_ + 4 * example;
    double before = 0;
    const double dual = state[0], wx = Prediction(example, &before);
    const double best = Loss::BestDual({label, dual, wx, rates_.partitions * (norms_[i] / rates_.l2) * weight});
    const double change = (best - dual) * weight / rates_.l2;
    ForEach(example, [&](const SdcaGroup& group, int64_t at, double value) {
      group.deltas[at] = static_cast<float>(group.deltas[at] + value * change);
    });
    state[0] = static_cast<float>(best);
    state[1] = static_cast<float>(Loss::Primal(before, label) * weight);
    state[2] = static_cast<float>(Loss::Dual(dual, label) * weight);
    state[3] = weights_[i];
  }

  const Rates rates_;
  std::vector<SdcaGroup>& groups_;
  const std::span<const float> weights_;
  const std::vector<double>& labels_;
  float* const state_;
  std::vector<double> norms_;
};

class SdcaKernel final : public Kernel {
 public:
  explicit SdcaKernel(const Node& node)
      : node_(node.name),
        loss_(GetAttr<std::string>(node.attrs, "loss_type")),
        is_adaptive_(GetAttr<bool>(node.attrs, node.attrs.contains("adaptive") ? "adaptive" : "adaptative")) {
    const auto count = [&](const char* name) { return Int32Attr(node, name); };
    layout_ = {count("num_sparse_features"), count("num_sparse_features_with_values"), count("num_dense_features")};
    Require(layout_.sparse + layout_.dense > 0, "there must be a feature to train");
    const double l2 = GetAttr<float>(node.attrs, "l2");
    rates_ = {l2, GetAttr<float>(node.attrs, "l1") / l2, static_cast<double>(count("num_loss_partitions"))};
    count("num_inner_iterations");
  }

  void Run(KernelContext& context) override {
    if (loss_ == "logistic_loss") return Train<LogisticLoss>(context);
    if (loss_ == "squared_loss") return Train<SquaredLoss>(context);
    if (loss_ == "hinge_loss") return Train<HingeLoss>(context);
    if (loss_ == "smooth_hinge_loss") return Train<SmoothHingeLoss>(context);
    Train<PoissonLoss>(context);
  }

 private:
  template <class Loss>
  void Train(KernelContext& context) const {
    const auto weights = context.input(layout_.weights()).data<float>();
    const auto count = std::ssize(weights);
    const auto given = context.input(layout_.labels()).data<float>();
    Require(std::ssize(given) == count, "there are ", count, " weights of examples, but ", given.size(), " labels");
    std::vector<double> labels;
    for (const float label : given) labels.push_back(LabelOf<Loss>(label));
    const Tensor& state = context.input(layout_.state());
    Require(state.shape() == Shape({count, 4}), "example_state_data must have the shape [", count, ", 4], not ",
            Printed(state.shape()));
    std::vector<SdcaGroup> groups = SdcaGroups(context, layout_, count);
    Tensor& changed = context.AllocateOutput(0, DType::kFloat, state.shape());
    std::copy_n(state.data<float>().data(), state.elements(), changed.mutable_data<float>().data());
    Ascent<Loss>(rates_, groups, weights, labels, changed.mutable_data<float>().data()).Run(is_adaptive_);
  }

  template <class Loss>
  double LabelOf(float label) const {
    if constexpr (Loss::kHasClasses) {
      Require(label == 0 || label == 1, "a label is 0 or 1, not ", label);
      return label == 0 ? -1 : 1;
    }
    Require(Loss::kTakesNegative || !(label < 0), "a label is not negative, as ", label, " is");
    return label;
  }

  const std::string node_, loss_;
  const bool is_adaptive_;
  SdcaLayout layout_;
  Rates rates_{};
};

class ShrinkL1Kernel final : public Kernel {
 public:
  explicit ShrinkL1Kernel(const Node& node)
      : node_(node.name), shrinkage_(GetAttr<float>(node.attrs, "l1") / GetAttr<float>(node.attrs, "l2")) {}

  void Run(KernelContext& context) override {
    for (int i = 0; i < context.num_inputs(); ++i) {
      VariableUpdate update(node_, context.ref(i));
      update.Value();  // there has to be one
      const std::span<float> weights = update.Writable().mutable_data<float>();
      context.pool().ParallelFor(std::ssize(weights), GrainFor(1), [&](int64_t begin, int64_t end) {
        ShrinkRow(shrinkage_, end - begin, weights.data() + begin);
      });
    }
  }

 private:
  const std::string node_;
  const float shrinkage_;
};

constexpr KernelRow kRows[] = {
    {"SdcaOptimizer", Make<SdcaKernel>},
    {"SdcaOptimizerV2", Make<SdcaKernel>},
    {"SdcaShrinkL1", Make<ShrinkL1Kernel>},
};

}  // namespace

std::span<const KernelRow> OptimizerSdca() { return kRows; }

}  // namespace plumb::fast::cpu

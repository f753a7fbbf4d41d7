// Stochastic dual coordinate ascent: one example after the other, each by what the weights have become so far.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "reference/kernel/op_context.h"
#include "reference/numbers/numbers_io.h"
#include "reference/ops/optimizer/sdca_losses.h"
#include "spec/graph/int32_attr.h"

namespace plumb::reference {
namespace {

// The inputs, one after the other.
class Reading {
 public:
  explicit Reading(const OpContext& c) : c_(c) {}
  int Take(int64_t count = 1) {
    const int first = next_;
    next_ += static_cast<int>(count);
    return first;
  }
  const Value& value(int i) const { return c_.input(i); }
  const Tensor& tensor(int i) const { return c_.tensor(i); }
  const OpContext& context() const { return c_; }

 private:
  const OpContext& c_;
  int next_ = 0;
};

// A number that an example has, and which weight it meets.
struct Feature {
  size_t weight;
  Real value;
};
using Features = std::vector<Feature>;

// Features that share a tensor of weights: what each example has of them, the weights, and how far these have moved.
struct Group {
  std::vector<Features> of_example;
  Array<Real> weights, deltas;

  void SetWeights(const Value& value) {
    weights = Load<Real>(value);
    deltas = MakeArray<Real>(weights.dtype, weights.shape);
  }
};

class Problem {
 public:
  explicit Problem(const OpContext& c)
      : loss_(DualLossNamed(c.attr<std::string>("loss_type"))),
        l2_(c.attr<float>("l2")),
        shrinkage_(Real(c.attr<float>("l1")) / l2_),
        partitions_(static_cast<double>(c.attr<int64_t>("num_loss_partitions"))) {
    Reading in(c);
    const int64_t sparse = c.attr<int64_t>("num_sparse_features"), dense = c.attr<int64_t>("num_dense_features");
    const int64_t valued = c.attr<int64_t>("num_sparse_features_with_values");
    const int examples = in.Take(sparse), columns = in.Take(sparse), values = in.Take(valued), rows = in.Take(dense);
    weights_ = Load<Real>(c.input(in.Take()));
    labels_ = Load<Real>(c.input(in.Take()));
    Require(labels_.at.size() == weights_.at.size(), "there are ", weights_.at.size(), " weights of examples, but ",
            labels_.at.size(), " labels");
    const int names = in.Take(sparse), sparse_weights = in.Take(sparse), dense_weights = in.Take(dense);
    for (int i = 0; i < sparse; ++i) {
      const Value* const own = i < valued ? &c.input(values + i) : nullptr;
      AddSparse(c.tensor(examples + i), c.tensor(columns + i), own, c.tensor(names + i), c.input(sparse_weights + i));
    }
    for (int i = 0; i < dense; ++i) AddDense(c.input(rows + i), c.input(dense_weights + i));
    const Value& state = c.input(in.Take());
    Require(state.tensor.shape() == Shape({count(), 4}), "example_state_data must have the shape [", count(),
            ", 4], not ", state.tensor.shape().ToString());
    state_ = Load<Real>(state);
    for (int64_t i = 0; i < count(); ++i) norms_.push_back(SquaredNorm(i));
  }

  int64_t count() const { return std::ssize(weights_.at); }

  // Those whose dual variable is furthest from the best come first, weighted as their chance to be drawn would be.
  std::vector<int64_t> Urgency() const {
    std::vector<double> urgency;
    for (int64_t i = 0; i < count(); ++i) {
      const Real kappa = state_[4 * i] + loss_.Slope(Prediction(i, true), loss_.Label(labels_[i]));
      const double reach = std::sqrt(norms_[static_cast<size_t>(i)].v + l2_.v * loss_.Smoothness());
      urgency.push_back(weights_[i].v * reach * std::fabs(kappa.v));
    }
    std::vector<int64_t> order = InOrder();
    std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
      return urgency[static_cast<size_t>(a)] > urgency[static_cast<size_t>(b)];
    });
    return order;
  }
  std::vector<int64_t> InOrder() const {
    std::vector<int64_t> order(static_cast<size_t>(count()));
    std::iota(order.begin(), order.end(), 0);
    return order;
  }

  void Improve(int64_t i) {
    const Real weight = weights_[i], label = loss_.Label(labels_[i]), dual = state_[4 * i];
    const Real scale = partitions_ * (norms_[static_cast<size_t>(i)] / l2_) * weight;
    const Real best = loss_.BestDual({label, weight, dual, Prediction(i, true), scale});
    const Real loss = loss_.Primal(Prediction(i, false), label) * weight;
    const Real change = (best - dual) * weight / l2_;
    for (Group& group : groups_) {
      for (const auto& [at, value] : group.of_example[static_cast<size_t>(i)]) group.deltas.at[at] += value * change;
    }
    state_[4 * i] = best;
    state_[4 * i + 1] = loss;
    state_[4 * i + 2] = loss_.Dual(dual, label) * weight;
    state_[4 * i + 3] = weight;
  }

  void Output(OpContext& c) const {
    c.Output(0, Store(state_));
    for (size_t i = 0; i < groups_.size(); ++i) c.Output(static_cast<int>(i + 1), Store(groups_[i].deltas));
  }

 private:
  Group& NewGroup(const Value& weights) {
    Group& group = groups_.emplace_back();
    group.SetWeights(weights);
    group.of_example.resize(static_cast<size_t>(count()));
    return group;
  }

  // Elements that are out of order, or of no example, end the list.
  void AddSparse(const Tensor& examples, const Tensor& columns, const Value* values, const Tensor& names,
                 const Value& weights) {
    Group& group = NewGroup(weights);
    Require(examples.elements() == columns.elements(), "there are ", examples.elements(), " indices of examples, but ",
            columns.elements(), " of features");
    Require(values == nullptr || values->tensor.elements() == columns.elements(), "there are ", columns.elements(),
            " sparse features, but another number of values");
    Require(names.elements() <= std::ssize(group.weights.at), "sparse_indices names ", names.elements(),
            " weights, but there are ", group.weights.at.size());
    std::map<int64_t, size_t> place;
    const std::vector<int64_t> named = ToInt64s(names), of = ToInt64s(examples), column = ToInt64s(columns);
    for (size_t i = 0; i < named.size(); ++i) place[named[i]] = i;
    size_t next = 0;
    for (int64_t example = 0; example < count(); ++example) {
      std::set<int64_t> seen;
      for (; next < of.size() && of[next] == example; ++next) {
        const auto found = place.find(column[next]);
        Require(found != place.end(), "there is no weight for the sparse feature ", column[next]);
        Require(seen.insert(column[next]).second, "example ", example, " has the sparse feature ", column[next],
                " twice");
        const Real value = values == nullptr ? Real(1) : Reader<Real>(*values)[static_cast<int64_t>(next)];
        group.of_example[static_cast<size_t>(example)].push_back({found->second, value});
      }
    }
  }

  void AddDense(const Value& value, const Value& weights) {
    Group& group = NewGroup(weights);
    const Tensor& rows = value.tensor;
    Require(rows.rank() == 2 && rows.dim(0) == count(), "dense features must be a matrix of ", count(),
            " rows, not of shape ", rows.shape().ToString());
    const int64_t width = rows.dim(1);
    Require(0 < width && width <= std::ssize(group.weights.at), "there are ", width, " dense features, but ",
            group.weights.at.size(), " weights");
    const Reader<Real> from(value);
    for (int64_t i = 0; i < rows.elements(); ++i) {
      group.of_example[static_cast<size_t>(i / width)].push_back({static_cast<size_t>(i % width), from[i]});
    }
  }

  Real SquaredNorm(int64_t i) const {
    Sum sum;
    for (const Group& group : groups_) {
      for (const Feature& feature : group.of_example[static_cast<size_t>(i)]) {
        sum.AddProduct(feature.value, feature.value);
      }
    }
    return sum.Result();
  }

  // By the weights as they were, or as they are now.
  Real Prediction(int64_t i, bool now) const {
    Sum sum;
    for (const Group& group : groups_) {
      for (const auto& [at, value] : group.of_example[static_cast<size_t>(i)]) {
        const Real weight = group.weights.at[at];
        sum.AddProduct(value, Shrunk(now ? weight + group.deltas.at[at] * partitions_ : weight));
      }
    }
    return sum.Result();
  }

  // l1 draws weights to zero.
  Real Shrunk(Real weight) const {
    const Real size = Max(Abs(weight) - shrinkage_, Real(0));
    return weight < 0 ? -size : size;
  }

  const DualLoss& loss_;
  const Real l2_, shrinkage_, partitions_;
  Array<Real> weights_, labels_, state_;
  std::vector<Group> groups_;
  std::vector<Real> norms_;
};

bool IsAdaptive(const Node& node) {
  return GetAttr<bool>(node.attrs, node.attrs.contains("adaptive") ? "adaptive" : "adaptative");
}

void CheckSdca(const Node& node) {
  Require(GetAttr<int64_t>(node.attrs, "num_sparse_features") + GetAttr<int64_t>(node.attrs, "num_dense_features") > 0,
          "there must be a feature to train");
  for (const char* count : {"num_loss_partitions", "num_inner_iterations"}) Int32Attr(node, count);
}

void Sdca(OpContext& c) {
  ComputeIn(DType::kFloat);
  Problem problem(c);
  for (const int64_t i : IsAdaptive(c.node) ? problem.Urgency() : problem.InOrder()) problem.Improve(i);
  problem.Output(c);
}

void ShrinkL1(OpContext& c) {
  ComputeIn(DType::kFloat);
  const Real shrinkage = Real(c.attr<float>("l1")) / Real(c.attr<float>("l2"));
  for (int i = 0; i < c.num_inputs(); ++i) {
    auto weights = Load<Real>(c.ref(i).Read(c.node.name));
    for (Real& weight : weights.at) {
      if (std::isnan(weight.v)) continue;
      const Real size = Max(Abs(weight) - shrinkage, Real(0));
      weight = weight < 0 ? -size : size;
    }
    c.ref(i).Update(Store(weights));
  }
}

constexpr KernelRow kRows[] = {
    {"SdcaOptimizer", Sdca, CheckSdca},
    {"SdcaOptimizerV2", Sdca, CheckSdca},
    {"SdcaShrinkL1", ShrinkL1},
};

}  // namespace

namespace topics {
std::span<const KernelRow> OptimizerSdca() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

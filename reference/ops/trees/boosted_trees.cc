// Where nodes of boosted trees are split best.
#include <cmath>
#include <limits>
#include <vector>

#include "reference/kernel/op_context.h"
#include "reference/numbers/element.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"
#include "spec/graph/int32_attr.h"

namespace plumb::reference {
namespace {

constexpr float kTiny = 1e-15F;

Real Single(Real x) { return {static_cast<float>(x.v), x.e, 0}; }

struct Penalties {
  Real l1, l2;
};
struct Leaf {
  Real contribution, gain;
};

Leaf LeafOf(Real gradient, Real hessian, const Penalties& penalties) {
  Real g = gradient;
  if (penalties.l1.v > 0) {
    if (std::fabs(g.v) <= penalties.l1.v) return {};
    g = Single(g.v > 0 ? g - penalties.l1 : g + penalties.l1);
  }
  const Real curvature = Single(hessian + penalties.l2);
  if (curvature.v <= kTiny) return {};
  const Real contribution = Single(-g / curvature);
  return {contribution, Single(-g * contribution)};
}

struct Split {
  int64_t node = 0, bucket = 0;
  Real gain, left, right;
};

// The best split of a node by a feature's summary, whose totals are those of the last bucket.
Split BestSplit(const std::vector<Real>& gradients, const std::vector<Real>& hessians, const Penalties& penalties) {
  Split best;
  best.gain = std::numeric_limits<float>::lowest();
  for (size_t bucket = 0; bucket < gradients.size(); ++bucket) {
    const Leaf left = LeafOf(gradients[bucket], hessians[bucket], penalties);
    const Leaf right =
        LeafOf(Single(gradients.back() - gradients[bucket]), Single(hessians.back() - hessians[bucket]), penalties);
    const Real gain = Single(left.gain + right.gain);
    if (static_cast<float>(gain.v - best.gain.v) >= kTiny) {
      best = {0, static_cast<int64_t>(bucket), gain, left.contribution, right.contribution};
    }
  }
  return best;
}

// Sums up to each bucket.
std::vector<Real> Cumulative(const Reader<Real>& summary, int64_t first, int64_t buckets) {
  std::vector<Real> sums;
  Real sum;
  for (int64_t bucket = 0; bucket < buckets; ++bucket) {
    sum = Single(sum + summary[first + 2 * bucket]);
    sums.push_back(sum);
  }
  return sums;
}

void OutputSplits(OpContext& c, int feature, int features, const std::vector<Split>& splits) {
  const Shape list{std::ssize(splits)}, column{std::ssize(splits), 1};
  auto nodes = MakeArray<Integer>(DType::kInt32, list), buckets = nodes;
  auto gains = MakeArray<Real>(DType::kFloat, list), left = MakeArray<Real>(DType::kFloat, column), right = left;
  for (int64_t i = 0; i < std::ssize(splits); ++i) {
    const Split& split = splits[static_cast<size_t>(i)];
    nodes[i] = split.node;
    buckets[i] = split.bucket;
    gains[i] = split.gain;
    left[i] = split.left;
    right[i] = split.right;
  }
  const Value values[] = {Store(nodes), Store(gains), Store(buckets), Store(left), Store(right)};
  for (int list_number = 0; list_number < 5; ++list_number) {
    c.Output(list_number * features + feature, values[list_number]);
  }
}

void BestGainsPerFeature(OpContext& c) {
  ComputeIn(DType::kFloat);
  const int features = Int32Attr(c.node, "num_features");
  Int32Attr(c.node, "max_splits");
  const std::vector<int64_t> range = IntegersOf(c.tensor(0), "node_id_range");
  const Shape& shape = c.tensor(1).shape();
  Require(range.size() == 2 && shape.rank() == 3 && shape.dim(2) == 2,
          "node_id_range must be two numbers, and a summary [node, bucket, 2], not of shape ", shape.ToString());
  Require(0 <= range[0] && range[1] <= shape.dim(0), "nodes ", range[0], " to ", range[1], " are not among the ",
          shape.dim(0), " of the summaries");
  const auto scalar = [&](int i) {
    Require(c.tensor(features + i).rank() == 0, "l1, l2, tree_complexity and min_node_weight must be scalars");
    return Reader<Real>(c.input(features + i))[0];
  };
  const Penalties penalties{scalar(1), scalar(2)};
  const Real complexity = scalar(3), least = scalar(4);
  for (int feature = 0; feature < features; ++feature) {
    Require(c.tensor(1 + feature).shape() == shape, "all summaries must have the shape ", shape.ToString());
    Require(shape.dim(1) > 0 || range[0] >= range[1], "a summary must have buckets");
    const Reader<Real> summary(c.input(1 + feature));
    std::vector<Split> splits;
    for (int64_t node = range[0]; node < range[1]; ++node) {
      const int64_t first = node * shape.dim(1) * 2;
      const auto gradients = Cumulative(summary, first, shape.dim(1));
      const auto hessians = Cumulative(summary, first + 1, shape.dim(1));
      if (hessians.back().v < least.v) continue;
      Split split = BestSplit(gradients, hessians, penalties);
      split.node = node;
      const Real parent = LeafOf(gradients.back(), hessians.back(), penalties).gain;
      split.gain = Single(Single(split.gain - parent) - complexity);
      splits.push_back(split);
    }
    OutputSplits(c, feature, features, splits);
  }
}

void RefuseHandle(OpContext& c) {
  for (const int i : {1, 2}) {
    Require(c.tensor(i).rank() == 0, "input ", i, " must be a scalar, not of shape ", c.tensor(i).shape().ToString());
  }
  throw InvalidArgument("the handle leads to nothing of boosted trees: no op makes one that does");
}

constexpr KernelRow kRows[] = {
    {"BoostedTreesCalculateBestGainsPerFeature", BestGainsPerFeature},
    {"BoostedTreesCreateEnsemble", RefuseHandle},
    {"BoostedTreesCreateQuantileStreamResource", RefuseHandle},
};

}  // namespace

namespace topics {
std::span<const KernelRow> TreesBoostedTrees() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

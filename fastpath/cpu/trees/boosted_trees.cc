// Where nodes of boosted trees are split best, and what is said of handles to them.
#include <limits>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/printed.h"
#include "spec/graph/int32_attr.h"

namespace plumb::fast::cpu {
namespace {

constexpr float kTiny = 1e-15F;

struct Leaf {
  float contribution = 0, gain = 0;
};

struct Penalties {
  float l1, l2;
  Leaf LeafOf(float gradient, float hessian) const {
    if (l1 > 0 && gradient <= l1 && gradient >= -l1) return {};
    const float g = l1 > 0 ? (gradient > 0 ? gradient - l1 : gradient + l1) : gradient, curvature = hessian + l2;
    if (curvature <= kTiny) return {};
    const float contribution = -g / curvature;
    return {contribution, -g * contribution};
  }
};

struct Splits {
  std::vector<int32_t> nodes, buckets;
  std::vector<float> gains, left, right;
};

class BestGainsPerFeature final : public Kernel {
 public:
  explicit BestGainsPerFeature(const Node& node) : features_(Int32Attr(node, "num_features")) {
    Int32Attr(node, "max_splits");
  }

  void Run(KernelContext& context) override {
    const Tensor& range = context.input(0);
    const Shape& shape = context.input(1).shape();
    Require(range.rank() == 1 && range.elements() == 2 && shape.rank() == 3 && shape[2] == 2,
            "node_id_range must be two numbers, and a summary [node, bucket, 2], not ", Printed(range.shape()), " and ",
            Printed(shape));
    const int64_t first = IntAt(range, 0), end = IntAt(range, 1);
    Require(0 <= first && end <= shape[0], "nodes ", first, " to ", end, " are not among the ", shape[0],
            " of the summaries");
    Require(shape[1] > 0 || first >= end, "a summary must have buckets");
    const Penalties penalties{Scalar(context, 1), Scalar(context, 2)};
    const float complexity = Scalar(context, 3), least = Scalar(context, 4);
    for (int feature = 0; feature < features_; ++feature) {
      const Tensor& summary = context.input(1 + feature);
      Require(summary.shape() == shape, "all summaries must have the shape ", Printed(shape));
      Splits splits;
      for (int64_t node = first; node < end; ++node) {
        const float* const buckets = summary.data<float>().data() + node * shape[1] * 2;
        AddSplit(buckets, shape[1], penalties, complexity, least, static_cast<int32_t>(node), splits);
      }
      Give(context, feature, splits);
    }
  }

 private:
  float Scalar(const KernelContext& context, int i) const {
    const Tensor& tensor = context.input(features_ + i);
    Require(tensor.rank() == 0, "input ", features_ + i, " must be a scalar, not of shape ", Printed(tensor.shape()));
    return tensor.data<float>()[0];
  }

  static void AddSplit(const float* buckets, int64_t count, const Penalties& penalties, float complexity, float least,
                       int32_t node, Splits& splits) {
    float gradients = 0, hessians = 0;
    for (int64_t bucket = 0; bucket < count; ++bucket) {
      gradients += buckets[2 * bucket];
      hessians += buckets[2 * bucket + 1];
    }
    if (hessians < least) return;
    float best = std::numeric_limits<float>::lowest(), g = 0, h = 0;
    int64_t best_bucket = 0;
    Leaf best_left, best_right;
    for (int64_t bucket = 0; bucket < count; ++bucket) {
      g += buckets[2 * bucket];
      h += buckets[2 * bucket + 1];
      const Leaf left = penalties.LeafOf(g, h), right = penalties.LeafOf(gradients - g, hessians - h);
      const float gain = left.gain + right.gain;
      if (gain - best < kTiny || !(gain - best == gain - best)) continue;
      best = gain;
      best_bucket = bucket;
      best_left = left;
      best_right = right;
    }
    splits.nodes.push_back(node);
    splits.buckets.push_back(static_cast<int32_t>(best_bucket));
    splits.gains.push_back(best - penalties.LeafOf(gradients, hessians).gain - complexity);
    splits.left.push_back(best_left.contribution);
    splits.right.push_back(best_right.contribution);
  }

  void Give(KernelContext& context, int feature, const Splits& splits) const {
    const auto n = static_cast<int64_t>(splits.nodes.size());
    const auto give = [&]<class T>(int list, const std::vector<T>& numbers, const Shape& shape) {
      Tensor& output = context.AllocateOutput(list * features_ + feature, DTypeOf<T>, shape);
      std::copy(numbers.begin(), numbers.end(), output.template mutable_data<T>().data());
    };
    give(0, splits.nodes, {n});
    give(1, splits.gains, {n});
    give(2, splits.buckets, {n});
    give(3, splits.left, {n, 1});
    give(4, splits.right, {n, 1});
  }

  const int features_;
};

// Of ops whose handle no op makes.
class RefuseHandle final : public Kernel {
 public:
  explicit RefuseHandle(const Node&) {}
  void Run(KernelContext& context) override {
    for (const int i : {1, 2}) {
      Require(context.input(i).rank() == 0, "input ", i, " must be a scalar, not of shape ",
              Printed(context.input(i).shape()));
    }
    throw InvalidArgument("the handle leads to nothing of boosted trees: no op makes one that does");
  }
};

constexpr KernelRow kRows[] = {
    {"BoostedTreesCalculateBestGainsPerFeature", Make<BestGainsPerFeature>},
    {"BoostedTreesCreateEnsemble", Make<RefuseHandle>},
    {"BoostedTreesCreateQuantileStreamResource", Make<RefuseHandle>},
};

}  // namespace

std::span<const KernelRow> TreesBoostedTrees() { return kRows; }

}  // namespace plumb::fast::cpu

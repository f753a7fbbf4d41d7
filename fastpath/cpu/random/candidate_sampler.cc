// Classes drawn from a range, and how often each was to be expected (R81).
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/state/random.h"
#include "fastpath/cpu/random/unigrams.h"
#include "spec/core/choice_point.h"
#include "spec/graph/int32_attr.h"

namespace plumb::fast::cpu {
namespace {

constinit ChoicePoint by_class("true classes: one by one, or all that there are");

// As many as were drawn when none was drawn twice, else 1 − (1 − p)^tries.
float ExpectedCount(float p, int64_t sampled, int64_t tries) {
  if (tries == sampled) return p * static_cast<float>(sampled);
  return -std::expm1(static_cast<float>(tries) * std::log1p(-p));
}

class SamplerKernel : public RandomKernel {
 public:
  SamplerKernel(const Node& node, int64_t range)
      : RandomKernel(node),
        range_(range),
        num_true_(Int32Attr(node, "num_true")),
        sampled_(Int32Attr(node, "num_sampled")),
        unique_(GetAttr<bool>(node.attrs, "unique")) {}

 protected:
  // `distribution` has Draw(words) and Probability(id).
  template <class Distribution>
  void Sample(KernelContext& context, const Distribution& distribution) {
    CheckTrueClasses(context.input(0));
    const auto ids = context.AllocateOutput(0, DType::kInt64, Shape({sampled_})).mutable_data<int64_t>();
    const Philox start = stream_.Reserve((2048 * static_cast<uint64_t>(sampled_) + 3) / 4);
    const int64_t tries = DrawAll(distribution, PhiloxWords(start), ids);
    const auto expected = [&](int64_t id) { return ExpectedCount(distribution.Probability(id), sampled_, tries); };
    Expect(context, 2, Shape({sampled_}), ids, expected);
    const auto classes = context.input(0).data<int64_t>();
    if (!ComeAgain(classes)) return Expect(context, 1, context.input(0).shape(), classes, expected);
    std::vector<float> counts(static_cast<size_t>(range_));
    for (int64_t id = 0; id < range_; ++id) counts[static_cast<size_t>(id)] = expected(id);
    Expect(context, 1, context.input(0).shape(), classes, [&](int64_t id) { return counts[static_cast<size_t>(id)]; });
  }
  // Whether there are more of these classes than different ones, so that work for each different one is less.
  bool ComeAgain(std::span<const int64_t> classes) const { return by_class.Chosen(range_ < std::ssize(classes)); }
  void CheckTrueClasses(const Tensor& classes) const {
    Require(classes.rank() == 2 && classes.dim(1) == num_true_, "true_classes must be a matrix of ", num_true_,
            " columns, not of shape ", Printed(classes.shape()));
    Require(!unique_ || sampled_ <= range_, "there are ", range_, " classes only, of which ", sampled_,
            " different ones are wanted");
    for (const int64_t id : classes.data<int64_t>()) {
      Require(id >= 0 && id < range_, "the true class ", id, " is outside of the range [0, ", range_, ")");
    }
  }
  template <class Ids, class F>
  static void Expect(KernelContext& context, int output, const Shape& shape, const Ids& ids, const F& count) {
    Tensor& counts = context.AllocateOutput(output, DType::kFloat, shape);
    std::transform(ids.begin(), ids.end(), counts.mutable_data<float>().begin(), count);
  }

  const int64_t range_, num_true_, sampled_;
  const bool unique_;

 private:
  // Returns how many were drawn before there were enough.
  template <class Distribution>
  int64_t DrawAll(const Distribution& distribution, PhiloxWords words, std::span<int64_t> ids) const {
    std::unordered_set<int64_t> seen;
    int64_t tries = 0;
    for (size_t filled = 0; filled < ids.size();) {
      Require(++tries < std::numeric_limits<int32_t>::max(), "too few classes come up to draw different ones");
      const int64_t id = distribution.Draw(words);
      if (!unique_ || seen.insert(id).second) ids[filled++] = id;
    }
    return tries;
  }
};

class AllCandidatesKernel : public SamplerKernel {
 public:
  explicit AllCandidatesKernel(const Node& node) : SamplerKernel(node, Int32Attr(node, "num_sampled")) {}

  void Run(KernelContext& context) override {
    CheckTrueClasses(context.input(0));
    const auto ids = context.AllocateOutput(0, DType::kInt64, Shape({sampled_})).mutable_data<int64_t>();
    std::iota(ids.begin(), ids.end(), 0);
    const auto once = [](int64_t) { return 1.0f; };
    Expect(context, 1, context.input(0).shape(), context.input(0).data<int64_t>(), once);
    Expect(context, 2, Shape({sampled_}), ids, once);
  }
};

struct UniformRange {
  int64_t range;
  float probability;
  explicit UniformRange(int64_t range)
      : range(range), probability(static_cast<float>(1 / static_cast<double>(range))) {}
  int64_t Draw(PhiloxWords& words) const { return static_cast<int64_t>(UniformBelow64(words, range)); }
  float Probability(int64_t) const { return probability; }
};

struct LogUniformRange {
  int64_t range;
  double log_range;
  explicit LogUniformRange(int64_t range) : range(range), log_range(std::log1p(static_cast<double>(range))) {}
  int64_t Draw(PhiloxWords& words) const {
    const uint32_t low = words.Next(), high = words.Next();
    return (static_cast<int64_t>(std::exp(UniformDouble(low, high) * log_range)) - 1) % range;
  }
  float Probability(int64_t id) const {
    const auto k = static_cast<double>(id);
    return static_cast<float>(std::log((k + 2) / (k + 1)) / log_range);
  }
};

template <class Distribution>
class RangeSamplerKernel : public SamplerKernel {
 public:
  explicit RangeSamplerKernel(const Node& node)
      : SamplerKernel(node, GetAttr<int64_t>(node.attrs, "range_max")), distribution_(range_) {}
  void Run(KernelContext& context) override { Sample(context, distribution_); }

 private:
  const Distribution distribution_;
};

class FixedUnigramKernel : public SamplerKernel {
 public:
  explicit FixedUnigramKernel(const Node& node)
      : SamplerKernel(node, GetAttr<int64_t>(node.attrs, "range_max")), unigrams_(node) {}

  void Run(KernelContext& context) override {
    Require(!unique_ || unigrams_.possible() >= sampled_, "too few classes have a weight to draw different ones");
    Sample(context, unigrams_);
  }

 private:
  const Unigrams unigrams_;
};

// Weights in a binary tree of sums (Fenwick's), so that drawing and learning take a step for each bit of the range.
class LearnedWeights {
 public:
  explicit LearnedWeights(int64_t range) : sums_(static_cast<size_t>(range) + 1), total_(range) {
    for (size_t i = 1; i < sums_.size(); ++i) sums_[i] = static_cast<int64_t>(i & -i);
  }
  int64_t Draw(PhiloxWords& words) const {
    int64_t left = UniformBelow(words, static_cast<uint32_t>(total_));
    size_t at = 0, step = 1;
    while (step * 2 < sums_.size()) step *= 2;
    for (; step > 0; step /= 2) {
      if (at + step >= sums_.size() || sums_[at + step] > left) continue;
      at += step;
      left -= sums_[at];
    }
    return static_cast<int64_t>(at);
  }
  float Probability(int64_t id) const { return static_cast<float>(WeightOf(id)) / static_cast<float>(total_); }
  int64_t WeightOf(int64_t id) const { return SumBefore(id + 1) - SumBefore(id); }
  void Add(int64_t id, int64_t weight) {
    for (size_t i = static_cast<size_t>(id) + 1; i < sums_.size(); i += i & -i) sums_[i] += weight;
    total_ += weight;
  }
  int64_t total() const { return total_; }

 private:
  int64_t SumBefore(int64_t id) const {
    int64_t sum = 0;
    for (auto i = static_cast<size_t>(id); i > 0; i -= i & -i) sum += sums_[i];
    return sum;
  }

  std::vector<int64_t> sums_;
  int64_t total_;
};

constexpr int64_t kMostWeights = int64_t{1} << 28;

int64_t CheckedRange(const Node& node) {
  const int64_t range = GetAttr<int64_t>(node.attrs, "range_max");
  Require(range < std::numeric_limits<int32_t>::max(), "range_max is too large: ", range);
  if (range > kMostWeights) throw ResourceExhausted(range, " weights are more than are kept, ", kMostWeights);
  return range;
}

class LearnedUnigramKernel : public SamplerKernel {
 public:
  explicit LearnedUnigramKernel(const Node& node) : SamplerKernel(node, CheckedRange(node)), weights_(range_) {}

  void Run(KernelContext& context) override {
    const MutexLock lock(weights_mutex_);
    Sample(context, weights_);
    const int64_t room = std::numeric_limits<int32_t>::max() - weights_.total();
    auto ids = context.input(0).data<int64_t>();
    if (std::ssize(ids) > room) ids = ids.first(static_cast<size_t>(room));
    if (!ComeAgain(ids)) {
      for (const int64_t id : ids) weights_.Add(id, 1);
      return;
    }
    std::vector<int64_t> counts(static_cast<size_t>(range_));
    for (const int64_t id : ids) ++counts[static_cast<size_t>(id)];
    for (int64_t id = 0; id < range_; ++id) weights_.Add(id, counts[static_cast<size_t>(id)]);
  }
  void Save(const StateWriter& writer) const override {
    RandomKernel::Save(writer);
    const MutexLock lock(weights_mutex_);
    Tensor weights(DType::kInt64, {range_});
    for (int64_t id = 0; id < range_; ++id) {
      weights.mutable_data<int64_t>()[static_cast<size_t>(id)] = weights_.WeightOf(id);
    }
    writer.Put("weights", std::move(weights));
  }
  void Restore(const StateReader& reader) override {
    RandomKernel::Restore(reader);
    const Tensor& saved = reader.Get("weights");
    if (saved.dtype() != DType::kInt64 || saved.elements() != range_) {
      throw DataLoss("the saved weights of a sampler are ", saved.ToString());
    }
    const MutexLock lock(weights_mutex_);
    weights_ = LearnedWeights(range_);
    for (int64_t id = 0; id < range_; ++id) weights_.Add(id, saved.data<int64_t>()[static_cast<size_t>(id)] - 1);
  }

 private:
  mutable Mutex weights_mutex_;
  LearnedWeights weights_ PLUMB_GUARDED_BY(weights_mutex_);
};

// The last place of each sampled class counts.
class AccidentalHitsKernel : public Kernel {
 public:
  explicit AccidentalHitsKernel(const Node& node) : num_true_(GetAttr<int64_t>(node.attrs, "num_true")) {}

  void Run(KernelContext& context) override {
    const Tensor &classes = context.input(0), &candidates = context.input(1);
    Require(classes.rank() == 2 && classes.dim(1) == num_true_, "true_classes must be a matrix of ", num_true_,
            " columns, not of shape ", Printed(classes.shape()));
    Require(candidates.rank() == 1, "sampled_candidates must be a vector, not of shape ", Printed(candidates.shape()));
    std::unordered_map<int64_t, int64_t> places;
    int64_t place = 0;
    for (const int64_t id : candidates.data<int64_t>()) places[id] = place++;
    std::vector<int32_t> rows;
    std::vector<int64_t> ids;
    const auto all = classes.data<int64_t>();
    for (size_t i = 0; i < all.size(); ++i) {
      const auto found = places.find(all[i]);
      if (found == places.end()) continue;
      rows.push_back(static_cast<int32_t>(static_cast<int64_t>(i) / num_true_));
      ids.push_back(found->second);
    }
    const Shape shape({static_cast<int64_t>(ids.size())});
    std::copy(rows.begin(), rows.end(),
              context.AllocateOutput(0, DType::kInt32, shape).mutable_data<int32_t>().begin());
    std::copy(ids.begin(), ids.end(), context.AllocateOutput(1, DType::kInt64, shape).mutable_data<int64_t>().begin());
    const auto masks = context.AllocateOutput(2, DType::kFloat, shape).mutable_data<float>();
    std::fill(masks.begin(), masks.end(), std::numeric_limits<float>::lowest());
  }

 private:
  const int64_t num_true_;
};

constexpr KernelRow kRows[] = {
    {"AllCandidateSampler", Make<AllCandidatesKernel>},
    {"ComputeAccidentalHits", Make<AccidentalHitsKernel>},
    {"FixedUnigramCandidateSampler", Make<FixedUnigramKernel>},
    {"LearnedUnigramCandidateSampler", Make<LearnedUnigramKernel>},
    {"LogUniformCandidateSampler", Make<RangeSamplerKernel<LogUniformRange>>},
    {"ThreadUnsafeUnigramCandidateSampler", Make<LearnedUnigramKernel>},
    {"UniformCandidateSampler", Make<RangeSamplerKernel<UniformRange>>},
};

}  // namespace

std::span<const KernelRow> RandomCandidateSampler() { return kRows; }

}  // namespace plumb::fast::cpu

// Classes drawn from a range, and how often each was to be expected (R81).
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "reference/kernel/op_context.h"
#include "reference/numbers/element.h"
#include "reference/ops/lib/random_stream.h"
#include "reference/ops/random/alias_table.h"
#include "reference/ops/random/unigrams.h"
#include "spec/graph/int32_attr.h"

namespace plumb::reference {
namespace {

struct Distribution {
  int64_t range = 0;
  std::function<int64_t(PhiloxWords&)> draw;
  std::function<Real(int64_t)> probability;
};

template <class T>
Tensor VectorOf(const std::vector<T>& values) {
  return MakeTensor<T>({std::ssize(values)}, std::span<const T>(values));
}

// As many as were drawn when none was drawn twice, else 1 − (1 − p)^tries.
Real ExpectedCount(Real p, int64_t sampled, int64_t tries) {
  if (tries == sampled) return p * Real(static_cast<double>(sampled));
  return -Expm1(Real(static_cast<double>(tries)) * Log1p(-p));
}

void CheckTrueClasses(const OpContext& c, int64_t range) {
  const int64_t num_true = c.attr<int64_t>("num_true");
  const Shape& shape = c.tensor(0).shape();
  Require(shape.rank() == 2 && shape.dim(1) == num_true, "true_classes must be a matrix of ", num_true,
          " columns, not of shape ", shape.ToString());
  Require(!c.attr<bool>("unique") || c.attr<int64_t>("num_sampled") <= range, "there are ", range,
          " classes only, of which ", c.attr<int64_t>("num_sampled"), " different ones are wanted");
  for (const int64_t id : c.tensor(0).data<int64_t>()) {
    Require(id >= 0 && id < range, "the true class ", id, " is outside of the range [0, ", range, ")");
  }
}

// Returns how many were drawn before there were enough.
int64_t DrawAll(const Distribution& distribution, bool unique, PhiloxWords& words, std::span<int64_t> ids) {
  std::set<int64_t> seen;
  int64_t tries = 0;
  for (size_t filled = 0; filled < ids.size();) {
    Require(++tries < std::numeric_limits<int32_t>::max(), "too few classes come up to draw different ones");
    const int64_t id = distribution.draw(words);
    if (!unique || seen.insert(id).second) ids[filled++] = id;
  }
  return tries;
}

void Sample(OpContext& c, const Distribution& distribution) {
  CheckTrueClasses(c, distribution.range);
  const int64_t sampled = c.attr<int64_t>("num_sampled");
  CheckResultSize({sampled});
  PhiloxWords words(ReserveBlocks(c, (2048 * static_cast<uint64_t>(sampled) + 3) / 4));
  std::vector<int64_t> ids(static_cast<size_t>(sampled));
  const int64_t tries = DrawAll(distribution, c.attr<bool>("unique"), words, ids);
  arithmetic.exact = false;
  ComputeIn(DType::kFloat);
  auto of_true = MakeArray<Real>(DType::kFloat, c.tensor(0).shape());
  auto of_sampled = MakeArray<Real>(DType::kFloat, {sampled});
  const auto true_ids = c.tensor(0).data<int64_t>();
  for (size_t i = 0; i < true_ids.size(); ++i) {
    of_true.at[i] = ExpectedCount(distribution.probability(true_ids[i]), sampled, tries);
  }
  for (size_t i = 0; i < ids.size(); ++i) {
    of_sampled.at[i] = ExpectedCount(distribution.probability(ids[i]), sampled, tries);
  }
  c.Output(0, VectorOf<int64_t>(ids));
  c.Output(1, Store(of_true));
  c.Output(2, Store(of_sampled));
}

void AllCandidates(OpContext& c) {
  const int64_t sampled = c.attr<int64_t>("num_sampled");
  CheckTrueClasses(c, sampled);
  CheckResultSize({sampled});
  std::vector<int64_t> ids(static_cast<size_t>(sampled));
  std::iota(ids.begin(), ids.end(), 0);
  c.Output(0, VectorOf<int64_t>(ids));
  c.Output(1, Store(MakeArray<Real>(DType::kFloat, c.tensor(0).shape(), Real(1))));
  c.Output(2, Store(MakeArray<Real>(DType::kFloat, {sampled}, Real(1))));
}

void UniformCandidates(OpContext& c) {
  const int64_t range = c.attr<int64_t>("range_max");
  const Real p = static_cast<float>(1 / static_cast<double>(range));
  Sample(c, {range, [=](PhiloxWords& words) { return static_cast<int64_t>(UniformBelow64(words, range)); },
             [=](int64_t) { return p; }});
}

void LogUniformCandidates(OpContext& c) {
  const int64_t range = c.attr<int64_t>("range_max");
  const double log_range = std::log1p(static_cast<double>(range));
  const auto draw = [=](PhiloxWords& words) {
    const uint32_t low = words.Next(), high = words.Next();
    return (static_cast<int64_t>(std::exp(UniformDouble(low, high) * log_range)) - 1) % range;
  };
  const auto probability = [=](int64_t id) {
    const double k = static_cast<double>(id);
    return Rounded(std::log((k + 2) / (k + 1)) / log_range, 0, 0);
  };
  Sample(c, {range, draw, probability});
}

// The weights that a node has learned.
struct LearnedWeights : RandomStream {
  using RandomStream::RandomStream;
  std::vector<int64_t> weights;

  std::unique_ptr<KernelState> Clone(Copies&) const override { return std::make_unique<LearnedWeights>(*this); }
  void Save(const StateWriter& writer) const override {
    RandomStream::Save(writer);
    writer.Put("weights", VectorOf<int64_t>(weights));
  }
  void Restore(const StateReader& reader) override {
    RandomStream::Restore(reader);
    const Tensor& saved = reader.Get("weights");
    if (saved.dtype() != DType::kInt64 || saved.elements() != std::ssize(weights)) {
      throw DataLoss("the saved weights of a sampler are ", saved.ToString());
    }
    weights.assign(saved.data<int64_t>().begin(), saved.data<int64_t>().end());
  }
};

void LearnedUnigramCandidates(OpContext& c) {
  const int64_t range = c.attr<int64_t>("range_max");
  Require(range < std::numeric_limits<int32_t>::max(), "range_max is too large: ", range);
  CheckResultSize({range});
  auto& weights = StateOf<LearnedWeights>(c, [&] {
                    auto state = std::make_unique<LearnedWeights>(SeededGenerator(c));
                    state->weights.assign(static_cast<size_t>(range), 1);
                    return state;
                  }).weights;
  const int64_t total = std::accumulate(weights.begin(), weights.end(), int64_t{0});
  const auto draw = [&](PhiloxWords& words) {
    int64_t left = UniformBelow(words, static_cast<uint32_t>(total)), id = 0;
    for (; left >= weights[static_cast<size_t>(id)]; ++id) left -= weights[static_cast<size_t>(id)];
    return id;
  };
  const auto probability = [&](int64_t id) {
    return Real(static_cast<float>(weights[static_cast<size_t>(id)])) / Real(static_cast<float>(total));
  };
  Sample(c, {range, draw, probability});
  const auto ids = c.tensor(0).data<int64_t>();
  const int64_t room = std::numeric_limits<int32_t>::max() - total;
  for (size_t i = 0; i < ids.size() && static_cast<int64_t>(i) < room; ++i) ++weights[static_cast<size_t>(ids[i])];
}

void FixedUnigramCandidates(OpContext& c) {
  const Unigrams unigrams(c.node);
  const AliasTable table(unigrams.weights);
  const auto probability = [&](int64_t id) {
    if (id < 0) return Real(0);
    return Real(static_cast<float>(unigrams.weights[static_cast<size_t>(id)] / unigrams.total));
  };
  Require(!c.attr<bool>("unique") || unigrams.Possible() >= c.attr<int64_t>("num_sampled"),
          "too few classes have a weight to draw different ones");
  Sample(c, {unigrams.range, [&](PhiloxWords& words) { return table.Draw(words); }, probability});
}

// The last place of each sampled class counts.
void AccidentalHits(OpContext& c) {
  const Tensor &true_classes = c.tensor(0), &candidates = c.tensor(1);
  const int64_t num_true = c.attr<int64_t>("num_true");
  Require(true_classes.rank() == 2 && true_classes.dim(1) == num_true, "true_classes must be a matrix of ", num_true,
          " columns, not of shape ", true_classes.shape().ToString());
  Require(candidates.rank() == 1, "sampled_candidates must be a vector, not of shape ", candidates.shape().ToString());
  std::map<int64_t, int64_t> places;
  for (int64_t i = 0; i < candidates.elements(); ++i) places[candidates.data<int64_t>()[static_cast<size_t>(i)]] = i;
  std::vector<int32_t> rows;
  std::vector<int64_t> ids;
  for (int64_t i = 0; i < true_classes.elements(); ++i) {
    const auto found = places.find(true_classes.data<int64_t>()[static_cast<size_t>(i)]);
    if (found == places.end()) continue;
    rows.push_back(static_cast<int32_t>(i / num_true));
    ids.push_back(found->second);
  }
  const std::vector<float> masks(ids.size(), std::numeric_limits<float>::lowest());
  c.Output(0, VectorOf<int32_t>(rows));
  c.Output(1, VectorOf<int64_t>(ids));
  c.Output(2, VectorOf<float>(masks));
}

void CheckCounts(const Node& node) {
  for (const char* count : {"num_true", "num_sampled"}) Int32Attr(node, count);
}
void CheckUnigrams(const Node& node) {
  CheckCounts(node);
  Unigrams{node};
}

constexpr KernelRow kRows[] = {
    {"AllCandidateSampler", AllCandidates, CheckCounts},
    {"ComputeAccidentalHits", AccidentalHits},
    {"FixedUnigramCandidateSampler", FixedUnigramCandidates, CheckUnigrams},
    {"LearnedUnigramCandidateSampler", LearnedUnigramCandidates, CheckCounts},
    {"LogUniformCandidateSampler", LogUniformCandidates, CheckCounts},
    {"ThreadUnsafeUnigramCandidateSampler", LearnedUnigramCandidates, CheckCounts},
    {"UniformCandidateSampler", UniformCandidates, CheckCounts},
};

}  // namespace

namespace topics {
std::span<const KernelRow> RandomCandidateSampler() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

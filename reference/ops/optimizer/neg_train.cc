// Steps of word2vec's skip-gram model: each example moves the vectors of its words.
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "reference/kernel/op_context.h"
#include "reference/numbers/element.h"
#include "reference/numbers/index.h"
#include "reference/ops/lib/random_stream.h"
#include "spec/graph/int32_attr.h"

namespace plumb::reference {
namespace {

// Words by the 3/4th power of how often they occur.
class Vocabulary {
 public:
  explicit Vocabulary(const std::vector<int64_t>& counts) {
    double sum = 0;
    for (const int64_t count : counts) up_to_.push_back(sum += std::pow(static_cast<double>(count), 0.75));
  }
  int64_t size() const { return std::ssize(up_to_); }
  int64_t Draw(PhiloxWords& words) const {
    const uint32_t low = words.Next(), high = words.Next();
    const double chance = UniformDouble(low, high) * up_to_.back();
    const auto found = std::upper_bound(up_to_.begin(), up_to_.end(), chance);
    return std::min<int64_t>(found - up_to_.begin(), size() - 1);
  }

 private:
  std::vector<double> up_to_;
};

class Vectors {
 public:
  Vectors(Array<Real>& in, Array<Real>& out, Real rate) : in_(in), out_(out), rate_(rate), width_(in.shape.dim(1)) {}

  // `words`: the label, and behind it those that it is not.
  void Learn(int64_t example, const std::vector<int64_t>& words) {
    std::vector<Real> change(static_cast<size_t>(width_));
    for (size_t k = 0; k < words.size(); ++k) {
      const auto v = [&](int64_t i) -> Real& { return in_[example * width_ + i]; };
      const auto w = [&](int64_t i) -> Real& { return out_[words[k] * width_ + i]; };
      Sum dot;
      for (int64_t i = 0; i < width_; ++i) dot.AddProduct(v(i), w(i));
      const Real x = dot.Result(), one(1);
      const Real g = k == 0 ? one / (Exp(x) + one) : -(one / (Exp(-x) + one));
      const Real step = g * rate_;
      for (int64_t i = 0; i < width_; ++i) {
        change[static_cast<size_t>(i)] += w(i) * step;
        w(i) += v(i) * step;
      }
    }
    for (int64_t i = 0; i < width_; ++i) in_[example * width_ + i] += change[static_cast<size_t>(i)];
  }

 private:
  Array<Real>&in_, &out_;
  const Real rate_;
  const int64_t width_;
};

// Blocks of the node's stream, which has no seed.
Philox Taken(OpContext& c, uint64_t blocks) {
  Philox& next = StateOf<RandomStream>(c, [] {
                   std::random_device entropy;
                   const auto word = [&] { return uint64_t{entropy()} << 32 | entropy(); };
                   return std::make_unique<RandomStream>(Philox(word(), word()));
                 }).next;
  const Philox taken = next;
  next.Skip(blocks);
  return taken;
}

void NegTrain(OpContext& c) {
  ComputeIn(DType::kFloat);
  const Vocabulary vocabulary(c.attr<std::vector<int64_t>>("vocab_count"));
  const int64_t negatives = c.attr<int64_t>("num_negative_samples");
  const bool is_one = c.inputs[0].ref == c.inputs[1].ref;  // one variable for both
  auto in = Load<Real>(c.ref(0).Read(c.node.name)), out = Load<Real>(c.ref(1).Read(c.node.name));
  Require(in.shape.rank() == 2 && in.shape == out.shape, "w_in and w_out must be matrices of one shape, not ",
          in.shape.ToString(), " and ", out.shape.ToString());
  Require(c.tensor(4).rank() == 0, "lr must be a scalar, not of shape ", c.tensor(4).shape().ToString());
  const std::vector<int64_t> examples = IntegersOf(c.tensor(2), "examples"), labels = IntegersOf(c.tensor(3), "labels");
  Require(examples.size() == labels.size(), "there are ", examples.size(), " examples and ", labels.size(), " labels");
  Require(in.shape.dim(0) == vocabulary.size(), "there are vectors of ", in.shape.dim(0), " words, and counts of ",
          vocabulary.size());
  for (const auto* words : {&examples, &labels}) {
    for (const int64_t word : *words) {
      Require(0 <= word && word < vocabulary.size(), "word ", word, " is none of ", vocabulary.size());
    }
  }
  PhiloxWords stream(Taken(c, 2 * examples.size() * static_cast<uint64_t>(negatives)));
  Vectors vectors(in, is_one ? in : out, LoadScalar<Real>(c.input(4)));
  for (size_t i = 0; i < examples.size(); ++i) {
    std::vector<int64_t> words = {labels[i]};
    for (int64_t k = 0; k < negatives; ++k) {
      const int64_t word = vocabulary.Draw(stream);
      if (word != labels[i]) words.push_back(word);
    }
    vectors.Learn(examples[i], words);
  }
  c.ref(0).Update(Store(in));
  if (!is_one) c.ref(1).Update(Store(out));
}

void CheckVocabulary(const Node& node) {
  const std::vector<int64_t>& counts = Int32List(node, "vocab_count");
  const int64_t negatives = Int32Attr(node, "num_negative_samples");
  const bool is_valid = std::all_of(counts.begin(), counts.end(), [](int64_t count) { return count >= 0; }) &&
                        std::any_of(counts.begin(), counts.end(), [](int64_t count) { return count > 0; });
  Require(is_valid && negatives >= 0, "vocab_count must be counts, not all of them 0, and num_negative_samples ",
          negatives, " not negative, at node '", node.name, "'");
}

constexpr KernelRow kRows[] = {
    {"NegTrain", NegTrain, CheckVocabulary},
};

}  // namespace

namespace topics {
std::span<const KernelRow> OptimizerNegTrain() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

// The softmax over parts of its weights is that of the whole, and so are its gradients: as near as rounding lets them
// be.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "backends/backends.h"
#include "client/embedding/sharded_softmax.h"
#include "client/gradients.h"
#include "client/ops.h"
#include "conformance/compare/compare.h"
#include "conformance/compare/derivative.h"
#include "conformance/compare/elements.h"

namespace plumb {
namespace {

constexpr int64_t kBatch = 5, kSize = 3;

// Both losses of the same weights, each with its gradients by the parts of weights and biases and by the inputs.
class BothSoftmaxes {
 public:
  // Parts of so many classes; logits are of about this size.
  BothSoftmaxes(const std::vector<int64_t>& parts, float size_of_logits) : random_(parts.size()) {
    const Output inputs = Fed({kBatch, kSize}, size_of_logits);
    std::vector<Output> weights, biases;
    int64_t classes = 0;
    for (const int64_t part : parts) {
      weights.push_back(Fed({part, kSize}, 1));
      biases.push_back(Fed({part}, size_of_logits));
      classes += part;
    }
    std::vector<int32_t> ids(kBatch);
    for (int32_t& id : ids) id = static_cast<int32_t>(random_() % static_cast<uint32_t>(classes));
    const Output labels = Constant(scope_, MakeTensor<int32_t>({kBatch}, ids));
    std::vector<Output> xs = weights;
    xs.insert(xs.end(), biases.begin(), biases.end());
    xs.push_back(inputs);
    const Output counts = Constant(scope_, MakeVector<float>({1, -2, 0.5F, 3, 0}));  // of each example's loss
    sharded_ = WithGradients(ShardedSoftmax(scope_, weights, biases, labels, inputs), counts, xs);
    const Output logits = ops::MatMul(scope_, inputs, Joined(weights), {.transpose_b = true}) + Joined(biases);
    whole_ = WithGradients(ops::SparseSoftmaxCrossEntropyWithLogits(scope_, logits, labels).loss, counts, xs);
  }

  void ExpectAlike() {
    std::vector<std::string> fetches = sharded_;
    fetches.insert(fetches.end(), whole_.begin(), whole_.end());
    const auto known = conformance::DerivativesAlong(scope_.ToGraphDef(), feeds_, fetches);
    for (const std::string_view backend : BackendNames()) {
      const std::vector<Tensor> answers = Answers(backend);
      for (size_t i = 0; i < sharded_.size(); ++i) {
        const auto &part = known[i], &all = known[i + sharded_.size()];
        ExpectAlike(answers[i], part.bound, all, Str(sharded_[i], " on ", backend));
      }
    }
  }

 private:
  Output Fed(const Shape& shape, float size) {
    const Output place = ops::Placeholder(scope_, DType::kFloat, {.shape = PartialShape(shape)});
    std::uniform_real_distribution<float> any(-size, size);
    Tensor value(DType::kFloat, shape);
    for (float& number : value.mutable_data<float>()) number = any(random_);
    feeds_.push_back({place.name(), value, std::vector<double>(static_cast<size_t>(shape.elements()))});
    return place;
  }
  Output Joined(std::vector<Output> parts) {
    if (parts.size() == 1) return parts[0];
    const auto count = static_cast<int64_t>(parts.size());
    parts.push_back(Constant(scope_, int32_t{0}));
    return scope_.Call("ConcatV2", parts, {{"N", count}});
  }
  std::vector<std::string> WithGradients(Output loss, Output counts, const std::vector<Output>& xs) {
    std::vector<std::string> names = {loss.name()};
    for (const Output& gradient : DenseGradients({loss * counts}, xs)) names.push_back(gradient.name());
    return names;
  }
  std::vector<Tensor> Answers(std::string_view backend) {
    const auto session = OpenSession(backend);
    EXPECT_EQ(session->Extend(scope_.ToGraphDef()).ToString(), "OK");
    std::vector<Feed> feeds;
    for (const auto& feed : feeds_) feeds.emplace_back(feed.feed, feed.value);
    std::vector<Tensor> answers;
    EXPECT_EQ(session->Run(feeds, sharded_, {}, &answers).ToString(), "OK") << backend;
    return answers;
  }
  static void ExpectAlike(const Tensor& answer, const std::vector<double>& bound,
                          const conformance::Derivative& expected, const std::string& where) {
    const std::vector<double> numbers = conformance::ToDoubles(answer), wanted = conformance::ToDoubles(expected.value);
    ASSERT_EQ(numbers.size(), wanted.size()) << where;
    double scale = conformance::SmallestNormal(DType::kFloat);
    for (const double number : wanted) scale = std::max(scale, std::abs(number));
    for (size_t i = 0; i < numbers.size(); ++i) {
      const double limit = bound[i] + expected.bound[i];
      EXPECT_LE(std::abs(numbers[i] - wanted[i]), limit) << where << ", number " << i;
      EXPECT_LE(limit, conformance::kUsefulBound * scale) << where << ": a limit that says something";
    }
  }

  std::mt19937 random_;
  Scope scope_;
  std::vector<conformance::Direction> feeds_;
  std::vector<std::string> sharded_, whole_;
};

TEST(ShardedSoftmaxLaw, IsThatOfTheWhole) {
  for (const std::vector<int64_t>& parts : {std::vector<int64_t>{7}, {4, 3}, {1, 5, 2}, {2, 2, 2, 2}}) {
    for (const float size_of_logits : {1.0F, 30.0F, 200.0F}) BothSoftmaxes(parts, size_of_logits).ExpectAlike();
  }
}

}  // namespace
}  // namespace plumb

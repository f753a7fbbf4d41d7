#include "tools/train/data/digit_training.h"

#include <algorithm>
#include <numeric>

#include "backends/backends.h"
#include "conformance/compare/oracle.h"
#include "tools/check.h"

namespace plumb::tools {
namespace {

constexpr int64_t kPixels = 28 * 28;

// Rows of `digits` by number, as feeds.
std::vector<Feed> FeedRows(const DigitSet& digits, std::span<const int64_t> rows,
                           const models::ImageClassifier& model) {
  const auto count = static_cast<int64_t>(rows.size());
  Tensor images(DType::kFloat, {count, kPixels}), labels(DType::kInt32, {count});
  for (int64_t i = 0; i < count; ++i) {
    const auto from = digits.images.data<float>().subspan(rows[i] * kPixels, kPixels);
    std::copy(from.begin(), from.end(), images.mutable_data<float>().begin() + i * kPixels);
    labels.mutable_data<int32_t>()[i] = digits.labels.data<int32_t>()[rows[i]];
  }
  return {{model.images.name(), images}, {model.labels.name(), labels}};
}

void Merge(const conformance::Verdict& verdict, const std::string& what, ReplayVerdict& total) {
  total.compared += verdict.compared;
  total.worst = std::max(total.worst, verdict.worst);
  if (verdict.judge == conformance::Judge::kMeasured) total.judge = "measured sensitivity";
  if (verdict.ok() || !total.agrees) return;
  total.agrees = false;
  total.detail = what + ": " + verdict.detail;
}

}  // namespace

DigitSet DigitSet::First(int64_t most) const {
  const int64_t count = std::min(most, size());
  return {images.Rows(0, count), labels.Rows(0, count)};
}

DigitSet ToDigitSet(const LabelledImages& images) {
  const int64_t count = images.labels.elements();
  Require(images.images.elements() == count * kPixels, "the digit classifier reads images of 28 x 28 pixels, not ",
          images.images.shape().ToString());
  DigitSet digits{Tensor(DType::kFloat, {count, kPixels}), Tensor(DType::kInt32, {count})};
  const auto pixels = images.images.data<uint8_t>();
  std::transform(pixels.begin(), pixels.end(), digits.images.mutable_data<float>().begin(),
                 [](uint8_t pixel) { return static_cast<float>(pixel) / 255.0f; });
  const auto labels = images.labels.data<uint8_t>();
  std::copy(labels.begin(), labels.end(), digits.labels.mutable_data<int32_t>().begin());
  return digits;
}

DigitBatches::DigitBatches(const DigitSet& digits, int64_t batch, uint64_t seed)
    : digits_(digits), rows_(digits.size(), batch, seed) {}

std::vector<Feed> DigitBatches::Next(const models::ImageClassifier& model) {
  return FeedRows(digits_, rows_.Next(), model);
}

void TrainDigits(Session& session, const Scope& scope, const models::ImageClassifier& model, DigitBatches& batches,
                 int64_t steps, const std::function<void(int64_t, float)>& on_step) {
  const std::vector<std::string> fetches = {model.loss.name()}, targets = {scope.NameOf(model.train)};
  std::vector<Tensor> outputs;
  for (int64_t step = 1; step <= steps; ++step) {
    Check(session.Run(batches.Next(model), fetches, targets, &outputs));
    on_step(step, outputs[0].scalar<float>());
  }
}

double DigitAccuracy(Session& session, const models::ImageClassifier& model, const DigitSet& digits) {
  constexpr int64_t kBatch = 1000;
  const std::vector<std::string> fetches = {model.correct.name()};
  double correct = 0;
  for (int64_t first = 0; first < digits.size(); first += kBatch) {
    std::vector<int64_t> rows(std::min(kBatch, digits.size() - first));
    std::iota(rows.begin(), rows.end(), first);
    std::vector<Tensor> outputs;
    Check(session.Run(FeedRows(digits, rows, model), fetches, {}, &outputs));
    correct += static_cast<double>(outputs[0].scalar<float>()) * static_cast<double>(rows.size());
  }
  return correct / static_cast<double>(digits.size());
}

ReplayVerdict ReplayDigits(const std::string& backend, Scope& scope, const models::ImageClassifier& model,
                           DigitBatches batches, int64_t steps) {
  ReplayVerdict total;
  total.agrees = true;
  total.steps = steps;
  total.judge = "computed bounds";
  const GraphDef graph = scope.ToGraphDef();
  const std::unique_ptr<Session> session = OpenSession(backend, SessionOptions());
  Check(session->Extend(graph));
  conformance::Oracle oracle(graph);
  Check(oracle.loaded());
  const auto both = [&](const conformance::StepRequest& step, const std::string& what) {
    std::vector<Tensor> actual;
    std::vector<reference::Value> expected;
    Check(session->Run(step.feeds, step.fetches, step.targets, &actual));
    Check(oracle.Run(step, &expected));
    for (size_t i = 0; i < actual.size(); ++i) {
      Merge(conformance::Compare(actual[i], expected[i], oracle.Sampler(i)), what + ", " + step.fetches[i], total);
    }
  };
  both({{}, {}, {scope.NameOf(model.init)}}, "initialisation");
  for (int64_t step = 1; step <= steps; ++step) {
    both({batches.Next(model), {model.loss.name()}, {scope.NameOf(model.train)}}, "step " + std::to_string(step));
  }
  conformance::StepRequest weights;
  for (const Variable& variable : scope.variables()) weights.fetches.push_back(variable.value().name());
  both(weights, "variables after the last step");
  return total;
}

}  // namespace plumb::tools

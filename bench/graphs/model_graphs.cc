// Training steps of the models, as graphs for the benchmarks. Sizes are those of published TensorFlow measurements.
#include "bench/graphs/graphs.h"
#include "models/char_lstm.h"
#include "models/image/digits.h"

namespace plumb::bench {
namespace {

BenchGraph DigitStep(const std::string& name, const Scope& scope, const models::ImageClassifier& model, int64_t batch) {
  BenchGraph bench;
  bench.name = name;
  bench.graph = scope.ToGraphDef();
  bench.feeds = {{model.images.name() + ":0", DType::kFloat, 0, 1, {batch, 784}},
                 {model.labels.name() + ":0", DType::kInt32, 0, 10, {batch}}};
  bench.fetches = {model.loss.name() + ":0"};
  bench.targets = {scope.NameOf(model.train)};
  bench.inits = {scope.NameOf(model.init)};
  return bench;
}

}  // namespace

BenchGraph MlpStep() {
  constexpr int64_t kBatch = 100;
  Scope scope;
  const auto optimizer = Sgd({.learning_rate = 0.01});
  const models::ImageClassifier model = models::BuildMlp(scope, {100, 100}, *optimizer, {.batch = kBatch});
  return DigitStep("mlp", scope, model, kBatch);
}

BenchGraph LeNetStep() {
  constexpr int64_t kBatch = 64;
  Scope scope;
  const auto optimizer = Sgd({.learning_rate = 0.01});
  const models::ImageClassifier model = models::BuildLeNet(scope, *optimizer, {.batch = kBatch});
  return DigitStep("lenet", scope, model, kBatch);
}

BenchGraph LstmStep() {
  const models::CharLstmOptions options = {.vocabulary = 128, .embedding = 512, .units = 512, .steps = 50, .batch = 64};
  Scope scope;
  const auto optimizer = Sgd({.learning_rate = 0.01});
  const models::CharLstm model = models::BuildCharLstm(scope, *optimizer, options);
  BenchGraph bench;
  bench.name = "lstm";
  bench.graph = scope.ToGraphDef();
  const double last = static_cast<double>(options.vocabulary);
  bench.feeds = {{model.inputs.name() + ":0", DType::kInt32, 0, last, {options.steps, options.batch}},
                 {model.targets.name() + ":0", DType::kInt32, 0, last, {options.steps, options.batch}},
                 {model.cell_in.name() + ":0", DType::kFloat, 0, 0, {options.batch, options.units}},
                 {model.hidden_in.name() + ":0", DType::kFloat, 0, 0, {options.batch, options.units}}};
  bench.fetches = {model.loss.name() + ":0"};
  bench.targets = {scope.NameOf(model.train)};
  bench.inits = {scope.NameOf(model.init)};
  return bench;
}

}  // namespace plumb::bench

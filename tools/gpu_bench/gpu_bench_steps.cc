// Steps on a GPU: one with nothing to do, and training steps.
#include <memory>
#include <vector>

#include "backends/backends.h"
#include "client/optimizers/optimizer.h"
#include "client/program.h"
#include "models/image/digits.h"
#include "tools/gpu_bench/gpu_bench.h"
#include "tools/gpu_bench/gpu_bench_program.h"

namespace plumb::tools {
namespace {

// A step that has the card do next to nothing, and waits for it.
BenchResult NullStep(const std::string& backend, const CardCeilings& ceilings) {
  BenchProgram program(backend, Shape({1}), DType::kFloat);
  const double seconds =
      program.SecondsOfOneStep([](BenchProgram& made) { return made.scope().Add("Relu", {made.Held("x")}); });
  return {"null step", seconds, 0, Ceiling::kRoundTrip, ceilings.round_trip / seconds};
}

// A perceptron of two hidden layers, by gradient descent; products are three for each layer: one forward, two back.
BenchResult Perceptron(const std::string& backend, const BenchSizes& sizes) {
  const std::vector<int64_t> hidden = {sizes.side / 4, sizes.side / 4};
  Scope scope;
  const auto optimizer = Sgd({.learning_rate = 0.01});
  const models::ImageClassifier model = models::BuildMlp(scope, hidden, *optimizer, {.batch = sizes.batch});
  Program program(scope, OpenSession(backend, {.allow_soft_placement = true}));
  program.Run(model.init);
  Tensor images(DType::kFloat, {sizes.batch, 784}), labels(DType::kInt32, {sizes.batch});
  int64_t i = 0;
  for (float& pixel : images.mutable_data<float>()) pixel = static_cast<float>(++i % 256) / 256;
  for (int32_t& label : labels.mutable_data<int32_t>()) label = static_cast<int32_t>(++i % 10);
  const std::vector<FeedValue> feeds = {{model.images, images}, {model.labels, labels}};
  const double seconds = SecondsOfStep([&] { program.Run(model.train, feeds); });
  const auto width = static_cast<double>(hidden[0]);
  const double operations = 6 * static_cast<double>(sizes.batch) * (784 * width + width * width + width * 10);
  const double side = static_cast<double>(sizes.side);
  const double best = 2 * side * side * side / MeasureProduct(backend, DType::kFloat, sizes.side);
  return {"training step of a perceptron", seconds, operations, Ceiling::kProduct, operations / seconds / best};
}

}  // namespace

std::vector<BenchResult> BenchSteps(const std::string& backend, const BenchSizes& sizes, const CardCeilings& ceilings) {
  return {NullStep(backend, ceilings), Perceptron(backend, sizes)};
}

}  // namespace plumb::tools

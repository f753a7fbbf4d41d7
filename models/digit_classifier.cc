#include "models/digit_classifier.h"

#include "models/layers.h"

namespace plumb::models {
namespace {

constexpr int64_t kSide = 28, kPixels = kSide * kSide, kClasses = 10;

DigitClassifier Inputs(Scope& scope, const DigitClassifierOptions& options) {
  DigitClassifier model;
  model.images = scope.Call("Placeholder", {},
                            {{"dtype", DType::kFloat}, {"shape", PartialShape({options.batch, kPixels})}}, "images");
  model.labels =
      scope.Call("Placeholder", {}, {{"dtype", DType::kInt32}, {"shape", PartialShape({options.batch})}}, "labels");
  return model;
}

// Loss, accuracy, update and initialiser, once the logits are there.
void Finish(Scope& scope, Output logits, Optimizer& optimizer, DigitClassifier& model) {
  model.loss = MeanCrossEntropy(scope, logits, model.labels);
  const Output guess = scope.Call("ArgMax", {logits, Constant<int32_t>(scope, 1)}, {{"output_type", DType::kInt32}});
  const Output hits = scope.Call("Cast", {scope.Call("Equal", {guess, model.labels})}, {{"DstT", DType::kFloat}});
  model.correct = scope.Call("Mean", {hits, Constant<int32_t>(scope, {0})});
  model.train = optimizer.Minimize(scope, model.loss);
  model.init = InitializeAll(scope);
}

}  // namespace

DigitClassifier BuildMlp(Scope& scope, const std::vector<int64_t>& hidden, Optimizer& optimizer,
                         const DigitClassifierOptions& options) {
  DigitClassifier model = Inputs(scope, options);
  Output layer = model.images;
  int64_t seed = options.seed;
  for (const int64_t units : hidden) {
    layer = scope.Call("Relu", {Dense(scope, layer, units, seed++, "hidden")});
  }
  Finish(scope, Dense(scope, layer, kClasses, seed, "logits"), optimizer, model);
  return model;
}

DigitClassifier BuildLeNet(Scope& scope, Optimizer& optimizer, const DigitClassifierOptions& options) {
  DigitClassifier model = Inputs(scope, options);
  const Output pixels = scope.Call("Reshape", {model.images, Constant<int32_t>(scope, {-1, kSide, kSide, 1})});
  const Output first =
      HalvingPool(scope, scope.Call("Relu", {Convolution(scope, pixels, 5, 32, options.seed, "conv1")}));
  const Output second =
      HalvingPool(scope, scope.Call("Relu", {Convolution(scope, first, 5, 64, options.seed + 1, "conv2")}));
  const Output flat = scope.Call("Reshape", {second, Constant<int32_t>(scope, {-1, 7 * 7 * 64})});
  const Output hidden = scope.Call("Relu", {Dense(scope, flat, 512, options.seed + 2, "hidden")});
  Finish(scope, Dense(scope, hidden, kClasses, options.seed + 3, "logits"), optimizer, model);
  return model;
}

}  // namespace plumb::models

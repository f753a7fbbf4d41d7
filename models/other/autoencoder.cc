#include "models/other/autoencoder.h"

#include "client/losses.h"
#include "models/layers.h"

namespace plumb::models {

Learner BuildAutoencoder(Scope& scope, Optimizer& optimizer, const AutoencoderOptions& options) {
  Require(!options.units.empty(), "an autoencoder needs at least one layer");
  Learner model;
  const Output images = model.FeedNumbers(scope, {options.batch, options.features}, "images");
  Output x = images;
  int64_t seed = options.seed;
  for (size_t i = 0; i < options.units.size(); ++i) {
    x = Dense(scope, x, options.units[i], seed++, "encoder" + std::to_string(i + 1));
    if (i + 1 < options.units.size()) x = scope.Call("Sigmoid", {x});  // the code itself is linear
  }
  for (size_t i = options.units.size() - 1; i-- > 0;) {
    x = scope.Call("Sigmoid", {Dense(scope, x, options.units[i], seed++, "decoder" + std::to_string(i + 1))});
  }
  const Output logits = Dense(scope, x, options.features, seed, "decoder0");
  Finish(scope, model, SigmoidCrossEntropy(scope, images, logits), optimizer);
  return model;
}

}  // namespace plumb::models

#include "models/sequence/captioning.h"

#include "client/rnn/rnn.h"
#include "models/layers.h"

namespace plumb::models {
namespace {

// Three convolutions, each followed by pooling: [batch, 4 · channels], the mean over what is left of the image.
Output See(Scope& scope, Output images, const CaptioningOptions& options) {
  const auto named = scope.Sub("encoder");
  Output x = images;
  for (int64_t i = 0; i < 3; ++i) {
    x = Convolution(scope, x, options.channels << i, {}, options.seed + i, "conv" + std::to_string(i + 1));
    x = MaxPool(scope, scope.Call("Relu", {x}), {.height = 2, .width = 2, .stride = 2});
  }
  return GlobalAveragePool(scope, x);
}

}  // namespace

Learner BuildCaptioning(Scope& scope, Optimizer& optimizer, const CaptioningOptions& options) {
  Learner model;
  const Output images = model.FeedNumbers(scope, {options.batch, options.side, options.side, 3}, "images");
  const Output written = model.FeedIds(scope, {options.batch, options.steps}, options.vocabulary, "written");
  const Output targets = model.FeedIds(scope, {options.batch, options.steps}, options.vocabulary, "targets");
  const Output seen = See(scope, images, options);
  CellOptions cell;
  cell.seed = options.seed + 3;
  RnnOptions writing;
  writing.scope = "writer";
  writing.initial_state = {Dense(scope, seen, options.units, options.seed + 4, "cell"),
                           scope.Call("Tanh", {Dense(scope, seen, options.units, options.seed + 5, "hidden")})};
  const Output words = Embed(scope, written, options.vocabulary, options.units, options.seed + 6, "embedding");
  const Output hidden = DynamicRnn(scope, BasicLstmCell(options.units, 1, cell), words, writing).outputs;
  const Output logits = Dense(scope, Rows(scope, hidden), options.vocabulary, options.seed + 7, "logits");
  const Output flat = scope.Call("Reshape", {targets, Constant<int32_t>(scope, {-1})});
  Finish(scope, model, MeanCrossEntropy(scope, logits, flat), optimizer, options.clip_norm);
  return model;
}

}  // namespace plumb::models

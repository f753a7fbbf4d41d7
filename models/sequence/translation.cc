#include "models/sequence/translation.h"

#include "client/initializers.h"
#include "client/rnn/attention.h"
#include "client/rnn/rnn.h"
#include "models/layers.h"

namespace plumb::models {
namespace {

CellPtr Lstm(int64_t units, int64_t seed) {
  CellOptions cell;
  cell.seed = seed;
  return BasicLstmCell(units, 1, cell);
}

}  // namespace

Learner BuildTranslation(Scope& scope, Optimizer& optimizer, const TranslationOptions& options) {
  Learner model;
  const int64_t units = options.units, batch = options.batch;
  const Output source = model.FeedIds(scope, {batch, options.source_steps}, options.source_vocabulary, "source");
  const Output written = model.FeedIds(scope, {batch, options.target_steps}, options.target_vocabulary, "written");
  const Output targets = model.FeedIds(scope, {batch, options.target_steps}, options.target_vocabulary, "targets");

  RnnOptions reading;
  reading.scope = "reader";
  const DynamicRnnResult read =
      DynamicRnn(scope, Lstm(units, options.seed),
                 Embed(scope, source, options.source_vocabulary, units, options.seed + 1, "source_embedding"), reading);

  AttentionOptions looking;
  looking.seed = options.seed + 2;
  AttentionWrapperOptions wrapper;
  wrapper.attention_size = units;
  const CellPtr writer = AttentionWrapper(Lstm(units, options.seed + 3),
                                          LuongAttention(scope, units, read.outputs, false, looking), wrapper);
  RnnOptions writing;
  writing.scope = "writer";
  // It begins with the state that the reader ends with, and with no attention.
  writing.initial_state = {read.state[0], read.state[1], Filled(scope, DType::kFloat, {batch, units}, 0),
                           Filled(scope, DType::kFloat, {batch, options.source_steps}, 0)};
  const Output hidden =
      DynamicRnn(scope, writer,
                 Embed(scope, written, options.target_vocabulary, units, options.seed + 4, "target_embedding"), writing)
          .outputs;
  const Output logits = Dense(scope, Rows(scope, hidden), options.target_vocabulary, options.seed + 5, "logits");
  const Output flat = scope.Call("Reshape", {targets, Constant<int32_t>(scope, {-1})});
  Finish(scope, model, MeanCrossEntropy(scope, logits, flat), optimizer, options.clip_norm);
  return model;
}

}  // namespace plumb::models

#include "models/learners.h"

#include "models/other/autoencoder.h"
#include "models/other/deep_q.h"
#include "models/other/gan.h"
#include "models/other/kmeans.h"
#include "models/other/mixture_of_experts.h"
#include "models/other/wide_and_deep.h"
#include "models/other/word2vec.h"
#include "models/sequence/captioning.h"
#include "models/sequence/language_model.h"
#include "models/sequence/pointer_network.h"
#include "models/sequence/transformer.h"
#include "models/sequence/transformer_translation.h"
#include "models/sequence/translation.h"

namespace plumb::models {
namespace {

// A model built with its full sizes, or with these small ones.
template <auto kBuild, class Options>
Learner Sized(Scope& scope, Optimizer& optimizer, LearnerSize size, const Options& full, const Options& small) {
  return kBuild(scope, optimizer, size == LearnerSize::kFull ? full : small);
}

Learner LanguageModel(Scope& scope, Optimizer& optimizer, LearnerSize size) {
  const LanguageModelOptions small = {
      .vocabulary = 11, .embedding = 4, .units = 5, .projection = 3, .steps = 3, .batch = 2};
  return Sized<BuildLanguageModel>(scope, optimizer, size, {}, small);
}

Learner SampledLanguageModel(Scope& scope, Optimizer& optimizer, LearnerSize size) {
  const LanguageModelOptions small = {
      .vocabulary = 11, .embedding = 4, .units = 5, .projection = 3, .steps = 3, .batch = 2, .sampled = 4};
  return Sized<BuildLanguageModel>(scope, optimizer, size, {.sampled = 512}, small);
}

Learner Translation(Scope& scope, Optimizer& optimizer, LearnerSize size) {
  const TranslationOptions small = {
      .source_vocabulary = 9, .target_vocabulary = 7, .units = 4, .source_steps = 3, .target_steps = 2, .batch = 2};
  return Sized<BuildTranslation>(scope, optimizer, size, {}, small);
}

Learner PointerNetwork(Scope& scope, Optimizer& optimizer, LearnerSize size) {
  const PointerNetworkOptions small = {.units = 4, .points = 4, .outputs = 3, .batch = 2};
  return Sized<BuildPointerNetwork>(scope, optimizer, size, {}, small);
}

Learner Captioning(Scope& scope, Optimizer& optimizer, LearnerSize size) {
  const CaptioningOptions small = {.side = 8, .channels = 2, .vocabulary = 7, .units = 4, .steps = 3, .batch = 2};
  return Sized<BuildCaptioning>(scope, optimizer, size, {}, small);
}

Learner Transformer(Scope& scope, Optimizer& optimizer, LearnerSize size) {
  const TransformerOptions small = {
      .vocabulary = 9, .size = 8, .hidden = 12, .heads = 2, .layers = 2, .steps = 4, .batch = 2};
  return Sized<BuildTransformer>(scope, optimizer, size, {}, small);
}

Learner TransformerTranslation(Scope& scope, Optimizer& optimizer, LearnerSize size) {
  const TransformerTranslationOptions small = {.vocabulary = 9,
                                               .size = 8,
                                               .hidden = 12,
                                               .heads = 2,
                                               .layers = 1,
                                               .source_steps = 4,
                                               .target_steps = 3,
                                               .batch = 2};
  return Sized<BuildTransformerTranslation>(scope, optimizer, size, {}, small);
}

Learner Autoencoder(Scope& scope, Optimizer& optimizer, LearnerSize size) {
  const AutoencoderOptions small = {.features = 10, .units = {8, 6, 4, 2}, .batch = 3};
  return Sized<BuildAutoencoder>(scope, optimizer, size, {}, small);
}

Learner Word2Vec(Scope& scope, Optimizer& optimizer, LearnerSize size) {
  const Word2VecOptions small = {.vocabulary = 20, .size = 5, .sampled = 4, .batch = 4};
  return Sized<BuildWord2Vec>(scope, optimizer, size, {}, small);
}

Learner WideAndDeep(Scope& scope, Optimizer& optimizer, LearnerSize size) {
  const WideAndDeepOptions small = {
      .categories = 12, .fields = 3, .numbers = 2, .embedding = 4, .units = {8, 6, 4}, .batch = 4};
  return Sized<BuildWideAndDeep>(scope, optimizer, size, {}, small);
}

Learner MixtureOfExperts(Scope& scope, Optimizer& optimizer, LearnerSize size) {
  const MixtureOfExpertsOptions small = {
      .features = 6, .classes = 3, .experts = 4, .chosen = 2, .units = 5, .outputs = 4, .batch = 4};
  return Sized<BuildMixtureOfExperts>(scope, optimizer, size, {}, small);
}

Learner Adversaries(Scope& scope, Optimizer& optimizer, LearnerSize size) {
  const GanOptions small = {.features = 6, .noise = 3, .generator_units = 5, .discriminator_units = 5, .batch = 3};
  return BuildGan(scope, optimizer, size == LearnerSize::kFull ? GanOptions() : small).learner;
}

Learner DeepQLearner(Scope& scope, Optimizer& optimizer, LearnerSize size) {
  const DeepQOptions small = {.features = 3, .units = 5, .batch = 4};
  return BuildDeepQ(scope, optimizer, size == LearnerSize::kFull ? DeepQOptions() : small).learner;
}

// Its steps need no optimizer.
Learner KMeans(Scope& scope, Optimizer&, LearnerSize size) {
  const KMeansOptions small = {.clusters = 3, .features = 2, .points = 20};
  return BuildKMeans(scope, size == LearnerSize::kFull ? KMeansOptions() : small);
}

}  // namespace

std::span<const LearnerEntry> Learners() {
  static const LearnerEntry learners[] = {
      {"lstm-512-512", "A language model: an LSTM of 512 units projected to 512, full softmax.", LanguageModel,
       LearnerData::kText},
      {"lstm-512-512-sampled", "The same with a sampled softmax.", SampledLanguageModel, LearnerData::kText},
      {"seq2seq", "Sequence to sequence: two LSTMs with attention.", Translation,
       LearnerData::kTranslationsOfTwoVocabularies},
      {"pointer-network", "A pointer network: it writes places of what it reads.", PointerNetwork,
       LearnerData::kPlaces},
      {"captioning", "Captions of images: convolutions, then an LSTM.", Captioning, LearnerData::kCaptions},
      {"transformer", "A transformer that predicts the next word: six layers, eight heads.", Transformer,
       LearnerData::kText},
      {"transformer-translation", "A transformer that translates: six layers read, six write.", TransformerTranslation,
       LearnerData::kTranslations},
      {"autoencoder", "A deep autoencoder of digits.", Autoencoder, LearnerData::kDigits},
      {"word2vec", "Word2vec: skip-grams with a noise-contrastive loss.", Word2Vec, LearnerData::kText},
      {"wide-and-deep", "Wide and deep, on categories and numbers.", WideAndDeep, LearnerData::kCensus},
      {"mixture-of-experts", "Sixteen experts, which all compute; a gate weighs the best four for each example.",
       MixtureOfExperts, LearnerData::kDigits},
      {"gan", "A generative adversarial network of perceptrons, on digits.", Adversaries, LearnerData::kDigits},
      {"deep-q", "Deep Q-learning's network and the copy that follows it.", DeepQLearner},
      {"k-means", "K-means by Lloyd's steps.", KMeans},
  };
  return learners;
}

}  // namespace plumb::models

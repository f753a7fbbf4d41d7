// The models other than classifiers of images by name, for programs that let their user choose one.
#pragma once

#include <span>
#include <string_view>

#include "models/learner.h"

namespace plumb::models {

enum class LearnerSize {
  kFull,   // the sizes that the model was published with, or those usual for it
  kSmall,  // the whole topology so small that any backend trains it in no time
};

// What a model's inputs may be filled with, besides numbers that are made up.
enum class LearnerData {
  kNone,
  kDigits,  // the first input with images of digits, ids behind it with what they show
  kText,    // the first input with words, the second with those that follow, or that stand near
  // The first input with sentences, the third with their translations, the second with those shifted by a word: the
  // words of both languages numbered together, or of each by itself.
  kTranslations,
  kTranslationsOfTwoVocabularies,
  kCaptions,  // the first input with images, the third with captions of theirs, the second with those shifted by a word
  kPlaces,    // the first input with points, the second with the places of those to be chosen, one after the other
  kCensus,    // the first input with categories of people, the second with numbers, the third with who earns much
};

struct LearnerEntry {
  std::string_view name;         // such as "transformer"
  std::string_view description;  // one line
  Learner (*build)(Scope& scope, Optimizer& optimizer, LearnerSize size);
  LearnerData data = LearnerData::kNone;
};

// Building one at full size makes a graph, no weights.
std::span<const LearnerEntry> Learners();

}  // namespace plumb::models

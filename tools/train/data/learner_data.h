// Batches from files for the models of `Learners()`: digits, texts word by word, and sentences with translations.
#pragma once

#include <string>

#include "tools/train/data/model_data.h"

namespace plumb::tools {

// The model on batches that are drawn at random from what lies in the folder; equal seeds draw equal batches. Throws
// kNotFound for a folder without such files, kInvalidArgument for a model that reads none, and for files that do not
// fit its inputs.
//
// Digits: MNIST's four files. Numbers that are no images are drawn besides. Texts: train.txt or ptb.train.txt, words
// between spaces, the end of a line counting as one; the most frequent ones have numbers of their own, as many as the
// model knows, all others share the last. Translations: train.source and train.target, whose lines are sentences and
// what each is in the other language; words have numbers in the same way, but for 0, which ends each sentence, fills it
// up, and stands before the first word that is written. Pairs of which one is empty or too long for the model are left
// out.
TrainedModel BuildOnFiles(Scope& scope, Optimizer& optimizer, const models::LearnerEntry& entry,
                          models::LearnerSize size, const std::string& folder, uint64_t seed);

}  // namespace plumb::tools

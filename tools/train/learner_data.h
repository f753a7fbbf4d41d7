// Batches from files for the models of `Learners()`: digits, and texts word by word.
#pragma once

#include <string>

#include "tools/train/model_data.h"

namespace plumb::tools {

// The model on batches that are drawn at random from what lies in the folder; equal seeds draw equal batches. Throws
// kNotFound for a folder without such files, kInvalidArgument for a model that reads none, and for files that do not
// fit its inputs.
//
// Digits: MNIST's four files. Numbers that are no images are drawn besides. Texts: train.txt or ptb.train.txt, words
// between spaces, the end of a line counting as one; the most frequent ones have numbers of their own, as many as the
// model knows, all others share the last.
TrainedModel BuildOnFiles(Scope& scope, Optimizer& optimizer, const models::LearnerEntry& entry,
                          models::LearnerSize size, const std::string& folder, uint64_t seed);

}  // namespace plumb::tools

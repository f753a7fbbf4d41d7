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

struct LearnerEntry {
  std::string_view name;         // such as "transformer"
  std::string_view description;  // one line
  Learner (*build)(Scope& scope, Optimizer& optimizer, LearnerSize size);
};

// Building one at full size makes a graph, no weights.
std::span<const LearnerEntry> Learners();

}  // namespace plumb::models

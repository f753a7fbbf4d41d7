// What is known of an op that neither its arguments and attributes nor TensorFlow's flags say: words of ours behind the
// flags of a signature, such as "counts_turns".
#pragma once

#include <optional>
#include <string_view>

#include "spec/ops/op_def.h"

namespace plumb {

enum class Trait {
  // A call whose function is given a batch of rows, made of the first inputs (FN11).
  kBatches,
  // A loop that counts instead of asking a condition; its first inputs say how (FN7).
  kCountsTurns,
  // A call that has the gradient of its function, though none is registered for the op (FN8).
  kDifferentiatesBody,
  // Nothing flows back through any output but the first, though others follow from the same inputs.
  kDifferentiatesFirst,
  // Rounding may decide whether there is an answer, as of a matrix that is nearly singular.
  kMayBeSingular,
  // Meets the members of the group that its attributes tell (CO1).
  kMeetsGroup,
  // A call whose first input names the device that its function is to run on (FN5).
  kNamesTarget,
};

// "counts_turns" is kCountsTurns.
std::optional<Trait> ParseTrait(std::string_view word);

// Whether the op's row has it. An op that is a function of a graph has none.
bool Has(const OpDef& op, Trait trait);

}  // namespace plumb

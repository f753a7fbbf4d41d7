// What is known of an op that neither its arguments and attributes nor TensorFlow's flags say: words of ours behind the
// flags of a signature, such as "counts_turns". A row has its words in the order that they have here.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "spec/ops/op_def.h"

namespace plumb {

enum class Trait {
  // Adds its last input to a variable: in any order such updates leave the same.
  kAdds,
  // A call whose function is given a batch of rows, made of the first inputs (FN11).
  kBatches,
  // A loop that counts instead of asking a condition; its first inputs say how (FN7).
  kCountsTurns,
  // A call that has the gradient of its function, though none is registered for the op (FN8).
  kDifferentiatesBody,
  // Nothing flows back through any output but the first, though others follow from the same inputs.
  kDifferentiatesFirst,
  // Draws from a stream of random numbers of its own, which its attributes seed and seed2 begin (R70).
  kDrawsNumbers,
  // What an object was given comes out of it as it was, an alias too (R31).
  kGivesBack,
  // Where there is nothing to compute, what comes in comes out as it was, or a piece of it, an alias too (R31).
  kHandsOn,
  // Rounding may decide whether there is an answer, as of a matrix that is nearly singular.
  kMayBeSingular,
  // Meets the members of the group that its attributes tell (CO1).
  kMeetsGroup,
  // A call whose first input names the device that its function is to run on (FN5).
  kNamesTarget,
  // Puts its last input in the place of what a variable holds.
  kSets,
  // Subtracts its last input, times the scalars before it, from a variable: in any order, as kAdds.
  kSubtracts,
  // Changes the rows of a variable, its first input, that the indices name, its second, by its third (R23).
  kUpdatesRows,
  // The same of slices, of which each row of the indices names one (R24).
  kUpdatesSlices,
  // Changes a variable, its first input, by its last, which has the variable's shape; those between are scalars.
  kUpdatesWhole,
};

// "counts_turns" is kCountsTurns.
std::optional<Trait> ParseTrait(std::string_view word);
std::string_view TraitName(Trait trait);

// Whether the op's row has it. An op that is a function of a graph has none.
bool Has(const OpDef& op, Trait trait);
// All that it has, in the order of Trait.
std::vector<Trait> TraitsOf(const OpDef& op);

}  // namespace plumb

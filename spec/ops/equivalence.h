// Outputs that are not unique: which answers are one and the same. The row says it behind the output's type, in the
// brackets in which a handle says what it leads to: v: T<columns_up_to_phase>.
#pragma once

#include <cstddef>
#include <string_view>

#include "spec/ops/op_def.h"

namespace plumb {

enum class Equivalence {
  kNone,
  // Of the columns of each matrix (the last dimension but one runs down a column)
  // each may be multiplied by a number of absolute value one: a sign where it is real
  kColumnsUpToPhase,
  // the same, but of what is below the first row, which holds values
  kColumnsBelowValuesUpToPhase,
  // the same, but column k by the number that column k of the output before is multiplied by
  kColumnsUpToSamePhase,
  // Elements along the last dimension may stand in any order,
  kElementsInAnyOrder,
  // and columns in the order of the elements of the output before, each up to its phase.
  kColumnsInSameOrderUpToPhase,
  // What stands along the last dimension is a permutation of 0, 1, …; any other is as right.
  kAnyPermutation,
  // Rows, along the first dimension, may stand in any order,
  kRowsInAnyOrder,
  // and rows in the order of those of the output before.
  kRowsInSameOrder,
  // A zero of either sign: of a largest or least element, which may be any of those that are equal.
  kEitherZero,
};

// What stands in the brackets behind the type of an argument; kNone where that is a handle.
inline Equivalence EquivalenceNamed(std::string_view name) {
  if (name == "columns_up_to_phase") return Equivalence::kColumnsUpToPhase;
  if (name == "columns_up_to_same_phase") return Equivalence::kColumnsUpToSamePhase;
  if (name == "columns_below_values_up_to_phase") return Equivalence::kColumnsBelowValuesUpToPhase;
  if (name == "elements_in_any_order") return Equivalence::kElementsInAnyOrder;
  if (name == "columns_in_same_order_up_to_phase") return Equivalence::kColumnsInSameOrderUpToPhase;
  if (name == "any_permutation") return Equivalence::kAnyPermutation;
  if (name == "rows_in_any_order") return Equivalence::kRowsInAnyOrder;
  if (name == "rows_in_same_order") return Equivalence::kRowsInSameOrder;
  if (name == "either_zero") return Equivalence::kEitherZero;
  return Equivalence::kNone;
}
// Whether an answer is brought to the reference's form before it is compared.
inline bool IsAligned(Equivalence equivalence) {
  return equivalence != Equivalence::kNone && equivalence != Equivalence::kEitherZero;
}
inline bool LeadsSomewhere(const ArgDef& arg) {
  return !arg.handle.empty() && EquivalenceNamed(arg.handle) == Equivalence::kNone;
}
inline Equivalence EquivalenceOf(const OpDef& op, size_t output) { return EquivalenceNamed(op.HandleKind(output)); }

}  // namespace plumb

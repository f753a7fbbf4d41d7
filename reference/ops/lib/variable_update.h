// What is added to variables and taken from them. Values are immutable: an update computes a new one, and the variable
// says who sees it (rules R32, R42).
#pragma once

#include "reference/numbers/value.h"

namespace plumb::reference {

enum class Update { kAdd, kSubtract };

template <class N>
N Updated(Update update, N old, N change) {
  return update == Update::kAdd ? old + change : old - change;
}

// R22, R43: no broadcasting.
Value UpdatedValue(Update update, const Value& old, const Value& change);

}  // namespace plumb::reference

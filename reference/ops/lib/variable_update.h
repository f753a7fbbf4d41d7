// What is added to variables and taken from them. Values are immutable; an update puts a new value into the slot, so
// that whoever read the old one keeps it (rules E3, R32).
#pragma once

#include "reference/value.h"

namespace plumb::reference {

enum class Update { kAdd, kSubtract };

template <class N>
N Updated(Update update, N old, N change) {
  return update == Update::kAdd ? old + change : old - change;
}

// R22, R43: no broadcasting.
Value UpdatedValue(Update update, const Value& old, const Value& change);

}  // namespace plumb::reference

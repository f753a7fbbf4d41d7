// What the shape rules of LSTM ops share.
#pragma once

#include "spec/ops/shape_helpers.h"

namespace plumb::topics {

// Inputs first, first + 1, … must have these ranks.
inline void RequireRanks(const ShapeContext& c, int first, std::initializer_list<int> ranks) {
  for (const int rank : ranks) WithRank(c, first++, rank);
}

}  // namespace plumb::topics

// What running a cell over sequences has in common: static, dynamic and in both directions.
#pragma once

#include <optional>
#include <vector>

#include "client/dimensions.h"
#include "client/rnn/cell.h"

namespace plumb {

// Lengths of the sequences of a batch, in int32. kInvalidArgument unless they are a vector of integers, as long as the
// batch where both are known.
Output CheckedLengths(Scope& scope, Output lengths, int64_t batch);
// The largest length.
Output Longest(Scope& scope, Output lengths);

// What a sequence that is over keeps, and what the others have new: rows of `before` where time ≥ length, else rows of
// `after`. Scalars, which have no rows, are always new.
Output KeepPastEnd(Scope& scope, Output time, Output lengths, Output before, Output after);
// The same for a step: zeros for the output, each part of the state as it was.
RnnStep KeepPastEnd(Scope& scope, Output time, Output lengths, Output zero_output, const RnnState& before,
                    const RnnStep& after);

// The initial state: the given one, of as many parts as the cell has, or else zeros.
RnnState InitialState(Scope& scope, const RnnCell& cell, const RnnState& given, Output batch, DType dtype);

}  // namespace plumb

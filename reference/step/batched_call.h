// What a call on a batch gives its function, and makes of the results (clause FN11).
#pragma once

#include <vector>

#include "reference/step/configuration.h"

namespace plumb::reference {

// The inputs of a live call with its rows padded. Throws kInvalidArgument where they are no rows of one batch.
std::vector<Item> WithPadding(const Node& node, std::vector<Item> inputs);
// The results of its function, which was given `args`, without the rows that were padded. Throws kFailedPrecondition
// for a result of another number of rows.
std::vector<Token> WithoutPadding(const Node& node, const std::vector<Item>& inputs, const std::vector<Item>& args,
                                  std::vector<Token> results);

}  // namespace plumb::reference

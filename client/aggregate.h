// Adding up the contributions to one gradient (rule D4).
#pragma once

#include <vector>

#include "client/gradients.h"

namespace plumb {

// None of none, the only one, the sum of dense ones, the concatenation of slices, or the dense sum of a mixture.
// Contributions that are none are left out. Summands keep their order.
GradientValue Aggregate(GraphBuilder& builder, const std::vector<GradientValue>& contributions, Aggregation how);

}  // namespace plumb

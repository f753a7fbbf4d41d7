// The weights of a node that draws from a fixed list (R81).
#pragma once

#include <algorithm>
#include <vector>

#include "spec/graph/graph.h"

namespace plumb::reference {

struct Unigrams {
  int64_t range = 0;
  std::vector<float> weights;  // of the ids of this shard, `range` of them; reserved ones are zero
  float total = 0;             // added up in float32, in order

  // From the node's attributes, and the file that they name. Throws kInvalidArgument where they contradict each other.
  explicit Unigrams(const Node& node);
  // How many ids may be drawn.
  int64_t Possible() const {
    if (!(total > 0)) return range;
    return std::count_if(weights.begin(), weights.end(), [](float weight) { return weight > 0; });
  }
};

}  // namespace plumb::reference

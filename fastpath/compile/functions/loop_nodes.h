// The frame in which a loop turns: Enter, Merge, Switch and Exit for each of its variables (FN7).
#pragma once

#include <vector>

#include "fastpath/compile/functions/call_nodes.h"

namespace plumb::fast {

// Made in the order of the functions below. All values of a loop are given by the number of the variable.
class LoopNodes {
 public:
  // A frame that is entered with these values. `call` is the node whose loop it is.
  LoopNodes(CallNodes& nodes, const Node& call, const std::vector<Endpoint>& initial, int64_t parallel_iterations);

  int variables() const { return static_cast<int>(merges_.size()); }
  // What a variable is when a turn is about to begin.
  Endpoint now(int variable) const { return merges_[static_cast<size_t>(variable)]; }

  // Ends the loop where `value` says no, as a condition of the call, when `controls` have run.
  void Decide(Endpoint value, std::vector<NodeId> controls);
  // What a variable is in a turn, and after the last one.
  Endpoint in_turn(int variable) const { return in_turn_[static_cast<size_t>(variable)]; }
  Endpoint exit(int variable) const { return exits_[static_cast<size_t>(variable)]; }

  // What the variable is in the next turn, which begins when `waits` have run.
  void Next(int variable, Endpoint value, const std::vector<NodeId>& waits);

 private:
  CallNodes& nodes_;
  const Node& call_;
  std::vector<Endpoint> merges_;
  std::vector<Endpoint> in_turn_;
  std::vector<Endpoint> exits_;
};

}  // namespace plumb::fast

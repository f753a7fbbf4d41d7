// --placement cost: where the nodes of a training lie, by what they take.
#pragma once

#include <string>
#include <vector>

#include "client/placement/place_by_cost.h"
#include "tools/train/train_replica.h"

namespace plumb::tools {

// The graph of the replica, built once before the one that trains, so that it is known where variables go. Batches are
// made up, and what it measures it measures in this process.
class PlacementTrial {
 public:
  // `replica` places by cost and outlives this, as `training` does. Takes some steps here, unless a trace says what
  // nodes take. Throws kResourceExhausted where the workers have no room, kInvalidArgument for a trace of another
  // graph.
  PlacementTrial(const BuildModel& build, const Training& training, const Replica& replica);

  // For Scope::set_variable_device of the same graph, which is built once more.
  Scope::VariableDevice OfVariables() const;
  // Where all its nodes lie, when it is there.
  CostPlacement Place(Scope& scope) const;

 private:
  const PlacementByCost& by_cost_;
  const CostOptions options_;
  MeasuredCosts costs_;
  std::vector<std::string> of_variables_;  // in the order of their making
};

// A line for each device, and what a step is expected to take.
std::string TextOf(const CostPlacement& placement, const PlacementByCost& by_cost);

}  // namespace plumb::tools

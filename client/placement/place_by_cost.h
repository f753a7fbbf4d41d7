// A device for each node of a graph by what nodes cost: the step that is expected to end first, under each device's
// memory (white paper §3.2.1).
//
//   MeasuredCosts costs;
//   costs.Learn(metadata of a traced step, wherever it ran);
//   const CostPlacement placement = PlaceByCost(scope.builder(), costs, {{"/job:worker/task:0", 4 << 30}, …});
//   GraphDef graph = scope.ToGraphDef();
//   AskForDevices(graph, placement);
//
// Where a value of a variable travels, it is read when it is sent, as wherever a program asks for devices (rule R36).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "client/placement/measured_costs.h"
#include "client/placement/schedule.h"
#include "spec/graph/builder.h"

namespace plumb {

struct CostOptions {
  LinkOffer link = {};
  // What a dimension that is not known before the run counts as, such as that of a batch.
  int64_t unknown_dimension = 1;
};

struct CostPlacement {
  std::map<std::string, std::string> devices;  // by node, of those that do not ask for one themselves
  std::map<std::string, int> offers;           // by node, of all: which offer it lies on
  std::map<std::string, double> node_seconds;  // by node, of all: what it was counted as, at the speed 1
  double seconds = 0;                          // that a step is expected to take
  std::vector<int64_t> held;                   // bytes on each of the offers
  int measured = 0;                            // nodes whose costs were; the others' are estimated from sizes
};

// Nodes that ask for a device stay there, and draw those after them that lie together with them. Throws
// kInvalidArgument where there are no offers, or a node asks for a device that none of them is, and kResourceExhausted
// where the graph does not fit.
CostPlacement PlaceByCost(const GraphBuilder& builder, const MeasuredCosts& costs,
                          const std::vector<DeviceOffer>& offers, const CostOptions& options = {});

void AskForDevices(GraphDef& graph, const CostPlacement& placement);

}  // namespace plumb

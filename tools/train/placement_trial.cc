#include "tools/train/placement_trial.h"

#include "backends/backends.h"
#include "spec/files/file.h"
#include "tools/check.h"
#include "tools/device_offers.h"
#include "tools/placement_costs.h"
#include "tools/train/training_graph.h"

namespace plumb::tools {
namespace {

constexpr double kMilliseconds = 1e3;  // of a second
constexpr int kMeasuredSteps = 3;      // of which each node's median counts: the first one sets things up

Training OnMadeUpBatches(Training training) {
  training.data.clear();
  return training;
}

// As one process has it, with the shards of all.
Replica InOneProcess(Replica replica) {
  replica.by_cost.reset();
  replica.strategy.stages.clear();
  return replica;
}

MeasuredCosts Measured(TrainingGraph& graph, int threads) {
  Program program(graph.scope, OpenSession("cpu", {.threads = threads}));
  program.Run(graph.init);
  const std::vector<std::string> fetches = {graph.model.loss.name(), graph.next_step.name()};
  RunOptions traced;
  traced.trace = true;
  MeasuredCosts costs;
  for (int step = 0; step < kMeasuredSteps; ++step) {
    std::vector<Feed> feeds;
    for (const auto& [place, value] : graph.NextFeeds()) feeds.emplace_back(place.name(), value);
    std::vector<Tensor> outputs;
    RunMetadata metadata;
    Check(program.session().Run(traced, feeds, fetches, {}, &outputs, &metadata));
    costs.Learn(metadata);
  }
  return costs;
}

}  // namespace

PlacementTrial::PlacementTrial(const BuildModel& build, const Training& training, const Replica& replica)
    : by_cost_(*replica.by_cost), options_{by_cost_.link, OfOneShard(training).batch} {
  TrainingGraph graph(build, OnMadeUpBatches(training), InOneProcess(replica));
  const std::string& trace = by_cost_.trace;
  costs_ = trace.empty() ? Measured(graph, training.threads) : CostsOfTrace(ReadFile(trace), trace);
  const int known = LearnWhatRests(graph.scope.ToGraphDef(), costs_);
  Require(known > 0, "no node of ", training.model, " is in ", trace, ": --placement cost=FILE takes a trace of this ",
          "model with these options");
  const CostPlacement placement = PlaceByCost(graph.scope.builder(), costs_, by_cost_.offers, options_);
  for (const Variable& variable : graph.scope.variables()) {
    const auto placed = placement.devices.find(graph.scope.NameOf(variable.ref().node()));
    if (placed != placement.devices.end()) of_variables_.push_back(placed->second);
  }
}

Scope::VariableDevice PlacementTrial::OfVariables() const {
  return [devices = of_variables_, next = size_t{0}](DType, const PartialShape&) mutable {
    Require(next < devices.size(), "a graph has more variables than it had when it was placed: ", devices.size());
    return devices[next++];
  };
}

CostPlacement PlacementTrial::Place(Scope& scope) const {
  return PlaceByCost(scope.builder(), costs_, by_cost_.offers, options_);
}

std::string TextOf(const CostPlacement& placement, const PlacementByCost& by_cost) {
  std::vector<int> nodes(by_cost.offers.size());
  for (const auto& [node, offer] : placement.offers) ++nodes[static_cast<size_t>(offer)];
  std::string text;
  for (size_t i = 0; i < nodes.size(); ++i) {
    const DeviceOffer& offer = by_cost.offers[i];
    text += Str(offer.device, ": ", nodes[i], " nodes, ", TextOfBytes(placement.held[i]), " of ",
                TextOfBytes(offer.memory), "\n");
  }
  return Str(text, "A step is expected to take ", kMilliseconds * placement.seconds, " ms\n");
}

}  // namespace plumb::tools

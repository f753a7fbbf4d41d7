// Which of the processes of a training run this one is, and what all of them have to agree on.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "client/placement/schedule.h"
#include "mpi/protocol/statement.h"
#include "tools/train/model_trainer.h"
#include "tools/train/strategies.h"

namespace plumb::tools {

// --placement cost: nodes lie where a step is expected to end first, by what they take.
struct PlacementByCost {
  std::string trace;                // of an earlier run, which says what they took; "": they are measured
  std::vector<DeviceOffer> offers;  // where they may lie
  LinkOffer link;
};

struct Replica {
  bool is_chief = true;  // initialises, saves, and tells people how it goes
  int number = 0;
  int chief_rank = 0;
  std::vector<int> clients = {0};    // ranks that run steps
  std::vector<std::string> servers;  // of parameters; none: variables stay here
  bool takes_servers_in_turn = false;
  Strategy strategy;
  std::optional<PlacementByCost> by_cost;  // none: the strategy says where everything lies
};

// The training as the launch makes it: ranks of mpirun that have no cluster are all workers, and who names no strategy
// reduces gradients among the workers, or updates servers where there are some. Throws kInvalidArgument for a backend
// that no rank has, and for a wire that is not there.
Training AsLaunched(Training training);

// Throws kInvalidArgument where mpirun has started several processes of a `program` that trains in one.
void RequireOneProcess(const std::string& program);

// By the cluster and what mpirun says; `training` is as launched. Throws kInvalidArgument for a cluster or strategy
// that cannot be.
Replica ReplicaOf(const Training& training);

// What a replica's model is built for: where batches are cut, for one shard of the batch that all replicas read.
Training OfOneShard(Training training);

// Of all the batches that an update is made of.
int64_t ExamplesPerStep(const Training& training, const Strategy& strategy);

// Of the variables of the model as one process trains it.
std::vector<int64_t> BytesOfModel(const BuildModel& build, const Training& training);

// What all ranks say alike: the settings, the model's graph as one process trains it, and where the variables of this
// run lie. Batches, and who initialises and saves, are each rank's own.
dist::Statement StatementOf(const BuildModel& build, const Training& training, Scope& scope);

}  // namespace plumb::tools

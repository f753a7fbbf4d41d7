// How the replicas of a training program work together: --strategy.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "client/training/all_reduce.h"
#include "client/training/sync_replicas.h"

namespace plumb::tools {

struct Strategy {
  // Replicas that aggregate their gradients together, this one among them; none: each updates when it is ready.
  std::optional<SyncReplicasOptions> sync;
  // Whether this replica makes the updates of those.
  bool makes_updates = false;
  // Replicas with variables of their own, which take part in every update; none: variables lie on parameter servers.
  std::optional<AllReduceOptions> all_reduce = {};
  // Whether the first worker's graph has a replica of the model on each worker, and all others serve it: then
  // `all_reduce` is of one replica, whose shards lie on the workers.
  bool in_graph = false;
};

// What worker `number` of `workers` does by the flag's text, such as "backup=1". Throws kInvalidArgument that names the
// flag and what to write instead.
Strategy StrategyOf(const std::string& text, int workers, int number);

// The strategy with batches that are cut into shards, which the workers of the run share evenly. Throws
// kInvalidArgument for a strategy whose updates do not wait for all workers, and where `shards` is no multiple of
// `workers`.
Strategy WithShards(Strategy strategy, int shards, int workers, int number);
// That of a single process, which computes all of them.
Strategy ShardsAlone(int shards);

// The strategies with an example each, for `plumb train --help`.
std::string StrategyHelp();

}  // namespace plumb::tools

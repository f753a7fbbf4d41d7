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
  // Whether the first worker is the only client, and all others serve its graph. `all_reduce` is then of one replica:
  // its shards lie on the workers, or, where there are stages, each on all of them.
  bool one_client = false;
  // Devices that the model's layers lie on, in order; none: the model is whole.
  std::vector<std::string> stages = {};
  int under_way = 1;  // steps of one client at once

  // Or else on parameter servers.
  bool KeepsVariablesOnWorkers() const { return !stages.empty() || (all_reduce && !one_client); }
};

// What worker `number` of `workers` does by the flag's text, such as "backup=1". Throws kInvalidArgument that names the
// flag and what to write instead.
Strategy StrategyOf(const std::string& text, int workers, int number);

// Throws as StrategyOf does for a text that names no strategy.
void CheckStrategyName(const std::string& text);

// The strategy with batches that are cut into shards, which the workers of the run share evenly. Throws
// kInvalidArgument for a strategy whose updates do not wait for all workers, and where `shards` is no multiple of
// `workers`.
Strategy WithShards(Strategy strategy, int shards, int workers, int number);
// That of a single process, which computes all of them.
Strategy ShardsAlone(int shards);

// "async-ps, sync-ps, backup=K, …"
std::string StrategyNames();
// What each strategy means, with an example of each, for `plumb train --help`.
std::string StrategyHelp();

}  // namespace plumb::tools

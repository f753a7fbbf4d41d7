#include "tools/train/train_replica.h"

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "client/training/stages.h"
#include "mpi/cluster/cluster.h"
#include "tools/device_offers.h"

namespace plumb::tools {
namespace {

int FromMpirun(const char* name, int otherwise) {
  const char* const value = std::getenv(name);
  return value == nullptr ? otherwise : std::atoi(value);
}

int RanksOfMpirun() { return FromMpirun("OMPI_COMM_WORLD_SIZE", 1); }

bool IsServer(const dist::Cluster& cluster, int rank) { return cluster.task(rank).job == "ps"; }

void AddTasks(Replica& replica, const dist::Cluster& cluster) {
  replica.clients.clear();
  for (int rank = 0; rank < cluster.size(); ++rank) {
    if (IsServer(cluster, rank)) {
      replica.servers.push_back("/job:ps/task:" + std::to_string(cluster.task(rank).number));
    } else {
      replica.clients.push_back(rank);
    }
  }
  replica.chief_rank = replica.clients.empty() ? 0 : replica.clients.front();
}

// The graph of the model alone, as one process trains it. Made-up batches do for it: what is read is each rank's own.
void BuildAlone(Scope& scope, const BuildModel& build, Training training) {
  training.data.clear();
  build(scope, *Sgd({.learning_rate = training.learning_rate}), OfOneShard(training), 0);
}

void CheckWire(const Training& training) {
  const std::string& wire = training.wire;
  Require(wire.empty() || wire == "exact" || wire == "bfloat16" || wire == "bfloat16-rounded", "there is no --wire ",
          wire, "; there are: exact, bfloat16, bfloat16-rounded");
  Require(wire.empty() || !training.cluster.empty(), "--wire ", wire,
          " says how values travel between ranks, and this is one process: leave it out, or start more with mpirun");
}

void CheckStrategy(const Training& training) {
  Require(IsAllReduceWay(training.all_reduce), "there is no --allreduce ", training.all_reduce,
          "; there are: auto, ring, shared, tree");
  if (training.strategy.empty()) return;
  CheckStrategyName(training.strategy);
  Require(
      !training.cluster.empty(), "--strategy ", training.strategy,
      " says how the workers of a cluster work together, and this is one process: leave it out, or start more with ",
      "mpirun (plumb train --help shows how)");
}

// --placement bytes, turn, cost or cost=FILE, and --devices.
void AddPlacement(Replica& replica, const Training& training) {
  const size_t equals = training.placement.find('=');
  const std::string kind = training.placement.substr(0, equals);
  const bool is_traced = equals != std::string::npos;
  const bool is_known = kind == "cost" || (!is_traced && (kind == "bytes" || kind == "turn"));
  Require(is_known, "there is no --placement ", training.placement, "; there are: bytes, turn, cost and cost=FILE");
  Require(kind != "turn" || !replica.servers.empty(),
          "--placement turn is for variables on parameter servers, of which this training has none");
  Require(kind == "cost" || training.devices.empty(), "--devices says where --placement cost may lay nodes, and --",
          "placement is ", training.placement);
  replica.takes_servers_in_turn = kind == "turn";
  if (kind != "cost") return;
  const std::vector<std::string>& workers = replica.strategy.stages;
  Require(!workers.empty(), "--placement cost lays one model on several workers: it wants --strategy model-parallel ",
          "or pipeline=K");
  Require(training.mbit > 0, "--mbit is to be above 0, and is ", training.mbit);
  PlacementByCost& by_cost = replica.by_cost.emplace();
  if (is_traced) by_cost.trace = training.placement.substr(equals + 1);
  if (!training.devices.empty()) by_cost.offers = ParseOffers(training.devices);
  for (const DeviceOffer& offer : by_cost.offers) {
    Require(std::find(workers.begin(), workers.end(), offer.device) != workers.end(), "--devices names ", offer.device,
            ", and nodes may lie on workers alone: ", workers.front(), " to ", workers.back());
  }
  if (by_cost.offers.empty()) {
    for (const std::string& worker : workers) by_cost.offers.push_back({worker});
  }
  by_cost.link.bytes_per_second = training.mbit * 1e6 / 8;
}

bool HasServers(const dist::Cluster& cluster) {
  for (int rank = 0; rank < cluster.size(); ++rank) {
    if (IsServer(cluster, rank)) return true;
  }
  return false;
}

}  // namespace

Training AsLaunched(Training training) {
  const int ranks = RanksOfMpirun();
  if (training.cluster.empty() && ranks > 1) training.cluster = Str("worker=", ranks);
  CheckWire(training);
  CheckStrategy(training);
  if (training.cluster.empty()) return training;
  Require(training.backend == "cpu" || training.backend == "mpi", "--backend ", training.backend,
          " is for training in one process: the ranks of a cluster (", training.cluster,
          ") compute on cpu; leave --backend out, or start one process without --cluster");
  if (training.strategy.empty()) {
    training.strategy = HasServers(dist::Cluster::Parse(training.cluster, ranks)) ? "async-ps" : "allreduce";
  }
  return training;
}

void RequireOneProcess(const std::string& program) {
  Require(RanksOfMpirun() == 1, program, " trains in one process, and mpirun has started ", RanksOfMpirun(),
          ": start it without mpirun; models that train on many are listed by plumb train --help");
}

Replica ReplicaOf(const Training& training) {
  Replica replica;
  if (training.cluster.empty()) {
    if (training.shards > 0) replica.strategy = ShardsAlone(training.shards);
    AddPlacement(replica, training);
    return replica;
  }
  const int ranks = RanksOfMpirun(), rank = FromMpirun("OMPI_COMM_WORLD_RANK", 0);
  const dist::Cluster cluster = dist::Cluster::Parse(training.cluster, ranks);
  replica.number = cluster.task(rank).number;
  replica.is_chief = !IsServer(cluster, rank) && replica.number == 0;
  AddTasks(replica, cluster);
  const int workers = static_cast<int>(replica.clients.size());
  // A server builds the same graph and serves: whichever worker it takes itself for.
  const int worker = replica.number % std::max(workers, 1);
  replica.strategy = StrategyOf(training.strategy, workers, worker);
  if (training.shards > 0) {
    Require(workers > 0, "--shards wants workers, as in --cluster ps=1,worker=2, not ", cluster.ToString());
    replica.strategy = WithShards(replica.strategy, training.shards, workers, worker);
  }
  if (replica.strategy.all_reduce) {
    replica.strategy.all_reduce->bucket_bytes = static_cast<int64_t>(training.bucket * (1 << 20));
    replica.strategy.all_reduce->way = training.all_reduce;
  }
  if (replica.strategy.one_client) replica.clients.resize(1);
  const bool wants_servers = !replica.strategy.KeepsVariablesOnWorkers();
  if (!wants_servers) {
    Require(replica.servers.empty(), "--strategy ", training.strategy,
            " wants workers alone, as in --cluster worker=4, not ", cluster.ToString());
    AddPlacement(replica, training);
    return replica;
  }
  Require(!replica.servers.empty() && workers > 0, "--strategy ", training.strategy,
          " wants parameter servers and workers, as in --cluster ps=1,worker=3, not ", cluster.ToString());
  if (replica.strategy.sync) replica.strategy.sync->device = replica.servers.front();
  AddPlacement(replica, training);
  return replica;
}

Training OfOneShard(Training training) {
  if (training.shards > 0) training.batch /= training.shards;
  return training;
}

int64_t ExamplesPerStep(const Training& training, const Strategy& strategy) {
  if (training.shards > 0) return training.batch;
  if (strategy.sync) return int64_t{training.batch} * strategy.sync->aggregate;
  if (strategy.one_client && strategy.all_reduce) return int64_t{training.batch} * strategy.all_reduce->shards.of;
  return int64_t{training.batch} * (strategy.all_reduce ? strategy.all_reduce->replicas : 1);
}

std::vector<int64_t> BytesOfModel(const BuildModel& build, const Training& training) {
  Scope scope;
  BuildAlone(scope, build, training);
  return BytesOfVariables(scope);
}

dist::Statement StatementOf(const BuildModel& build, const Training& training, Scope& scope) {
  dist::Statement statement;
  statement.Add("the model", training.model);
  for (const auto& [flag, value] :
       {std::pair("--strategy", training.strategy), std::pair("--steps", Str(training.steps)),
        std::pair("--batch", Str(training.batch)), std::pair("--shards", Str(training.shards)),
        std::pair("--bucket", Str(training.bucket)), std::pair("--allreduce", training.all_reduce),
        std::pair("--seed", Str(training.seed)), std::pair("--learning-rate", Str(training.learning_rate)),
        std::pair("--placement", training.placement), std::pair("--devices", training.devices),
        std::pair("--save-every", training.save_every),
        std::pair("--data", std::string(training.data.empty() ? "not given" : "given")),
        std::pair("--checkpoint", std::string(training.checkpoint.empty() ? "not given" : "given"))}) {
    statement.Add(flag, value);
  }
  Scope alone;
  BuildAlone(alone, build, training);
  statement.AddNodes(alone.ToGraphDef());
  for (const Variable& variable : scope.variables()) {
    // What is placed by cost is known to the one client alone.
    const bool is_measured = training.placement.starts_with("cost");
    const std::string device = is_measured ? "" : scope.builder().graph().node(variable.ref().node()).device;
    statement.Add(Str("the variable '", variable.name(), "'"),
                  Str(DTypeName(variable.dtype()), variable.shape().ToString(), " on ",
                      is_measured      ? "some worker"
                      : device.empty() ? "each worker"
                                       : device));
  }
  return statement;
}

}  // namespace plumb::tools

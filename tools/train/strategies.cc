#include "tools/train/strategies.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace plumb::tools {
namespace {

struct Row {
  std::string_view name;
  std::string_view number;  // what the number behind '=' is; "": there is none
  std::string_view meaning;
  std::string_view example;
  Strategy (*make)(int number, int workers, int worker);
};

Strategy Asynchronous(int, int, int) { return {}; }

Strategy Synchronous(int, int workers, int worker) {
  return {SyncReplicasOptions{.replicas = workers, .aggregate = workers, .group = "sync", .device = {}}, worker == 0};
}

Strategy WithBackup(int backup, int workers, int worker) {
  Require(backup < workers, "--strategy backup=", backup, " leaves no gradient to wait for: of ", workers,
          " workers at most ", workers - 1, " can be to spare");
  Strategy strategy = Synchronous(0, workers, worker);
  strategy.sync->aggregate = workers - backup;
  return strategy;
}

Strategy Hybrid(int size, int workers, int worker) {
  Require(workers % size == 0, "--strategy hybrid=", size, " cuts ", workers,
          " workers into groups of equal size: write a number that divides them");
  Strategy strategy = Synchronous(0, size, worker % size);
  strategy.sync->group = Str("sync_", worker / size);
  return strategy;
}

Strategy AllReduced(int, int workers, int) {
  Strategy strategy;
  strategy.all_reduce = AllReduceOptions{.replicas = workers};
  return strategy;
}

std::vector<std::string> Workers(int workers) {
  std::vector<std::string> devices;
  for (int worker = 0; worker < workers; ++worker) devices.push_back(Str("/job:worker/task:", worker));
  return devices;
}

Strategy InGraph(int, int workers, int) {
  Strategy strategy;
  strategy.one_client = true;
  strategy.all_reduce = AllReduceOptions{.shards = ShardsOf(workers, 1, 0)};
  strategy.all_reduce->shards.devices = Workers(workers);
  return strategy;
}

Strategy ModelParallel(int, int workers, int) {
  Strategy strategy;
  strategy.one_client = true;
  strategy.stages = Workers(workers);
  return strategy;
}

Strategy Pipeline(int steps, int workers, int) {
  Strategy strategy = ModelParallel(0, workers, 0);
  strategy.under_way = steps;
  return strategy;
}

constexpr Row kRows[] = {
    {"async-ps", "", "each worker updates the servers' variables when it is ready",
     "mpirun -n 4 plumb train lenet --cluster ps=1,worker=3 --strategy async-ps", Asynchronous},
    {"sync-ps", "", "an update takes the mean of one gradient of each worker",
     "mpirun -n 4 plumb train lenet --cluster ps=1,worker=3 --strategy sync-ps", Synchronous},
    {"backup", "K", "sync-ps with K workers to spare: the first gradients count, late ones are dropped",
     "mpirun -n 5 plumb train lenet --cluster ps=1,worker=4 --strategy backup=1", WithBackup},
    {"hybrid", "M", "synchronous groups of M workers, asynchronous to each other",
     "mpirun -n 5 plumb train lenet --cluster ps=1,worker=4 --strategy hybrid=2", Hybrid},
    {"allreduce", "", "no servers: each worker has all variables, and updates them with the mean of all gradients",
     "mpirun -n 4 plumb train lenet --strategy allreduce", AllReduced},
    {"in-graph", "",
     "the first worker's graph has a replica of the model on each worker, and applies the mean of their gradients",
     "mpirun -n 3 plumb train lenet --cluster ps=1,worker=2 --strategy in-graph", InGraph},
    {"model-parallel", "",
     "no servers: the layers of one model lie on the workers, one run after the other; with --shards, which here need "
     "not be a multiple of the workers, the workers are at work on different shards at once",
     "mpirun -n 2 plumb train alexnet --strategy model-parallel --shards 4", ModelParallel},
    {"pipeline", "K", "model-parallel with K steps under way at once, which do not wait for each other's updates",
     "mpirun -n 2 plumb train alexnet --strategy pipeline=3", Pipeline},
};

std::string Spelling(const Row& row) {
  return row.number.empty() ? std::string(row.name) : Str(row.name, "=", row.number);
}

// Behind the '='; 0 where there is none.
int NumberIn(const std::string& text, size_t equals) {
  if (equals == std::string::npos) return 0;
  int number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data() + equals + 1, end, number);
  Require(error == std::errc() && rest == end && number >= 1, "--strategy ", text, ": a number of at least 1 stands ",
          "behind '='");
  return number;
}

const Row& RowOf(const std::string& text) {
  const size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  const Row* const row = std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& r) { return r.name == name; });
  Require(row != std::end(kRows), "there is no --strategy ", text, "; there are: ", StrategyNames());
  Require(row->number.empty() == (equals == std::string::npos), "--strategy ", text, " is written ", Spelling(*row));
  return *row;
}

}  // namespace

Strategy StrategyOf(const std::string& text, int workers, int number) {
  return RowOf(text).make(NumberIn(text, text.find('=')), workers, number);
}

void CheckStrategyName(const std::string& text) {
  RowOf(text);
  NumberIn(text, text.find('='));
}

Strategy WithShards(Strategy strategy, int shards, int workers, int number) {
  const bool is_staged = !strategy.stages.empty() && strategy.under_way == 1;
  const bool waits_for_all = strategy.all_reduce || (strategy.sync && strategy.sync->aggregate == workers) || is_staged;
  Require(
      waits_for_all,
      "--shards wants updates that wait for all workers: --strategy sync-ps, allreduce, in-graph or model-parallel");
  if (is_staged) {
    strategy.all_reduce = AllReduceOptions{.shards = ShardsOf(shards, 1, 0)};
    return strategy;
  }
  Require(shards % workers == 0, "--shards ", shards, " cannot be shared evenly by ", workers,
          " workers: write a number that they divide");
  ShardRange range = strategy.one_client ? ShardsOf(shards, 1, 0) : ShardsOf(shards, workers, number);
  if (strategy.one_client) range.devices = strategy.all_reduce->shards.devices;
  if (strategy.all_reduce) strategy.all_reduce->shards = range;
  if (strategy.sync) strategy.sync->shards = range;
  return strategy;
}

Strategy ShardsAlone(int shards) { return WithShards(AllReduced(0, 1, 0), shards, 1, 0); }

std::string StrategyNames() {
  std::string all;
  for (const Row& row : kRows) all += Str(all.empty() ? "" : ", ", Spelling(row));
  return all;
}

std::string StrategyHelp() {
  std::string help =
      "Under mpirun, --cluster says which ranks are which tasks; without it all are workers.\n"
      "--strategy says how they work together; without it workers of servers (ps) do as async-ps\n"
      "says, and workers alone as allreduce:";
  for (const Row& row : kRows) help += Str("\n\n  ", Spelling(row), ": ", row.meaning, "\n      ", row.example);
  return help;
}

}  // namespace plumb::tools

// The law of kills: a training over ranks of which one dies at any point, and which begins again at its last
// checkpoint, comes to the bits of one that nobody disturbed. Ranks are threads over simulated links, whose delays are
// others each time. PLUMB_KILLS=100 PLUMB_SEED=7 in the environment: how often, and which points.
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <random>

#include "client/initializers.h"
#include "client/optimizers/optimizer.h"
#include "client/program.h"
#include "client/training/all_reduce.h"
#include "client/training/global_step.h"
#include "client/training/saver.h"
#include "mpi/session/cluster_testing.h"
#include "mpi/session/saved_rank.h"
#include "spec/checkpoint/reserved.h"
#include "spec/files/temporary_folder.h"
#include "spec/session/state_paths.h"

namespace plumb {
namespace {

constexpr int kRanks = 3, kSteps = 9, kSaveEvery = 2;
constexpr int64_t kFew = 6, kMany = 9000;  // the second one is no small tensor for a collective op

int Given(const char* name, int otherwise) {
  const char* const value = std::getenv(name);
  return value == nullptr ? otherwise : std::atoi(value);
}

struct Kill {
  int64_t arrivals = 0;
  int rank = 0;
};
// How a run went, from its beginning or its last checkpoint.
struct Life {
  bool is_whole = false;  // it took all steps
  std::vector<Tensor> weights;
  int64_t arrivals = 0;
};

// The mean of what noise makes of the weights, which the rank draws anew in each step.
Output NoisyLoss(Scope& scope, const Variable& weights, int64_t size, int replica) {
  const Output shape = Constant(scope, MakeVector<int32_t>({static_cast<int32_t>(size)}));
  const Output noise =
      scope.Call("RandomUniform", {shape}, {{"dtype", DType::kFloat}, {"seed", int64_t{replica + 1}}, {"seed2", size}});
  const Output noisy = scope.Call("Mul", {weights.value(), noise}) - noise;
  return scope.Call("Mean", {scope.Call("Square", {noisy}), Constant(scope, 0)});
}

Variable NewWeights(Scope& scope, int64_t size, const std::string& name) {
  return MakeVariable(scope, Constant(scope, Zeros(DType::kFloat, Shape({size}))), {.name = name});
}

std::vector<Tensor> AllVariables(Scope& scope, Program& program) {
  std::vector<Output> values;
  for (const Variable& variable : scope.variables()) values.push_back(variable.value());
  return program.Fetch(values);
}

SavedState BesideVariables(SavedState all) {
  std::erase_if(all, [](const auto& each) { return each.first.find("/Variable/") != std::string::npos; });
  return all;
}

void Check(const Status& status) {
  if (!status.ok()) throw Error(status);
}

std::string PrefixOf(const std::string& folder, int64_t step) { return Str(folder, "/m-", step); }

std::string WriteBeside(const std::string& folder, int64_t step, int rank, const SavedState& state) {
  Files().MakeFolders(folder);
  const std::string prefix = PartOfCheckpoint(PrefixOf(folder, step), Str("state-", rank));
  BundleWriter part(Files(), prefix);
  AddReserved(part, Str("rank/", rank, "/"), BesideVariables(state));
  part.Finish();
  return prefix;
}

SavedState ReadBeside(const std::string& folder, int64_t step, int rank) {
  return ReadReserved(Files(), PrefixOf(folder, step), Str("rank/", rank, "/"));
}

// One client: variables on a server, and a share of the gradients from each of two workers.
void TrainInGraph(dist::TestCluster& cluster, const std::string& folder, Life& life) {
  Scope scope;
  std::optional<Variable> few, many, global_step;
  {
    const auto on_server = scope.On("/job:ps/task:0");
    few = NewWeights(scope, kFew, "few");
    many = NewWeights(scope, kMany, "many");
    global_step = MakeGlobalStep(scope);
  }
  std::vector<Output> losses;
  for (int worker = 0; worker < 2; ++worker) {
    const auto on = scope.On(Str("/job:worker/task:", worker));
    losses.push_back(NoisyLoss(scope, *few, kFew, worker) + NoisyLoss(scope, *many, kMany, worker));
  }
  const auto optimizer = Momentum({.learning_rate = 0.5, .momentum = 0.5});
  const NodeId train = optimizer->Minimize(scope, losses[0] + losses[1], &*global_step);
  const NodeId init = InitializeAll(scope);
  Saver saver(scope, SavedByName(scope), {.sharded = true});
  Program program(scope, cluster.Open(1));
  auto& saved = dynamic_cast<SavedSession&>(program.session());
  if (!saver.RestoreLatest(program, folder)) program.Run(init);
  auto step = program.Fetch(*global_step).scalar<int64_t>();
  if (step > 0) Check(saved.Restore(ReadBeside(folder, step, 0)));
  while (step < kSteps) {
    program.Run(train);
    if (++step % kSaveEvery != 0) continue;
    SavedState state;
    Check(saved.Save(&state));
    const std::string part = WriteBeside(folder, step, 0, state);
    saver.Save(program, folder + "/m", {.step = step, .beside = [&] { return std::vector{part}; }});
  }
  life.weights = AllVariables(scope, program);
  life.is_whole = true;
}

// A client on each rank, with variables of its own.
void TrainReplica(dist::TestCluster& cluster, int rank, const std::string& folder, Life& life) {
  Scope scope;
  const Variable few = NewWeights(scope, kFew, "few"), many = NewWeights(scope, kMany, "many");
  const Variable global_step = MakeGlobalStep(scope);
  const auto optimizer = Momentum({.learning_rate = 0.5, .momentum = 0.5});
  AllReduce together(*optimizer, {.replicas = kRanks});
  const Output loss = NoisyLoss(scope, few, kFew, rank) + NoisyLoss(scope, many, kMany, rank);
  const NodeId train = together.Minimize(scope, loss, &global_step);
  const NodeId begin = together.Broadcast(scope, /*sends=*/rank == 0), init = InitializeAll(scope);
  Saver saver(scope, SavedByName(scope), {.sharded = true});
  Program program(scope, cluster.Open(rank));
  auto& saved = dynamic_cast<dist::SavedRank&>(program.session());
  dist::Server& server = cluster.server(rank);
  if (rank == 0 && !saver.RestoreLatest(program, folder)) program.Run(init);
  program.Run(begin);
  auto step = program.Fetch(global_step).scalar<int64_t>();
  if (step > 0) Check(saved.RestoreRank(ReadBeside(folder, step, rank)));
  const auto have_written = [&] {
    std::map<int, std::string> told = server.Told("written");
    for (int other = 1; other < kRanks; ++other) {
      if (told[other] != Str(step)) return !server.run().ok();
    }
    return true;
  };
  const auto parts_of_all = [&] {
    server.attendant().ServeUntil(have_written);
    Check(server.run());
    std::vector<std::string> parts;
    for (int other = 0; other < kRanks; ++other) {
      parts.push_back(PartOfCheckpoint(PrefixOf(folder, step), Str("state-", other)));
    }
    return parts;
  };
  while (step < kSteps) {
    program.Run(train);
    if (++step % kSaveEvery != 0) continue;
    SavedState state;
    Check(saved.SaveRank(&state));
    WriteBeside(folder, step, rank, state);
    if (rank == 0) {
      saver.Save(program, folder + "/m", {.step = step, .beside = parts_of_all});
    } else {
      server.Tell(0, "written", Str(step));
    }
  }
  life.weights = AllVariables(scope, program);
  life.is_whole = true;
}

enum class Strategy { kInGraph, kAllReduce };

// From the last checkpoint in the folder on.
Life Live(Strategy strategy, const std::string& folder, uint64_t seed, const std::optional<Kill>& kill) {
  const bool is_in_graph = strategy == Strategy::kInGraph;
  const auto run = std::make_shared<dist::SimulatedRun>(kRanks, dist::Delayed(seed));
  dist::TestCluster cluster(kRanks, dist::ServerOptions{.cluster = is_in_graph ? "ps=1,worker=2" : ""}, run);
  if (kill) cluster.CrashAfter(kill->arrivals, kill->rank);
  std::vector<Life> lives(kRanks);
  std::vector<std::function<void()>> programs;
  for (int rank = 0; rank < kRanks; ++rank) {
    if (is_in_graph && rank != 1) continue;
    programs.emplace_back([&, rank] {
      try {
        if (is_in_graph) {
          TrainInGraph(cluster, folder, lives[rank]);
        } else {
          TrainReplica(cluster, rank, folder, lives[rank]);
        }
      } catch (const Error& error) {
        EXPECT_EQ(error.status().code(), Code::kUnavailable) << "seed " << seed << ": " << error.what();
      }
    });
  }
  cluster.RunTogether(programs);
  Life life = std::move(lives[1]);
  life.arrivals = run->arrivals();
  for (int rank = 0; !is_in_graph && rank < kRanks; ++rank) {
    if (rank != 1) life.is_whole = life.is_whole && lives[rank].is_whole;
  }
  return life;
}

void CheckKills(Strategy strategy) {
  const int kills = Given("PLUMB_KILLS", 12);
  std::mt19937_64 random(static_cast<uint64_t>(Given("PLUMB_SEED", 1)));
  const TemporaryFolder quiet;
  const Life undisturbed = Live(strategy, quiet.path(), random(), std::nullopt);
  ASSERT_TRUE(undisturbed.is_whole);
  int killed = 0, runs = 0, from_checkpoints = 0;
  for (; killed < kills; ++runs) {
    const TemporaryFolder folder;
    Life life;
    while (!life.is_whole) {
      const auto points = static_cast<uint64_t>(undisturbed.arrivals);
      const Kill kill = {1 + static_cast<int64_t>(random() % points), static_cast<int>(random() % kRanks)};
      life = Live(strategy, folder.path(), random(), random() % 4 == 0 ? std::nullopt : std::optional(kill));
      if (life.is_whole) break;
      ++killed;
      if (LatestCheckpoint(Files(), folder.path())) ++from_checkpoints;
    }
    ASSERT_EQ(life.weights.size(), undisturbed.weights.size());
    for (size_t i = 0; i < life.weights.size(); ++i) {
      ASSERT_TRUE(life.weights[i].BitwiseEquals(undisturbed.weights[i])) << "variable " << i << " in run " << runs;
    }
  }
  EXPECT_GT(from_checkpoints, 0) << "all kills came before the first checkpoint";
  std::printf("%d kills in %d runs, %d of them with a checkpoint to go on from\n", killed, runs, from_checkpoints);
}

TEST(KillLaw, NothingIsLostWhereOneClientTrains) { CheckKills(Strategy::kInGraph); }

TEST(KillLaw, NothingIsLostWhereReplicasReduce) { CheckKills(Strategy::kAllReduce); }

}  // namespace
}  // namespace plumb

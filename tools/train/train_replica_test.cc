// What the launch makes of a training: who is a worker, which strategy is meant, and what no rank can do.
#include "tools/train/train_replica.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <sstream>

#include "spec/core/status_testing.h"

namespace plumb::tools {
namespace {

using ::testing::HasSubstr;

// As mpirun tells a rank where it stands.
class Launched : public ::testing::Test {
 protected:
  ~Launched() override {
    unsetenv("OMPI_COMM_WORLD_SIZE");
    unsetenv("OMPI_COMM_WORLD_RANK");
  }
  static void Started(int ranks, int rank) {
    setenv("OMPI_COMM_WORLD_SIZE", std::to_string(ranks).c_str(), 1);
    setenv("OMPI_COMM_WORLD_RANK", std::to_string(rank).c_str(), 1);
  }
  static Training Settings(const std::string& cluster, const std::string& strategy = "") {
    Training training;
    training.cluster = cluster;
    training.strategy = strategy;
    return training;
  }
};

TEST_F(Launched, RanksWithoutAClusterAreAllWorkersThatReduceTogether) {
  for (int rank = 0; rank < 4; ++rank) {
    Started(4, rank);
    const Training training = AsLaunched(Settings(""));
    EXPECT_EQ(training.cluster, "worker=4");
    EXPECT_EQ(training.strategy, "allreduce");
    const Replica replica = ReplicaOf(training);
    EXPECT_EQ(replica.is_chief, rank == 0) << "one of them initialises and saves";
    EXPECT_EQ(replica.number, rank);
    EXPECT_EQ(replica.clients.size(), 4U);
    ASSERT_TRUE(replica.strategy.all_reduce);
    EXPECT_EQ(replica.strategy.all_reduce->replicas, 4);
  }
}

TEST_F(Launched, AProcessAloneStaysAlone) {
  EXPECT_EQ(AsLaunched(Settings("")).cluster, "");
  Started(1, 0);
  const Training training = AsLaunched(Settings(""));
  EXPECT_EQ(training.cluster, "");
  EXPECT_FALSE(ReplicaOf(training).strategy.all_reduce);
}

TEST_F(Launched, WorkersOfServersUpdateThemWhenReady) {
  Started(3, 1);
  const Training training = AsLaunched(Settings("ps=1,worker=2"));
  EXPECT_EQ(training.strategy, "async-ps");
  EXPECT_EQ(ReplicaOf(training).servers.size(), 1U);
  EXPECT_EQ(AsLaunched(Settings("worker=3")).strategy, "allreduce");
  EXPECT_EQ(AsLaunched(Settings("", "model-parallel")).strategy, "model-parallel") << "who names one has it";
}

// What follows `option` in a line; "" where it is not there.
std::string ValueOf(const std::string& option, const std::string& line) {
  std::istringstream words(line);
  for (std::string word; words >> word;) {
    if (word == option && words >> word) return word;
  }
  return "";
}

TEST_F(Launched, EachStrategyHasAnExampleThatCanBe) {
  std::set<std::string> shown;
  std::istringstream help(StrategyHelp());
  for (std::string line; std::getline(help, line);) {
    if (line.find("mpirun -n") == std::string::npos) continue;
    const int ranks = std::stoi(ValueOf("-n", line));
    const std::string strategy = ValueOf("--strategy", line);
    for (int rank = 0; rank < ranks; ++rank) {
      Started(ranks, rank);
      Training training = Settings(ValueOf("--cluster", line), strategy);
      if (const std::string shards = ValueOf("--shards", line); !shards.empty()) training.shards = std::stoi(shards);
      EXPECT_TRUE(StatusOf([&] { ReplicaOf(AsLaunched(training)); }).ok()) << line;
    }
    shown.insert(strategy.substr(0, strategy.find('=')));
  }
  std::istringstream names(StrategyNames());
  for (std::string name; names >> name;) EXPECT_TRUE(shown.contains(name.substr(0, name.find_first_of("=,")))) << name;
}

TEST_F(Launched, RanksComputeOnCpus) {
  Training training = Settings("");
  training.backend = "reference";
  EXPECT_EQ(AsLaunched(training).backend, "reference") << "in one process any backend will do";
  Started(2, 0);
  const Status refused = StatusOf([&] { AsLaunched(training); });
  EXPECT_EQ(refused.code(), Code::kInvalidArgument);
  EXPECT_THAT(refused.message(), HasSubstr("--backend reference is for training in one process"));
  training.backend = "mpi";
  EXPECT_EQ(AsLaunched(training).cluster, "worker=2");
}

TEST_F(Launched, ValuesTravelByAWireThatThereIs) {
  Training training = Settings("");
  training.wire = "bfloat16";
  EXPECT_THAT(StatusOf([&] { AsLaunched(training); }).message(), HasSubstr("this is one process"));
  Started(2, 0);
  for (const char* wire : {"", "exact", "bfloat16", "bfloat16-rounded"}) {
    training.wire = wire;
    EXPECT_EQ(AsLaunched(training).wire, wire);
  }
  training.wire = "float8";
  EXPECT_THAT(StatusOf([&] { AsLaunched(training); }).message(), HasSubstr("there are: exact, bfloat16"));
}

TEST_F(Launched, WhatTrainsInOneProcessSaysSo) {
  RequireOneProcess("plumb train char-lstm");
  Started(2, 0);
  const Status refused = StatusOf([] { RequireOneProcess("plumb train char-lstm"); });
  EXPECT_EQ(refused.code(), Code::kInvalidArgument);
  EXPECT_THAT(refused.message(), HasSubstr("plumb train char-lstm trains in one process, and mpirun has started 2"));
}

}  // namespace
}  // namespace plumb::tools

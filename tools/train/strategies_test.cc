// What the flag's texts mean, and what is refused.
#include "tools/train/strategies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>

#include "spec/core/status.h"

namespace plumb::tools {
namespace {

using ::testing::HasSubstr;

TEST(Strategies, AsynchronousWorkersUpdateAlone) {
  const Strategy strategy = StrategyOf("async-ps", 3, 0);
  EXPECT_FALSE(strategy.sync.has_value());
  EXPECT_FALSE(strategy.makes_updates);
}

TEST(Strategies, SynchronousWorkersWaitForAll) {
  const Strategy first = StrategyOf("sync-ps", 3, 0), last = StrategyOf("sync-ps", 3, 2);
  ASSERT_TRUE(first.sync && last.sync);
  EXPECT_EQ(first.sync->replicas, 3);
  EXPECT_EQ(first.sync->aggregate, 3);
  EXPECT_EQ(first.sync->group, last.sync->group);
  EXPECT_TRUE(first.makes_updates);
  EXPECT_FALSE(last.makes_updates);
}

TEST(Strategies, BackupWorkersAreToSpare) {
  const Strategy strategy = StrategyOf("backup=2", 5, 1);
  ASSERT_TRUE(strategy.sync);
  EXPECT_EQ(strategy.sync->replicas, 5);
  EXPECT_EQ(strategy.sync->aggregate, 3);
}

TEST(Strategies, GroupsHaveUpdatesOfTheirOwn) {
  for (int worker = 0; worker < 6; ++worker) {
    const Strategy strategy = StrategyOf("hybrid=2", 6, worker);
    ASSERT_TRUE(strategy.sync);
    EXPECT_EQ(strategy.sync->replicas, 2);
    EXPECT_EQ(strategy.sync->aggregate, 2);
    EXPECT_EQ(strategy.makes_updates, worker % 2 == 0);
    EXPECT_EQ(strategy.sync->group == StrategyOf("hybrid=2", 6, 2).sync->group, worker / 2 == 1) << worker;
  }
}

TEST(Strategies, AllWorkersMayReduceTogether) {
  const Strategy strategy = StrategyOf("allreduce", 4, 3);
  ASSERT_TRUE(strategy.all_reduce);
  EXPECT_EQ(strategy.all_reduce->replicas, 4);
  EXPECT_FALSE(strategy.sync.has_value());
  EXPECT_FALSE(StrategyOf("async-ps", 4, 3).all_reduce.has_value());
}

TEST(Strategies, OneGraphMayHaveAReplicaOnEachWorker) {
  const Strategy strategy = StrategyOf("in-graph", 3, 0);
  EXPECT_TRUE(strategy.one_client);
  EXPECT_FALSE(strategy.KeepsVariablesOnWorkers());
  ASSERT_TRUE(strategy.all_reduce);
  EXPECT_EQ(strategy.all_reduce->replicas, 1);
  EXPECT_EQ(strategy.all_reduce->shards.own, 3);
  EXPECT_EQ(strategy.all_reduce->shards.devices[2], "/job:worker/task:2");
  const Strategy cut = WithShards(strategy, 6, 3, 0);
  EXPECT_EQ(cut.all_reduce->shards.own, 6);
  EXPECT_EQ(cut.all_reduce->shards.devices.size(), 3);
}

TEST(Strategies, OneModelMayLieOnAllWorkers) {
  const Strategy strategy = StrategyOf("model-parallel", 3, 1);
  EXPECT_TRUE(strategy.one_client);
  EXPECT_TRUE(strategy.KeepsVariablesOnWorkers());
  EXPECT_EQ(strategy.stages[2], "/job:worker/task:2");
  EXPECT_FALSE(strategy.all_reduce.has_value());
  EXPECT_EQ(WithShards(strategy, 4, 3, 1).all_reduce->shards.own, 4) << "each shard passes all workers";
  const Strategy pipeline = StrategyOf("pipeline=4", 2, 0);
  EXPECT_EQ(pipeline.under_way, 4);
  EXPECT_EQ(pipeline.stages.size(), 2u);
}

TEST(Strategies, WorkersShareShardsEvenly) {
  const Strategy reduced = WithShards(StrategyOf("allreduce", 2, 1), 6, 2, 1);
  EXPECT_EQ(reduced.all_reduce->shards.of, 6);
  EXPECT_EQ(reduced.all_reduce->shards.first, 3);
  EXPECT_EQ(reduced.all_reduce->shards.own, 3);
  EXPECT_EQ(WithShards(StrategyOf("sync-ps", 3, 2), 6, 3, 2).sync->shards.first, 4);
  EXPECT_EQ(ShardsAlone(6).all_reduce->shards.own, 6);
  for (const auto& [strategy, shards, says] :
       {std::tuple("sync-ps", 4, "evenly by 3 workers"),
        std::tuple("async-ps", 3, "sync-ps, allreduce, in-graph or model-parallel"),
        std::tuple("backup=1", 3, "wait for all"), std::tuple("hybrid=1", 3, "wait for all"),
        std::tuple("pipeline=2", 2, "wait for all")}) {
    try {
      WithShards(StrategyOf(strategy, 3, 0), shards, 3, 0);
      ADD_FAILURE() << strategy;
    } catch (const Error& error) {
      EXPECT_EQ(error.status().code(), Code::kInvalidArgument) << strategy;
      EXPECT_THAT(error.status().message(), HasSubstr(says)) << strategy;
    }
  }
}

TEST(Strategies, WhatCannotBeIsRefusedWithWhatToWrite) {
  for (const auto& [text, says] :
       {std::pair("nonsense", "there are: async-ps"), std::pair("backup", "backup=K"),
        std::pair("sync-ps=2", "is written sync-ps"), std::pair("backup=", "a number"),
        std::pair("backup=0", "at least 1"), std::pair("backup=3", "at most 2"), std::pair("hybrid=2", "divides"),
        std::pair("pipeline", "pipeline=K"), std::pair("backup=1x", "a number")}) {
    try {
      StrategyOf(text, 3, 0);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.status().code(), Code::kInvalidArgument) << text;
      EXPECT_THAT(error.status().message(), HasSubstr(says)) << text;
    }
  }
}

TEST(Strategies, HelpNamesEachWithWhatItMeans) {
  for (const char* name : {"async-ps: each", "sync-ps: an", "backup=K: ", "hybrid=M: ", "allreduce: ", "in-graph: ",
                           "model-parallel: ", "pipeline=K: "}) {
    EXPECT_THAT(StrategyHelp(), HasSubstr(name));
  }
}

}  // namespace
}  // namespace plumb::tools

#include "tools/train/train_state.h"

#include <gtest/gtest.h>

#include <thread>

#include "spec/core/status_testing.h"

namespace plumb::tools {
namespace {

// Whoever gathers the parts of a checkpoint waits for the own one too, which another thread writes.
TEST(TrainStates, AreNotGatheredOnceTheReplicaHasGivenUp) {
  Training training;
  training.checkpoint = "nowhere";
  const Replica replica;
  TrainState state(training, replica, /*fills_queues=*/false);
  Status gathered;
  std::thread gathering([&] { gathered = StatusOf([&] { state.Gather(5); }); });
  state.GiveUp(Status(Code::kResourceExhausted, "the disk is full"));
  state.GiveUp(Status(Code::kCancelled, "and so the session was closed"));
  gathering.join();
  EXPECT_EQ(gathered.ToString(), "RESOURCE_EXHAUSTED: the disk is full");
}

}  // namespace
}  // namespace plumb::tools

// For tests of input pipelines: they are read to their end.
#pragma once

#include <string>
#include <vector>

#include "client/input/producers.h"
#include "client/program.h"
#include "client/testing.h"
#include "client/training/queue_runner.h"
#include "client/variable.h"

namespace plumb {

class PipelineTest : public OnEachBackend {
 protected:
  // What each step fetched, until one says that the data is at its end.
  std::vector<std::vector<Tensor>> ReadAll(const std::vector<Output>& fetches) { return ReadAll(scope_, fetches); }
  std::vector<std::vector<Tensor>> ReadAll(Scope& scope, const std::vector<Output>& fetches) {
    const NodeId init = InitializeLocal(scope);
    Program program(scope, OpenSession(GetParam()));
    program.Run(init);
    Coordinator coordinator;
    StartQueueRunners(scope.queue_runners(), program.session(), coordinator);
    std::vector<std::vector<Tensor>> steps;
    for (bool goes_on = true; goes_on;) {
      try {
        steps.push_back(program.Fetch(fetches));
      } catch (const Error& error) {
        EXPECT_EQ(error.status().code(), Code::kOutOfRange) << error.status().ToString();
        goes_on = false;
      }
    }
    coordinator.RequestStop();
    EXPECT_TRUE(coordinator.Join().ok());
    return steps;
  }
  std::vector<std::vector<double>> ReadNumbers(Output fetch) {
    std::vector<std::vector<double>> numbers;
    for (const auto& step : ReadAll({fetch})) numbers.push_back(Numbers(step[0]));
    return numbers;
  }
  // The numbers 0 … n − 1, in order, once.
  Output Counter(int32_t n) {
    return RangeInputProducer(scope_, Int(n), {.num_epochs = 1, .shuffle = false}).Dequeue(scope_)[0];
  }
  Output Bools(std::initializer_list<bool> values) { return Constant(scope_, MakeVector<bool>(values)); }
};

}  // namespace plumb

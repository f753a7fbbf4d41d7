// How long batches wait in a simulated run: by its time (rules BT1, BT3).
#include <gtest/gtest.h>

#include <chrono>

#include "fastpath/testing/test_graph.h"
#include "mpi/session/cluster_testing.h"

namespace plumb::dist {
namespace {

constexpr int64_t kSecond = 1'000'000;  // microseconds

// Rows that meet those of others on the server, for 200 s; and a part of a batch that is waited for there, for 100 s.
GraphDef Batches() {
  const std::string server = "/job:ps/task:0";
  fast::TestGraph graph;
  graph.Placeholder("rows", DType::kFloat);
  graph.Add("batch", "Batch", {"rows"},
            {{"num_batch_threads", int64_t{1}},
             {"max_batch_size", int64_t{10}},
             {"batch_timeout_micros", 200 * kSecond},
             {"grad_timeout_micros", int64_t{1}},
             {"shared_name", std::string("rows")},
             {"T", std::vector<DType>{DType::kFloat}}},
            server);
  graph.Const("none", Tensor(DType::kFloat, {0}));
  graph.Const("no_index", Tensor(DType::kInt64, {0, 3}));
  graph.Const("seven", MakeScalar<int64_t>(7));
  graph.Add("part", "Unbatch", {"none", "no_index", "seven"},
            {{"timeout_micros", 100 * kSecond}, {"T", DType::kFloat}, {"shared_name", std::string("parts")}}, server);
  return graph.def();
}

class BatchesInTime : public ::testing::TestWithParam<int> {
 protected:
  // The status of a step that fetches this, and its output.
  Status Fetch(int rank, const std::string& name, const std::vector<Feed>& feeds, std::vector<Tensor>* outputs) {
    const auto session = cluster_.Open(rank);
    EXPECT_EQ(session->Extend(Batches()).ToString(), "OK");
    return session->Run({.timeout_ms = 1'000'000}, feeds, std::vector<std::string>{name}, {}, outputs, nullptr);
  }

  const std::shared_ptr<SimulatedRun> run_ = std::make_shared<SimulatedRun>(3, Delayed(GetParam()));
  TestCluster cluster_{3, ServerOptions{.cluster = "ps=1,worker=2"}, run_};
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

TEST_P(BatchesInTime, ABatchIsFullOrItsTimeIsOver) {
  int64_t rows = 0;
  std::vector<std::function<void()>> workers;
  for (int worker = 1; worker <= 2; ++worker) {
    workers.emplace_back([this, &rows, worker] {
      std::vector<Tensor> outputs;
      const std::vector<Feed> feeds = {{"rows", Tensor(DType::kFloat, {worker, 2})}};
      ASSERT_EQ(Fetch(worker, "batch:0", feeds, &outputs).ToString(), "OK");
      if (outputs[0].dim(0) > 0) rows = outputs[0].dim(0);
    });
  }
  cluster_.RunTogether(workers);
  EXPECT_EQ(rows, 3) << "the last who came has the rows of both";
  EXPECT_GE(run_->now(), 200);
  EXPECT_LT(run_->now(), 201);
  EXPECT_LT(std::chrono::steady_clock::now() - began_, std::chrono::seconds(100));
}

TEST_P(BatchesInTime, APartIsWaitedForUntilItsTimeIsOver) {
  cluster_.RunTogether({[this] {
    std::vector<Tensor> outputs;
    EXPECT_EQ(Fetch(1, "part:0", {}, &outputs).code(), Code::kDeadlineExceeded);
  }});
  EXPECT_GE(run_->now(), 100);
  EXPECT_LT(run_->now(), 101);
  EXPECT_LT(std::chrono::steady_clock::now() - began_, std::chrono::seconds(50));
}

INSTANTIATE_TEST_SUITE_P(Seeds, BatchesInTime, ::testing::Values(1, 2, 3));

}  // namespace
}  // namespace plumb::dist

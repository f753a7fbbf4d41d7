// What a rank is told to sleep, and what one process alone writes of its steps.
#include "tools/train/train_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "backends/backends.h"
#include "client/ops.h"
#include "client/program.h"
#include "spec/core/status_testing.h"
#include "spec/files/file.h"
#include "spec/files/file_system.h"
#include "spec/files/temporary_folder.h"

namespace plumb::tools {
namespace {

using ::testing::HasSubstr;

TEST(Stragglers, AreGivenByWorkerAndTime) {
  Replica replica;
  replica.clients = {1, 2, 3};
  replica.number = 2;
  const auto straggling = [&](const std::string& text) {
    Training training;
    training.straggler = text;
    return StragglingOf(training, replica);
  };
  EXPECT_EQ(straggling("").count(), 0);
  EXPECT_EQ(straggling("2:50").count(), 50);
  EXPECT_EQ(straggling("1:50").count(), 0) << "another worker";
  for (const char* text : {"2", "2:", ":50", "a:50", "2:b", "2:50x", "-1:50", "2:-50"}) {
    EXPECT_THAT(StatusOf([&] { straggling(text); }).message(), HasSubstr("is written W:MS")) << text;
  }
  EXPECT_THAT(StatusOf([&] { straggling("3:50"); }).message(), HasSubstr("there are workers 0 to 2"));
}

TEST(Watches, WriteATraceOfOneProcess) {
  const TemporaryFolder folder;
  Training training;
  training.trace = folder.path() + "/trace.json";
  const Replica replica;
  Scope scope;
  const Output product = ops::MatMul(scope, Constant(scope, Tensor(DType::kFloat, Shape({2, 2}))),
                                     ops::Placeholder(scope, DType::kFloat, {.shape = PartialShape({2, 2})}));
  Program program(scope, OpenSession("cpu"));
  TrainingWatch watch(training, replica);
  const std::string place = scope.NameOf(scope.builder().graph().node(product.endpoint.node).inputs[1].node);
  const std::vector<Feed> feeds = {{place, Tensor(DType::kFloat, Shape({2, 2}))}};
  std::vector<Tensor> outputs;
  ASSERT_EQ(program.session().Extend(scope.ToGraphDef()).ToString(), "OK");
  for (int step = 0; step < 10; ++step) {
    ASSERT_EQ(watch.Run(program.session(), feeds, {product.name()}, &outputs).ToString(), "OK");
  }
  testing::internal::CaptureStdout();
  watch.Finish();
  EXPECT_THAT(testing::internal::GetCapturedStdout(), HasSubstr("Trace: " + training.trace));
  EXPECT_TRUE(watch.Paces().empty()) << "nobody else is there to wait for";
  const auto trace = nlohmann::json::parse(ReadFile(training.trace));
  std::multiset<std::string> names;
  for (const auto& event : trace["traceEvents"]) {
    if (event["ph"] == "X") names.insert(event["name"]);
  }
  EXPECT_EQ(names.count("step"), 3u);
  EXPECT_EQ(names.count("MatMul"), 3u);
}

TEST(Watches, WriteOutEventsWithEachCheckpoint) {
  const TemporaryFolder folder;
  Training training;
  training.events = folder.path() + "/events";
  Replica replica;
  replica.is_chief = true;
  TrainingWatch watch(training, replica);
  Progress progress(stderr, 10, 1);
  const std::string path = training.events + "/" + Files().List(training.events).at(0);
  const size_t empty = ReadFile(path).size();
  watch.Tell(progress, 9, 10, 0.5F);
  EXPECT_EQ(ReadFile(path).size(), empty);
  watch.Saved();
  EXPECT_GT(ReadFile(path).size(), empty);
}

}  // namespace
}  // namespace plumb::tools

// Queues that threads fill, on both backends.
#include "client/training/queue_runner.h"

#include <algorithm>

#include "client/testing.h"

namespace plumb {
namespace {

using ::testing::HasSubstr;

// A queue of two places; "put" adds what "next" gives, "take" removes one.
class QueueRunners : public ::testing::TestWithParam<std::string_view> {
 protected:
  // `numbers`: how many there are before the source ends.
  void Build(int numbers) {
    const AttrMap types = {{"component_types", std::vector<DType>{DType::kInt32}}};
    Scope scope;
    const Output queue = scope.Call("FIFOQueueV2", {}, WithCapacity(types, 2), "queue");
    const Output variable =
        scope.Call("VariableV2", {}, {{"dtype", DType::kInt32}, {"shape", PartialShape(Shape())}}, "v");
    scope.Call("Assign", {variable, Constant(scope, int32_t{0})}, {}, "init");
    const Output next = scope.Call("CountUpTo", {variable}, {{"limit", int64_t{numbers}}}, "next");
    scope.Add("QueueEnqueueV2", {queue, next}, {}, "put");
    scope.Call("QueueDequeueV2", {queue}, types, "take");
    scope.Add("QueueCloseV2", {queue}, {}, "close");
    scope.Add("QueueCloseV2", {queue}, {{"cancel_pending_enqueues", true}}, "cancel");
    session_ = OpenSession(GetParam());
    ASSERT_TRUE(session_->Extend(scope.ToGraphDef()).ok());
    std::vector<Tensor> outputs;
    const std::string init = "init";
    ASSERT_TRUE(session_->Run({}, {}, {&init, 1}, &outputs).ok());
  }
  Status Take(int32_t* number) {
    const std::string take = "take";
    std::vector<Tensor> outputs;
    const Status status = session_->Run({}, {&take, 1}, {}, &outputs);
    if (status.ok()) *number = outputs.at(0).scalar<int32_t>();
    return status;
  }

  const QueueRunnerNodes nodes_ = {"queue", {"put", "put"}, "close", "cancel", {Code::kOutOfRange}};
  std::unique_ptr<Session> session_;

 private:
  static AttrMap WithCapacity(AttrMap attrs, int64_t capacity) {
    attrs["capacity"] = capacity;
    return attrs;
  }
};

TEST_P(QueueRunners, CloseTheQueueWhenAllThreadsHaveReachedTheEnd) {
  Build(20);
  Coordinator coordinator;
  StartQueueRunner(nodes_, *session_, coordinator);
  std::vector<int32_t> taken;
  int32_t number = 0;
  Status status = Take(&number);
  for (; status.ok(); status = Take(&number)) taken.push_back(number);
  EXPECT_EQ(status.code(), Code::kOutOfRange);
  std::sort(taken.begin(), taken.end());
  ASSERT_EQ(taken.size(), 20U);
  for (int32_t i = 0; i < 20; ++i) EXPECT_EQ(taken[static_cast<size_t>(i)], i);
  EXPECT_FALSE(coordinator.should_stop());
  coordinator.RequestStop(status);
  EXPECT_TRUE(coordinator.Join().ok()) << "the end of the data is no failure";
}

TEST_P(QueueRunners, AStopWakesAnEnqueueThatWaitsForAPlace) {
  Build(1000000);
  Coordinator coordinator;
  StartQueueRunner(nodes_, *session_, coordinator);
  int32_t number = -1;
  ASSERT_TRUE(Take(&number).ok());
  coordinator.RequestStop();
  EXPECT_TRUE(coordinator.Join().ok());
}

TEST_P(QueueRunners, AnyOtherFailureStopsAll) {
  Build(20);
  QueueRunnerNodes wrong = nodes_;
  wrong.enqueue[1] = "nothing";
  Coordinator coordinator;
  StartQueueRunner(wrong, *session_, coordinator);
  const Status status = coordinator.Join();
  EXPECT_EQ(status.code(), Code::kNotFound);
  EXPECT_THAT(status.message(), HasSubstr("nothing"));
}

INSTANTIATE_TEST_SUITE_P(Backends, QueueRunners, ::testing::Values("reference", "cpu"));

TEST(Coordinators, KeepTheFirstReason) {
  Coordinator coordinator;
  int woken = 0;
  coordinator.OnStop([&] { ++woken; });
  coordinator.Start([&] { coordinator.WaitForStop(); });
  EXPECT_FALSE(coordinator.should_stop());
  coordinator.RequestStop(Status(Code::kAborted, "first"));
  coordinator.RequestStop(Status(Code::kInternal, "second"));
  coordinator.OnStop([&] { ++woken; });
  EXPECT_EQ(woken, 2);
  EXPECT_EQ(coordinator.Join().code(), Code::kAborted);
}

}  // namespace
}  // namespace plumb

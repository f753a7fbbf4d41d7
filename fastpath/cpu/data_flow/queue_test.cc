// Queues between steps of one session: who waits, who is answered, what a stop and a reset leave (rules Q1–Q32).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <future>
#include <thread>

#include "fastpath/testing/test_graph.h"

namespace plumb::fast {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::vector<DType> kFloats = {DType::kFloat};

// A queue "q" of scalars, and the ops on it by name.
class QueueGraph : public TestGraph {
 public:
  explicit QueueGraph(int capacity) {
    Add("q", "FIFOQueueV2", {},
        {{"component_types", kFloats},
         {"shapes", std::vector<PartialShape>{PartialShape(Shape())}},
         {"capacity", capacity}});
    Placeholder("value", DType::kFloat);
    Placeholder("n", DType::kInt32);
    Add("put", "QueueEnqueueV2", {"q", "value"}, {{"Tcomponents", kFloats}});
    Add("put_many", "QueueEnqueueManyV2", {"q", "value"}, {{"Tcomponents", kFloats}});
    Add("take", "QueueDequeueV2", {"q"}, {{"component_types", kFloats}});
    Add("take_many", "QueueDequeueManyV2", {"q", "n"}, {{"component_types", kFloats}});
    Add("take_up_to", "QueueDequeueUpToV2", {"q", "n"}, {{"component_types", kFloats}});
    Add("close", "QueueCloseV2", {"q"});
    Add("cancel", "QueueCloseV2", {"q"}, {{"cancel_pending_enqueues", true}});
    Add("size", "QueueSizeV2", {"q"});
    Add("is_closed", "QueueIsClosedV2", {"q"});
  }
};

struct Answer {
  Status status;
  std::vector<float> values;
  Code code() const { return status.code(); }
};

// Steps on one queue, each on a thread of its own if it is to wait.
class Steps {
 public:
  explicit Steps(int capacity, int threads = 2) : Steps(QueueGraph(capacity), threads) {}
  explicit Steps(const TestGraph& graph, int threads = 2) : session_(NewFastSession({.threads = threads})) {
    EXPECT_TRUE(session_->Extend(graph.def()).ok());
  }

  Answer Run(const std::vector<Feed>& feeds, const std::string& op, int64_t timeout_ms = 60'000) {
    const bool fetches = op.starts_with("take");
    const std::vector<std::string> fetched = {op + ":0"}, targets = {op}, none;
    std::vector<Tensor> outputs;
    RunOptions options;
    options.timeout_ms = timeout_ms;
    Answer answer;
    answer.status =
        session_->Run(options, feeds, fetches ? fetched : none, fetches ? none : targets, &outputs, nullptr);
    for (const Tensor& output : outputs) {
      for (const float value : output.data<float>()) answer.values.push_back(value);
    }
    return answer;
  }
  Answer Put(float value) { return Run({{"value", MakeScalar(value)}}, "put"); }
  Answer PutMany(std::initializer_list<float> values) {
    return Run({{"value", MakeVector<float>(values)}}, "put_many");
  }
  Answer Take() { return Run({}, "take"); }
  Answer TakeMany(int n) { return Run({{"n", MakeScalar(n)}}, "take_many"); }
  Answer TakeUpTo(int n) { return Run({{"n", MakeScalar(n)}}, "take_up_to"); }
  int32_t size() {
    std::vector<Tensor> outputs;
    const std::vector<std::string> fetches = {"size"};
    EXPECT_TRUE(session_->Run({}, fetches, {}, &outputs).ok());
    return outputs.at(0).scalar<int32_t>();
  }
  Session& session() { return *session_; }

 private:
  std::unique_ptr<Session> session_;
};

template <class Body>
std::future<Answer> Later(const Body& body) {
  return std::async(std::launch::async, body);
}
// Long enough for a step to come as far as it can.
void Wait() { std::this_thread::sleep_for(std::chrono::milliseconds(100)); }

TEST(Queue, GivesOutInTheOrderOfPuttingIn) {  // Q1, Q6, Q21
  Steps steps(10);
  for (const float value : {1.F, 2.F}) EXPECT_EQ(steps.Put(value).code(), Code::kOk);
  EXPECT_EQ(steps.PutMany({3, 4, 5}).code(), Code::kOk);
  EXPECT_EQ(steps.size(), 5);
  EXPECT_THAT(steps.Take().values, ElementsAre(1));
  EXPECT_THAT(steps.TakeMany(3).values, ElementsAre(2, 3, 4));
  EXPECT_EQ(steps.TakeMany(-1).code(), Code::kInvalidArgument);
  EXPECT_THAT(steps.TakeMany(0).values, IsEmpty());
  EXPECT_THAT(steps.Take().values, ElementsAre(5));
}

TEST(Queue, AStepThatWaitsIsServedByAnother) {  // Q10, Q20
  for (const int threads : {1, 2}) {
    Steps steps(1, threads);
    auto taken = Later([&] { return steps.Take(); });
    Wait();
    EXPECT_EQ(steps.Put(7).code(), Code::kOk);
    EXPECT_THAT(taken.get().values, ElementsAre(7));
    EXPECT_EQ(steps.Put(1).code(), Code::kOk);
    auto put = Later([&] { return steps.Put(2); });
    Wait();
    EXPECT_EQ(steps.size(), 1);
    EXPECT_THAT(steps.Take().values, ElementsAre(1));
    EXPECT_EQ(put.get().code(), Code::kOk);
    EXPECT_THAT(steps.Take().values, ElementsAre(2));
  }
}

TEST(Queue, MoreMayGoThroughThanItHolds) {  // Q11, Q21
  Steps steps(2);
  auto put = Later([&] { return steps.PutMany({1, 2, 3, 4, 5}); });
  EXPECT_THAT(steps.TakeMany(4).values, ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(put.get().code(), Code::kOk);
  EXPECT_THAT(steps.Take().values, ElementsAre(5));
}

TEST(Queue, AClosedQueueGivesWhatIsLeft) {  // Q10, Q20, Q22, Q23
  Steps steps(10);
  steps.PutMany({1, 2, 3});
  EXPECT_EQ(steps.Run({}, "close").code(), Code::kOk);
  EXPECT_EQ(steps.Run({}, "close").code(), Code::kCancelled);
  EXPECT_EQ(steps.Put(1).code(), Code::kCancelled);
  EXPECT_EQ(steps.PutMany({}).code(), Code::kOk);
  EXPECT_EQ(steps.TakeMany(5).code(), Code::kOutOfRange);
  EXPECT_THAT(steps.TakeMany(2).values, ElementsAre(1, 2));
  EXPECT_THAT(steps.TakeUpTo(5).values, ElementsAre(3));
  EXPECT_EQ(steps.TakeUpTo(5).code(), Code::kOutOfRange);
  EXPECT_EQ(steps.Take().code(), Code::kOutOfRange);
  EXPECT_EQ(steps.TakeMany(0).code(), Code::kOk);
}

TEST(Queue, WhoWaitsLearnsThatItIsClosed) {  // Q22, Q23
  Steps steps(10);
  auto many = Later([&] { return steps.TakeMany(5); });
  Wait();
  auto up_to = Later([&] { return steps.TakeUpTo(5); });
  Wait();
  steps.PutMany({1, 2, 3});
  while (steps.size() > 0) std::this_thread::yield();  // one of them holds the elements
  steps.Run({}, "close");
  EXPECT_EQ(many.get().code(), Code::kOutOfRange);
  EXPECT_THAT(up_to.get().values, ElementsAre(1, 2, 3));
}

TEST(Queue, CloseWaitsForThoseBeforeItOrFailsThem) {  // Q12, Q30, Q31
  for (const bool at_once : {false, true}) {
    Steps steps(1);
    steps.Put(1);
    auto put = Later([&] { return steps.Put(2); });
    Wait();
    auto close = Later([&] { return steps.Run({}, "close"); });
    Wait();
    if (at_once) {
      EXPECT_EQ(steps.Run({}, "cancel").code(), Code::kOk);
    }
    EXPECT_THAT(steps.Take().values, ElementsAre(1));
    EXPECT_EQ(put.get().code(), at_once ? Code::kCancelled : Code::kOk);
    EXPECT_EQ(close.get().code(), at_once ? Code::kCancelled : Code::kOk);
    EXPECT_EQ(steps.Put(3).code(), Code::kCancelled);
    EXPECT_EQ(steps.Take().code(), at_once ? Code::kOutOfRange : Code::kOk);
  }
}

TEST(Queue, AStepThatIsLateSaysWhatItWaitedFor) {  // S4, Q7
  Steps steps(1);
  const Answer late = steps.Run({}, "take", 30);
  EXPECT_EQ(late.code(), Code::kDeadlineExceeded);
  EXPECT_THAT(late.status.message(),
              HasSubstr("'take' (QueueDequeueV2) waits for queue 'q': 1 element wanted, 0 there"));
  steps.Put(1);
  const Answer full = steps.Run({{"value", MakeScalar(2.F)}}, "put", 30);
  EXPECT_THAT(full.status.message(), HasSubstr("'put' (QueueEnqueueV2) waits for queue 'q': room, it holds 1 of 1"));
  EXPECT_THAT(steps.Take().values, ElementsAre(1));
  EXPECT_EQ(steps.size(), 0);  // the one that was late put nothing in
}

TEST(Queue, ALateStepLosesWhatItHeldAndHoldsUpNobody) {  // Q11, Q24
  Steps steps(3);
  auto late = Later([&] { return steps.Run({{"n", MakeScalar(5)}}, "take_many", 400); });
  Wait();
  steps.PutMany({1, 2});
  auto behind = Later([&] { return steps.Take(); });
  const Answer told = late.get();
  EXPECT_EQ(told.code(), Code::kDeadlineExceeded);
  EXPECT_THAT(told.status.message(), HasSubstr("5 elements wanted, 2 there"));  // as things were by then
  const Answer cut = steps.Run({{"value", MakeVector<float>({3, 4, 5, 6, 7})}}, "put_many", 200);
  EXPECT_EQ(cut.code(), Code::kDeadlineExceeded);
  EXPECT_THAT(behind.get().values, ElementsAre(3));
  EXPECT_THAT(steps.TakeMany(3).values, ElementsAre(4, 5, 6));
}

TEST(Queue, WhoGivesUpLeavesTheOthersInTheirOrder) {  // Q1, Q7
  Steps steps(1);
  steps.Put(0);
  auto late = Later([&] { return steps.Run({{"value", MakeScalar(9.F)}}, "put", 1500); });
  std::vector<std::future<Answer>> puts;
  for (const float value : {1.F, 2.F, 3.F}) {
    Wait();
    puts.push_back(Later([&steps, value] { return steps.Put(value); }));
  }
  EXPECT_EQ(late.get().code(), Code::kDeadlineExceeded);
  for (const float value : {0.F, 1.F, 2.F, 3.F}) EXPECT_THAT(steps.Take().values, ElementsAre(value));
  auto late_taker = Later([&] { return steps.Run({}, "take", 1500); });
  std::vector<std::future<Answer>> takes;
  for (int i = 0; i < 3; ++i) {
    Wait();
    takes.push_back(Later([&] { return steps.Take(); }));
  }
  EXPECT_EQ(late_taker.get().code(), Code::kDeadlineExceeded);
  for (const float value : {1.F, 2.F, 3.F}) steps.Put(value);
  for (size_t i = 0; i < takes.size(); ++i) EXPECT_THAT(takes[i].get().values, ElementsAre(static_cast<float>(i + 1)));
}

TEST(Queue, WhoGivesUpLetsThoseBehindGoOn) {  // Q7, Q30
  Steps steps(1);
  steps.Put(1);
  auto late = Later([&] { return steps.Run({{"value", MakeScalar(2.F)}}, "put", 400); });
  Wait();
  auto close = Later([&] { return steps.Run({}, "close", 5000); });
  EXPECT_EQ(late.get().code(), Code::kDeadlineExceeded);
  EXPECT_EQ(close.get().code(), Code::kOk);
}

TEST(Queue, AClosedSessionLetsNobodyWait) {  // S2
  Steps steps(1);
  auto taken = Later([&] { return steps.Take(); });
  Wait();
  EXPECT_TRUE(steps.session().Close().ok());
  EXPECT_EQ(taken.get().code(), Code::kCancelled);
}

TEST(Queue, AResetLeavesNobodyWaiting) {  // R5, R7
  Steps steps(1);
  auto taken = Later([&] { return steps.Take(); });
  Wait();
  EXPECT_TRUE(steps.session().Reset({}).ok());
  EXPECT_EQ(taken.get().code(), Code::kNotFound);
  EXPECT_EQ(steps.Put(1).code(), Code::kOk);
  EXPECT_THAT(steps.Take().values, ElementsAre(1));
}

// Many threads, a small queue: every element comes out once, and those of one producer in their order.
TEST(Queue, LosesNothingBetweenThreads) {
  constexpr int kProducers = 3, kConsumers = 3, kEach = 200;
  Steps steps(2);
  std::vector<std::vector<float>> taken(kConsumers);
  std::vector<std::thread> clients;
  for (int p = 0; p < kProducers; ++p) {
    clients.emplace_back([&, p] {
      for (int i = 0; i < kEach; ++i) EXPECT_EQ(steps.Put(static_cast<float>(p * kEach + i)).code(), Code::kOk);
    });
  }
  for (int c = 0; c < kConsumers; ++c) {
    clients.emplace_back([&, c] {
      for (int i = 0; i < kEach; ++i) {
        for (const float value : steps.Take().values) taken[c].push_back(value);
      }
    });
  }
  for (std::thread& client : clients) client.join();
  std::vector<float> all;
  for (const std::vector<float>& of_one : taken) {
    for (int p = 0; p < kProducers; ++p) {
      std::vector<float> from_p;
      std::copy_if(of_one.begin(), of_one.end(), std::back_inserter(from_p),
                   [&](float value) { return static_cast<int>(value) / kEach == p; });
      EXPECT_TRUE(std::is_sorted(from_p.begin(), from_p.end()));
    }
    all.insert(all.end(), of_one.begin(), of_one.end());
  }
  std::sort(all.begin(), all.end());
  ASSERT_EQ(all.size(), static_cast<size_t>(kProducers * kEach));
  for (size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i], static_cast<float>(i));
}

// Stops, answers and a queue that empties and fills, all at once: each step ends.
TEST(Queue, EndsEveryStepWhateverRaces) {
  Steps steps(1);
  std::vector<std::thread> clients;
  for (int c = 0; c < 4; ++c) {
    clients.emplace_back([&, c] {
      for (int i = 0; i < 100; ++i) {
        const Answer answer = c % 2 == 0 ? steps.Run({{"value", MakeVector<float>({1, 2, 3})}}, "put_many", 1 + i % 3)
                                         : steps.Run({{"n", MakeScalar(2)}}, "take_many", 1 + i % 3);
        EXPECT_TRUE(answer.status.ok() || answer.code() == Code::kDeadlineExceeded) << answer.status.ToString();
      }
    });
  }
  for (std::thread& client : clients) client.join();
}

TEST(Queue, TheOldFormNamesItByReference) {  // Q5
  TestGraph graph;
  graph.Float("one", 1);
  graph.Add("q", "FIFOQueue", {}, {{"component_types", kFloats}});
  graph.Add("put", "QueueEnqueue", {"q", "one"}, {{"Tcomponents", kFloats}});
  graph.Add("take", "QueueDequeue", {"q", "^put"}, {{"component_types", kFloats}});
  EXPECT_EQ(TestSession(graph).Scalar<float>({}, "take"), 1);
}

TEST(Queue, IsSharedByNameAndChecked) {  // R4, Q9
  const auto shared = [](AttrMap another) {
    const AttrMap attrs = {{"component_types", kFloats}, {"capacity", 3}, {"shared_name", "shared"}};
    another.insert(attrs.begin(), attrs.end());
    TestGraph graph;
    graph.Float("one", 1);
    graph.Add("q", "FIFOQueueV2", {}, attrs);
    graph.Add("p", "FIFOQueueV2", {"^q"}, another);
    graph.Add("put", "QueueEnqueueV2", {"q", "one", "^p"}, {{"Tcomponents", kFloats}});
    graph.Add("size", "QueueSizeV2", {"p", "^put"});
    return graph;
  };
  EXPECT_EQ(TestSession(shared({})).Scalar<int32_t>({}, "size"), 1);
  EXPECT_EQ(TestSession(shared({{"shared_name", ""}})).Scalar<int32_t>({}, "size"), 0);
  EXPECT_EQ(TestSession(shared({{"container", "other"}})).Scalar<int32_t>({}, "size"), 0);
  EXPECT_EQ(TestSession(shared({{"capacity", 4}})).Try({}, {"size"}), Code::kInvalidArgument);
  EXPECT_EQ(TestSession(shared({{"component_types", std::vector<DType>{DType::kInt32}}})).Try({}, {"size"}),
            Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast

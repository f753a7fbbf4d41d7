// Laws of calls whose bodies wait, deep in calls of functions that call themselves (clauses E2, S4, FN9): they say what
// they wait for, hold no thread, and hear of the end of their step.
#include <thread>

#include "backends/backends_testing.h"
#include "backends/functions_testing.h"

namespace plumb {
namespace {

using testing::HasSubstr;

constexpr DType kResource = DType::kResource;

class FunctionWaits : public testing::TestWithParam<std::string_view> {};
INSTANTIATE_TEST_SUITE_P(All, FunctionWaits, testing::ValuesIn(BackendNames().begin(), BackendNames().end()),
                         [](const auto& info) { return TestNameOf(info.param); });

AttrMap CallAttrs() { return {{"Tin", std::vector{kResource, kResource, kFloat}}, {"Tout", std::vector{kFloat}}}; }
NodeDef CallOfDown(const std::string& name, std::vector<std::string> inputs) {
  AttrMap attrs = CallAttrs();
  attrs["f"] = Ref("Down");
  return MakeNode(name, "StatefulPartitionedCall", std::move(inputs), std::move(attrs));
}

// n calls in each other, then an element of `q`, to which each call adds one. `arrived` gets n before that.
std::vector<FunctionDef> Down() {
  AttrMap choice = CallAttrs();
  choice["Tcond"] = DType::kBool;
  choice["then_branch"] = Ref("Deeper");
  choice["else_branch"] = Ref("Take");
  const AttrMap of_queue = {{"component_types", std::vector{kFloat}}};
  return {MakeFunction("Down(q: resource, arrived: resource, n: float32) -> (y: float32) stateful", "",
                       {Float("zero", 0), Binary("more", "Greater", "n", "zero:output:0"),
                        MakeNode("choice", "If", {"more:z:0", "q", "arrived", "n"}, choice)},
                       {{"y", "choice:output:0"}}),
          MakeFunction(
              "Deeper(q: resource, arrived: resource, n: float32) -> (y: float32) stateful", "",
              {Float("one", 1), Binary("less", "Sub", "n", "one:output:0"),
               CallOfDown("rest", {"q", "arrived", "less:z:0"}), Binary("sum", "Add", "rest:output:0", "one:output:0")},
              {{"y", "sum:z:0"}}),
          MakeFunction("Take(q: resource, arrived: resource, n: float32) -> (y: float32) stateful", "",
                       {MakeNode("arrive", "QueueEnqueueV2", {"arrived", "n"}, {{"Tcomponents", std::vector{kFloat}}}),
                        MakeNode("take", "QueueDequeueV2", {"q", "^arrive"}, of_queue)},
                       {{"y", "take:components:0"}}),
          // Goes down from n, then from what came of it, as long as that is less than 20.
          MakeFunction(
              "Turn(q: resource, arrived: resource, n: float32) -> (p: resource, to: resource, y: float32) stateful",
              "", {CallOfDown("down", {"q", "arrived", "n"})}, {{"p", "q"}, {"to", "arrived"}, {"y", "down:output:0"}}),
          MakeFunction("IsLow(q: resource, arrived: resource, n: float32) -> (low: bool)", "",
                       {Float("twenty", 20), Binary("low", "Less", "n", "twenty:output:0")}, {{"low", "low:z:0"}})};
}

NodeDef Queue(const std::string& name) {
  return MakeNode(name, "FIFOQueueV2", {},
                  {{"component_types", std::vector{kFloat}},
                   {"shapes", std::vector{PartialShape(Shape())}},
                   {"shared_name", name}});
}

GraphDef Waits() {
  return MakeGraph(
      {Queue("q"), Queue("arrived"), MakeNode("n", "Placeholder", {}, {{"dtype", kFloat}}),
       CallOfDown("call", {"q", "arrived", "n"}),
       MakeNode("loop", "While", {"q", "arrived", "n"},
                {{"T", std::vector{kResource, kResource, kFloat}}, {"cond", Ref("IsLow")}, {"body", Ref("Turn")}}),
       MakeNode("many", "Placeholder", {}, {{"dtype", kFloat}}),
       MakeNode("feed", "QueueEnqueueManyV2", {"q", "many"}, {{"Tcomponents", std::vector{kFloat}}}),
       MakeNode("size", "QueueSizeV2", {"arrived"})},
      Down());
}

std::unique_ptr<Session> Open(std::string_view backend, int threads) {
  auto session = OpenSession(backend, {.threads = threads});
  const Status status = session->Extend(Waits());
  EXPECT_TRUE(status.ok()) << status.ToString();
  return session;
}

Status Call(Session& session, float n, float* y, int64_t timeout_ms = 0, const std::string& fetch = "call") {
  std::vector<Tensor> outputs;
  const RunOptions options = {.timeout_ms = timeout_ms};
  const std::vector<Feed> feeds = {{"n", MakeScalar(n)}};
  const Status status = session.Run(options, feeds, {{fetch}}, {}, &outputs, nullptr);
  if (status.ok()) *y = outputs.at(0).scalar<float>();
  return status;
}

void AwaitArrivals(Session& session, int32_t count) {
  std::vector<Tensor> size;
  do {
    std::this_thread::yield();
    const Status status = session.Run({}, {{"size"}}, {}, &size);
    ASSERT_TRUE(status.ok()) << status.ToString();
  } while (size.at(0).scalar<int32_t>() < count);
}

void FeedElements(Session& session, int count) {
  const std::vector<float> elements(count, 10);
  const std::vector<Feed> feeds = {{"many", MakeTensor<float>({count}, std::span<const float>(elements))}};
  std::vector<Tensor> none;
  const Status status = session.Run(feeds, {}, {{"feed"}}, &none);
  ASSERT_TRUE(status.ok()) << status.ToString();
}

// Fails late enough to have come to the dequeue, on a busy machine too.
Status LateCall(Session& session, float n, const std::string& fetch) {
  Status status;
  float y = 0;
  for (int64_t timeout_ms = 100; timeout_ms < 60'000; timeout_ms *= 2) {
    status = Call(session, n, &y, timeout_ms, fetch);
    if (status.message().find("take' (QueueDequeueV2) waits for") != std::string_view::npos) break;
  }
  return status;
}

// S4. More than a hundred calls are several that are compiled in each other.
TEST_P(FunctionWaits, AreInTheMessageOfTheDeadline) {
  for (const int n : {0, 1, 5, 110}) {
    const auto session = Open(GetParam(), 2);
    const Status late = LateCall(*session, n, "call");
    EXPECT_EQ(late.code(), Code::kDeadlineExceeded) << late.ToString();
    std::string path = "call:choice:";
    for (int i = 0; i < n; ++i) path += "then:rest:choice:";
    EXPECT_THAT(late.message(), HasSubstr("'" + path + "else:take' (QueueDequeueV2) waits for queue 'q'")) << n;
    FeedElements(*session, 1);  // nobody takes it for the step that is over
    float y = 0;
    const Status status = Call(*session, n, &y);
    EXPECT_TRUE(status.ok()) << status.ToString();
    EXPECT_EQ(y, 10 + n);
  }
}

TEST_P(FunctionWaits, AreInTheMessageOfTheDeadlineFromLoopsToo) {
  const auto session = Open(GetParam(), 2);
  const Status late = LateCall(*session, 2, "loop:2");
  EXPECT_EQ(late.code(), Code::kDeadlineExceeded) << late.ToString();
  EXPECT_THAT(late.message(), HasSubstr("then:rest:choice:else:take' (QueueDequeueV2) waits for queue 'q'"));
  FeedElements(*session, 2);
  float y = 0;
  const Status status = Call(*session, 2, &y, 0, "loop:2");  // 10 + 2, and again, from 12
  EXPECT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(y, 22);
}

// Of one thread all steps wait at once, and it feeds them.
TEST_P(FunctionWaits, HoldNoThread) {
  constexpr int kSteps = 50;
  const auto session = Open(GetParam(), 1);
  std::vector<float> results(kSteps, 0);
  std::vector<Status> statuses(kSteps);
  std::vector<std::thread> clients;
  for (int i = 0; i < kSteps; ++i) {
    clients.emplace_back([&, i] { statuses[i] = Call(*session, static_cast<float>(i % 4), &results[i]); });
  }
  AwaitArrivals(*session, kSteps);
  FeedElements(*session, kSteps);
  for (std::thread& client : clients) client.join();
  for (int i = 0; i < kSteps; ++i) {
    EXPECT_TRUE(statuses[i].ok()) << statuses[i].ToString();
    EXPECT_EQ(results[i], 10 + i % 4);
  }
}

// S2.
TEST_P(FunctionWaits, EndWithTheirSession) {
  for (const int threads : {1, 3}) {
    const auto session = Open(GetParam(), threads);
    std::vector<Status> statuses(4);
    std::vector<std::thread> clients;
    for (size_t i = 0; i < statuses.size(); ++i) {
      clients.emplace_back([&, i] {
        float y = 0;
        statuses[i] = Call(*session, 4, &y);
      });
    }
    AwaitArrivals(*session, static_cast<int32_t>(statuses.size()));
    EXPECT_TRUE(session->Close().ok());
    for (std::thread& client : clients) client.join();
    for (const Status& status : statuses) EXPECT_EQ(status.code(), Code::kCancelled) << status.ToString();
  }
}

}  // namespace
}  // namespace plumb

// What min_after_dequeue keeps in a shuffled queue from each way to take (rule Q40), before and after it is closed, on
// both sides.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <optional>

#include "backends/backends.h"
#include "spec/graph/function_testing.h"

namespace plumb::conformance {
namespace {

using ::testing::UnorderedElementsAreArray;

const std::vector<DType> kOfFloats = {DType::kFloat};
const std::vector<float> kRows = {10, 20, 30, 40, 50};
constexpr int64_t kAll = 5;

// A step that could end would have, on most machines; on others less is tried.
constexpr std::chrono::milliseconds kWaitsAtLeast{20};

struct Taker {
  std::string op;
  int64_t count;
  bool or_fewer() const { return op == "QueueDequeueUpToV2"; }
};

// A shuffled queue that holds kRows, and steps on it.
class ShuffledRows {
 public:
  ShuffledRows(std::string_view backend, int64_t minimum) : session_(OpenSession(backend)) {
    GraphDef graph;
    graph.nodes = {
        MakeNode("q", "RandomShuffleQueueV2", {},
                 {{"component_types", kOfFloats},
                  {"shapes", std::vector<PartialShape>{PartialShape(Shape())}},
                  {"capacity", 2 * kAll},
                  {"min_after_dequeue", minimum},
                  {"seed", 1},
                  {"seed2", 2}}),
        MakeConst("rows", MakeTensor<float>({kAll}, std::span<const float>(kRows))),
        MakeNode("put", "QueueEnqueueManyV2", {"q", "rows"}, {{"Tcomponents", kOfFloats}}),
        MakeNode("size", "QueueSizeV2", {"q"}),
        MakeNode("close", "QueueCloseV2", {"q"}),
        MakeConst("most", MakeScalar(static_cast<int32_t>(2 * kAll))),
        MakeNode("rest", "QueueDequeueUpToV2", {"q", "most"}, {{"component_types", kOfFloats}}),
    };
    EXPECT_EQ(session_->Extend(graph).ToString(), "OK");
    Do("put");
  }

  void Do(const std::string& op) {
    const std::vector<std::string> targets = {op};
    std::vector<Tensor> none;
    EXPECT_EQ(session_->Run({.timeout_ms = kMost}, {}, {}, targets, &none, nullptr).ToString(), "OK") << op;
  }
  // Nothing where the step fails, which it may do with OUT_OF_RANGE only.
  std::optional<std::vector<float>> Fetch(const std::string& op) {
    const std::vector<std::string> fetches = {op};
    std::vector<Tensor> outputs;
    const Status status = session_->Run({.timeout_ms = kMost}, {}, fetches, {}, &outputs, nullptr);
    if (!status.ok()) {
      EXPECT_EQ(status.code(), Code::kOutOfRange) << status.ToString();
      return std::nullopt;
    }
    const auto taken = outputs.at(0).data<float>();
    return std::vector<float>(taken.begin(), taken.end());
  }
  int64_t Size() {
    const std::vector<std::string> fetches = {"size"};
    std::vector<Tensor> outputs;
    EXPECT_EQ(session_->Run({}, fetches, {}, &outputs).ToString(), "OK");
    return outputs.at(0).scalar<int32_t>();
  }
  // Whether it comes down to that before a step would be given up.
  bool ComesDownTo(int64_t size) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(kMost);
    while (Size() != size) {
      if (std::chrono::steady_clock::now() > end) return false;
    }
    return true;
  }
  std::future<std::optional<std::vector<float>>> Start(const Taker& taker) {
    GraphDef graph;
    std::vector<std::string> inputs = {"q"};
    if (taker.op != "QueueDequeueV2") {
      graph.nodes.push_back(MakeConst("n", MakeScalar(static_cast<int32_t>(taker.count))));
      inputs.emplace_back("n");
    }
    graph.nodes.push_back(MakeNode("take", taker.op, inputs, {{"component_types", kOfFloats}}));
    EXPECT_EQ(session_->Extend(graph).ToString(), "OK");
    return std::async(std::launch::async, [this] { return Fetch("take"); });
  }

 private:
  static constexpr int64_t kMost = 60'000;
  std::unique_ptr<Session> session_;
};

// What was taken, and what a closed queue gave then, in their orders.
struct Taken {
  std::optional<std::vector<float>> first, rest;
  bool operator==(const Taken&) const = default;
};

Taken TakenWith(std::string_view backend, int64_t minimum, const Taker& taker) {
  ShuffledRows queue(backend, minimum);
  auto first = queue.Start(taker);
  const int64_t free = kAll - minimum;
  if (taker.count <= free) {
    const Taken at_once = {.first = first.get(), .rest = {}};
    EXPECT_EQ(queue.Size(), kAll - taker.count);
    queue.Do("close");
    return {.first = at_once.first, .rest = queue.Fetch("rest")};
  }
  EXPECT_TRUE(queue.ComesDownTo(minimum)) << "it holds what it may take";
  EXPECT_EQ(first.wait_for(kWaitsAtLeast), std::future_status::timeout) << "it takes what is to stay";
  EXPECT_EQ(queue.Size(), minimum);
  queue.Do("close");
  const auto taken = first.get();
  return {.first = taken, .rest = queue.Fetch("rest")};
}

TEST(QueueMinimum, StaysUntilTheQueueIsClosed) {
  const Taker takers[] = {{"QueueDequeueV2", 1},     {"QueueDequeueManyV2", 1}, {"QueueDequeueManyV2", 3},
                          {"QueueDequeueManyV2", 5}, {"QueueDequeueManyV2", 7}, {"QueueDequeueUpToV2", 1},
                          {"QueueDequeueUpToV2", 3}, {"QueueDequeueUpToV2", 5}, {"QueueDequeueUpToV2", 7}};
  for (const int64_t minimum : {0, 2, 4, 5}) {
    for (const Taker& taker : takers) {
      SCOPED_TRACE(testing::Message() << taker.op << " of " << taker.count << ", at least " << minimum);
      const Taken taken = TakenWith("reference", minimum, taker);
      EXPECT_EQ(taken.first.has_value(), taker.count <= kAll || taker.or_fewer());
      std::vector<float> all = taken.first.value_or(std::vector<float>());
      EXPECT_EQ(std::ssize(all), taken.first ? std::min(taker.count, kAll) : 0);
      const std::vector<float> rest = taken.rest.value_or(std::vector<float>());
      all.insert(all.end(), rest.begin(), rest.end());
      EXPECT_THAT(all, UnorderedElementsAreArray(kRows));
      EXPECT_EQ(TakenWith("cpu", minimum, taker), taken);
    }
  }
}

}  // namespace
}  // namespace plumb::conformance

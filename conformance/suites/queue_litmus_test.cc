// Steps that meet at a queue: however threads interleave them, the fast path ends as the reference can end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <latch>
#include <set>
#include <thread>

#include "backends/backends.h"
#include "reference/state/queue_testing.h"
#include "reference/world/drivers/seeded.h"

namespace plumb::conformance {
namespace {

using reference::QueueGraph;
using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

// Steps that start together, each running one op. What it fetches, if it gives anything, is part of the outcome.
struct Litmus {
  QueueGraph graph;
  std::vector<std::string> takers;  // and what they fetch
  std::vector<std::string> others;
};

// "take: 1 2, put: OK".
using Outcome = std::string;

Outcome Described(const std::string& op, const Status& status, const std::vector<Tensor>& values) {
  std::string text = Str(op, ":");
  if (!status.ok() || values.empty()) return Str(text, " ", CodeName(status.code()), "; ");
  for (const float value : values[0].data<float>()) text += Str(" ", value);
  return text + "; ";
}

// What the reference reaches, when a seeded driver chooses among the events.
std::set<Outcome> Reachable(const Litmus& litmus) {
  std::set<Outcome> outcomes;
  std::vector<reference::StepRequest> requests;
  for (const std::string& op : litmus.takers) requests.push_back({{}, {op}, {}});
  for (const std::string& op : litmus.others) requests.push_back({{}, {}, {op}});
  for (uint64_t seed = 0; seed < 300; ++seed) {
    reference::ReferenceSession session;
    EXPECT_TRUE(session.Extend(litmus.graph.def).ok());
    reference::SeededDriver driver(seed);
    const reference::Together together = session.RunTogether(requests, driver);
    Outcome outcome;
    for (size_t i = 0; i < requests.size(); ++i) {
      std::vector<Tensor> values;
      for (const reference::Value& value : together.outcomes[i].values) values.push_back(value.tensor);
      const size_t takers = litmus.takers.size();
      outcome +=
          Described(i < takers ? litmus.takers[i] : litmus.others[i - takers], together.outcomes[i].status, values);
    }
    outcomes.insert(outcome);
  }
  return outcomes;
}

Outcome OnFastPath(const Litmus& litmus, int threads) {
  const auto session = OpenSession("cpu", {.threads = threads, .forced_sharing = 100});
  EXPECT_TRUE(session->Extend(litmus.graph.def).ok());
  const size_t takers = litmus.takers.size(), all = takers + litmus.others.size();
  std::vector<std::string> described(all);
  std::latch start(static_cast<std::ptrdiff_t>(all));
  std::vector<std::thread> clients;
  for (size_t i = 0; i < all; ++i) {
    clients.emplace_back([&, i] {
      const std::string& op = i < takers ? litmus.takers[i] : litmus.others[i - takers];
      const std::vector<std::string> named = {op}, none;
      const RunOptions limit = {.timeout_ms = 60'000};
      std::vector<Tensor> values;
      start.arrive_and_wait();
      const Status status =
          session->Run(limit, {}, i < takers ? named : none, i < takers ? none : named, &values, nullptr);
      described[i] = Described(op, status, values);
    });
  }
  for (std::thread& client : clients) client.join();
  Outcome outcome;
  for (const std::string& each : described) outcome += each;
  return outcome;
}

// Returns what the reference reaches, of which each run of the fast path is one.
std::set<Outcome> Judged(const Litmus& litmus) {
  const std::set<Outcome> reachable = Reachable(litmus);
  for (int run = 0; run < 60; ++run) {
    const Outcome outcome = OnFastPath(litmus, 1 + run % 3);
    EXPECT_TRUE(reachable.contains(outcome)) << outcome << "is not among " << testing::PrintToString(reachable);
  }
  return reachable;
}

TEST(QueueLitmus, TwoProducersAndAConsumer) {
  const QueueGraph graph = QueueGraph(1).Put("put1", 1).Put("put2", 2).TakeMany("take", 2);
  EXPECT_THAT(Judged({graph, {"take"}, {"put1", "put2"}}),
              UnorderedElementsAre("take: 1 2; put1: OK; put2: OK; ", "take: 2 1; put1: OK; put2: OK; "));
}

// Q11: rows that are put in together stay together, whatever the capacity.
TEST(QueueLitmus, RowsAreNotMixed) {
  const QueueGraph graph = QueueGraph(1).PutMany("put12", {1, 2}).PutMany("put34", {3, 4}).TakeMany("take", 4);
  EXPECT_THAT(Judged({graph, {"take"}, {"put12", "put34"}}),
              UnorderedElementsAre("take: 1 2 3 4; put12: OK; put34: OK; ", "take: 3 4 1 2; put12: OK; put34: OK; "));
}

// Q25: who takes many is not interrupted either.
TEST(QueueLitmus, TwoConsumersAndAProducer) {
  const QueueGraph graph = QueueGraph(2).PutMany("put", {1, 2, 3}).Take("take").TakeMany("take2", 2);
  EXPECT_THAT(Judged({graph, {"take", "take2"}, {"put"}}),
              UnorderedElementsAre("take: 1; take2: 2 3; put: OK; ", "take: 3; take2: 1 2; put: OK; "));
}

TEST(QueueLitmus, AnElementAndAClose) {  // Q10, Q20
  const QueueGraph graph = QueueGraph(1).Put("put", 1).Take("take");
  EXPECT_THAT(Judged({graph, {"take"}, {"put", "close"}}),
              UnorderedElementsAre("take: 1; put: OK; close: OK; ", "take: OUT_OF_RANGE; put: CANCELLED; close: OK; "));
}

// Q12, Q23, Q31: a close at once cuts rows off, an ordinary one does not.
TEST(QueueLitmus, RowsAndAClose) {
  const QueueGraph graph = QueueGraph(1).PutMany("put", {1, 2}).TakeUpTo("take", 3);
  EXPECT_THAT(
      Judged({graph, {"take"}, {"put", "close"}}),
      UnorderedElementsAre("take: 1 2; put: OK; close: OK; ", "take: OUT_OF_RANGE; put: CANCELLED; close: OK; "));
  EXPECT_THAT(Judged({graph, {"take"}, {"put", "cancel"}}),
              UnorderedElementsAre("take: 1; put: CANCELLED; cancel: OK; ", "take: 1 2; put: OK; cancel: OK; ",
                                   "take: OUT_OF_RANGE; put: CANCELLED; cancel: OK; "));
}

}  // namespace
}  // namespace plumb::conformance

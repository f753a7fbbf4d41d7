// How many messages a step takes: one starts each part, one ends it, and one carries each value between two.
#include <gtest/gtest.h>

#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "fastpath/testing/test_graph.h"
#include "mpi/protocol/messages.h"
#include "mpi/session/cluster_testing.h"

namespace plumb::dist {
namespace {

using fast::TestGraph;

constexpr int kServers = 3, kWorker = kServers;  // ranks
constexpr int kSteps = 30;
constexpr int64_t kElements = 100'000;

std::string ServerName(int task) { return Str("/job:ps/task:", task); }

// By all ranks in one step: the servers, then the worker.
struct Sent {
  std::vector<int64_t> messages;
  int64_t payload_bytes = 0;
  bool operator==(const Sent&) const = default;
  int64_t sum() const { return std::accumulate(messages.begin(), messages.end(), int64_t{0}); }
};

class MessagesOfAStep : public testing::Test {
 protected:
  // What a step sends once its parts are registered. One that takes long is asked about besides, wherever it hangs: so
  // of several the one counts that sent least.
  Sent InAStepOf(const TestGraph& graph, const std::vector<Feed>& feeds, const std::vector<std::string>& fetches,
                 const std::vector<std::string>& targets) {
    EXPECT_EQ(session_->Extend(graph.def()).ToString(), "OK");
    std::optional<Sent> least;
    for (int step = 0; step <= kSteps; ++step) {
      const Sent before = Total();
      std::vector<Tensor> outputs;
      EXPECT_EQ(session_->Run(feeds, fetches, targets, &outputs).ToString(), "OK");
      if (step == 0) continue;
      Sent sent = Total();
      for (size_t rank = 0; rank < sent.messages.size(); ++rank) sent.messages[rank] -= before.messages[rank];
      sent.payload_bytes -= before.payload_bytes;
      if (!least || sent.sum() < least->sum()) least = sent;
    }
    return *least;
  }

 private:
  Sent Total() const {
    Sent sent{{}, cluster_.payload_bytes()};
    for (int rank = 0; rank <= kWorker; ++rank) sent.messages.push_back(cluster_.TrafficOf(rank).messages_sent);
    return sent;
  }

  TestCluster cluster_{kServers + 1, "ps=3,worker=1"};
  std::unique_ptr<Session> session_ = cluster_.Open(kWorker);
};

std::ostream& operator<<(std::ostream& out, const Sent& sent) {
  out << "messages";
  for (const int64_t count : sent.messages) out << ' ' << count;
  return out << ", " << sent.payload_bytes << " bytes of payload";
}

TEST_F(MessagesOfAStep, OneStartsEachPartAndOneEndsIt) {
  TestGraph graph;
  std::vector<std::string> targets;
  for (int task = 0; task < kServers; ++task) {
    targets.push_back(graph.Add(Str("nothing", task), "NoOp", {}, {}, ServerName(task)));
  }
  EXPECT_EQ(InAStepOf(graph, {}, {}, targets), (Sent{{1, 1, 1, kServers}, 0}));
}

TEST_F(MessagesOfAStep, RanksWithoutAPartHearNothing) {
  TestGraph graph;
  graph.Add("nothing", "NoOp", {}, {}, ServerName(1));
  EXPECT_EQ(InAStepOf(graph, {}, {}, {"nothing"}), (Sent{{0, 1, 0, 1}, 0}));
}

// What several nodes of a task read of one value goes there once.
TEST_F(MessagesOfAStep, OneCarriesEachValueToEachTask) {
  TestGraph graph;
  graph.Placeholder("x", DType::kFloat);
  std::vector<std::string> halves;
  const AttrMap type = {{"T", DType::kFloat}};
  for (int task : {0, 1}) {
    graph.Add(Str("negative", task), "Neg", {"x"}, type, ServerName(task));
    graph.Add(Str("square", task), "Square", {"x"}, type, ServerName(task));
    halves.push_back(
        graph.Add(Str("half", task), "Add", {Str("negative", task), Str("square", task)}, type, ServerName(task)));
  }
  graph.Add("sum", "Add", halves, type, "/job:worker/task:0");
  const Tensor x = Zeros(DType::kFloat, Shape({kElements}));
  EXPECT_EQ(InAStepOf(graph, {{"x", x}}, {"sum"}, {}),
            (Sent{{1 + 1, 1 + 1, 0, 2 * (1 + 1)}, 4 * kElements * int64_t{sizeof(float)}}));
}

// The turns of a loop that is on one task are nobody else's matter.
TEST_F(MessagesOfAStep, LoopsTurnWithoutAWord) {
  const std::string there = ServerName(2);
  const AttrMap type = {{"T", DType::kFloat}};
  TestGraph graph;
  for (const auto& [name, value] : {std::pair{"one", 1.0F}, {"many", 1e9F}}) {
    graph.Add(name, "Const", {}, {{"value", MakeScalar(value)}, {"dtype", DType::kFloat}}, there);
  }
  const AttrMap frame = {{"T", DType::kFloat}, {"frame_name", "loop"}, {"is_constant", false}};
  AttrMap constant = frame;
  constant["is_constant"] = true;
  graph.Add("enter", "Enter", {"one"}, frame, there);
  graph.Add("limit", "Enter", {"many"}, constant, there);
  graph.Add("merge", "Merge", {"enter", "next"}, {{"T", DType::kFloat}, {"N", int64_t{2}}}, there);
  graph.Add("less", "Less", {"merge", "limit"}, type, there);
  graph.Add("goes_on", "LoopCond", {"less"}, {}, there);
  graph.Add("switch", "Switch", {"merge", "goes_on"}, type, there);
  graph.Add("twice", "Add", {"switch:1", "switch:1"}, type, there);
  graph.Add("next", "NextIteration", {"twice"}, type, there);
  graph.Add("exit", "Exit", {"switch:0"}, type, there);
  EXPECT_EQ(InAStepOf(graph, {}, {}, {"exit"}), (Sent{{0, 0, 1, 1}, 0}));
}

TEST(StartMessage, IsSmall) {
  constexpr int64_t kLarge = int64_t{1} << 40;
  EXPECT_LE(Encode(Start{kLarge, kLarge, kLarge, true}).size(), 40U);
}

}  // namespace
}  // namespace plumb::dist

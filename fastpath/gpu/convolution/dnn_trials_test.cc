// Engines that are tried on an emulated GPU: which of them runs then, and that nothing else is seen of it. The
// emulator's fake has the same engines for each pass (cudnn_graph_engines.cc), with times of a clock of its own.
#include <algorithm>
#include <set>

#include "fastpath/gpu/gpu_section_testing.h"
#include "fastpath/gpu/lib/dnn/dnn_testing.h"
#include "fastpath/gpu/lib/testing/both.h"
#include "fastpath/gpu/lib/testing/with_tf32.h"

namespace plumb::fast {
namespace {

using Ints = std::vector<int64_t>;
using section_testing::Both;
using section_testing::Numbers;
using section_testing::Open;

constexpr int64_t kFastest = 74;
constexpr int64_t kAsTf32 = 67, kByChance = 25, kWinograd = 30, kFft = 40, kCompiled = 50, kRefusesPlans = 3,
                  kFails = 4;

Question Slid(DType type = DType::kFloat) {
  const auto digits = [&](const Shape& shape) {
    const Tensor drawn = Digits(shape, 3);
    if (type == DType::kFloat) return drawn;
    Tensor made(type, shape);
    std::transform(drawn.data<float>().begin(), drawn.data<float>().end(), made.mutable_data<Half>().begin(),
                   [](float number) { return static_cast<Half>(number); });
    return made;
  };
  return {"Conv2D",
          {digits({2, 6, 6, 3}), digits({3, 3, 3, 4})},
          {{"T", type}, {"strides", Ints{1, 1, 1, 1}}, {"padding", std::string("SAME")}}};
}

// How often each engine of a graph ran between the two.
std::map<int64_t, int64_t> RanBetween(const CudnnCalls& before, const CudnnCalls& after) {
  std::map<int64_t, int64_t> ran = after.engines;
  for (const auto& [engine, count] : before.engines) ran[engine] -= count;
  std::erase_if(ran, [](const auto& entry) { return entry.second == 0; });
  return ran;
}

// A session with the question, which is asked anew each time.
class Asked {
 public:
  explicit Asked(const Question& question) : question_(question) {
    GraphDef graph;
    std::tie(feeds_, fetches_) = Ask(question_, graph);
    session_ = Open(graph, false);
  }
  // What the step ran of graphs, and how many convolutions.
  std::pair<std::map<int64_t, int64_t>, int64_t> Run() {
    const CudnnCalls before = EmulatedCudnnCalls();
    std::vector<Tensor> outputs;
    const Status status = session_->Run(feeds_, fetches_, {}, &outputs);
    EXPECT_TRUE(status.ok()) << status.ToString();
    const CudnnCalls after = EmulatedCudnnCalls();
    EXPECT_TRUE(status.ok() && outputs[0].BitwiseEquals(AnswersTo(question_, false)[0]));
    return {RanBetween(before, after), after.convolutions() - before.convolutions()};
  }

 private:
  const Question question_;
  std::vector<Feed> feeds_;
  std::vector<std::string> fetches_;
  std::unique_ptr<Session> session_;
};

class DnnTrials : public testing::Test {
  const InOneOrder order_;
};

TEST_F(DnnTrials, SettleForTheFastestInTheFirstStep) {
  const WithCudnn with({});
  Asked asked(Slid());
  const auto [tried, convolutions] = asked.Run();
  EXPECT_GT(convolutions, 10);
  EXPECT_GT(tried.at(kFastest), 2);
  for (int step = 0; step < 3; ++step) {
    const auto [ran, count] = asked.Run();
    EXPECT_EQ(ran, (std::map<int64_t, int64_t>{{kFastest, 1}}));
    EXPECT_EQ(count, 1);
  }
}

// They refuse, fail, take float for TF32, add up in an order of chance, or transform: and would all be faster.
TEST_F(DnnTrials, LeaveOutWhatMayNotCompute) {
  const WithCudnn with({});
  Asked asked(Slid());
  const auto [tried, convolutions] = asked.Run();
  for (const int64_t engine : {kAsTf32, kByChance, kWinograd, kFft, kCompiled, kRefusesPlans, kFails}) {
    EXPECT_EQ(tried.count(engine), 0U) << engine;
  }
}

// Unless one order is asked for, what adds up in an order of chance may be the fastest.
TEST(DnnTrialsInAnyOrder, TakeWhatAddsUpByChance) {
  const WithCudnn with({});
  {
    Asked asked(Slid());
    asked.Run();
    EXPECT_EQ(asked.Run().first, (std::map<int64_t, int64_t>{{kByChance, 1}}));
  }
  const InOneOrder order;
  Asked asked(Slid());
  EXPECT_EQ(asked.Run().first.count(kByChance), 0U) << "what others found fastest is no reason";
  EXPECT_EQ(asked.Run().first, (std::map<int64_t, int64_t>{{kFastest, 1}}));
}

// Their products are exact on tensor cores.
TEST_F(DnnTrials, TakeTensorCoresFor16BitFloats) {
  const WithCudnn with({});
  Asked asked(Slid(DType::kHalf));
  asked.Run();
  EXPECT_EQ(asked.Run().first, (std::map<int64_t, int64_t>{{kAsTf32, 1}}));
}

// For float, they round what is multiplied: here numbers that are theirs.
TEST_F(DnnTrials, TakeTensorCoresForFloatWhereItIsAskedFor) {
  const WithCudnn with({});
  Asked full(Slid());
  full.Run();
  const WithTf32 as_tf32;
  Asked asked(Slid());
  asked.Run();
  EXPECT_EQ(asked.Run().first, (std::map<int64_t, int64_t>{{kAsTf32, 1}}));
  EXPECT_EQ(full.Run().first, (std::map<int64_t, int64_t>{{kFastest, 1}}));
}

// Windows of a side, in whose middle is a 1: by products where the side is 1, else by an engine or an algorithm.
void ExpectRoundedOnlyOnRequest(int64_t side) {
  Question question = {"Conv2D",
                       {Tensor(DType::kFloat, {1, 5, 5, 2}), Tensor(DType::kFloat, {side, side, 2, 1})},
                       {{"T", DType::kFloat}, {"strides", Ints{1, 1, 1, 1}}, {"padding", std::string("SAME")}}};
  for (float& x : question.inputs[0].mutable_data<float>()) x = kJustAboveOne;
  const auto filter = question.inputs[1].mutable_data<float>();
  std::fill(filter.begin(), filter.end(), 0.0F);
  filter[static_cast<size_t>(side * side - side * side % 2)] = 1;
  const auto results = [&] {
    const Tensor y = AnswersTo(question, true).at(0);
    return std::set<float>(y.data<float>().begin(), y.data<float>().end());
  };
  EXPECT_EQ(results(), std::set<float>{kJustAboveOne}) << side;
  const WithTf32 as_tf32;
  EXPECT_EQ(results(), std::set<float>{1}) << side;
}

TEST_F(DnnTrials, RoundWhatIsMultipliedWhereItIsAskedFor) {
  const WithCudnn with({});
  for (const int64_t side : {1, 3}) ExpectRoundedOnlyOnRequest(side);
  const WithoutTries without;
  for (const int64_t side : {1, 3}) ExpectRoundedOnlyOnRequest(side);
}

TEST_F(DnnTrials, AreOncePerProcess) {
  const WithCudnn with({});
  Asked first(Slid());
  first.Run();
  Asked second(Slid());
  const auto [ran, convolutions] = second.Run();
  EXPECT_EQ(ran, (std::map<int64_t, int64_t>{{kFastest, 1}}));
  EXPECT_EQ(convolutions, 1);
}

// With the channels last an engine takes as long, and the images need not be moved.
TEST_F(DnnTrials, FindTheLayoutThatIsFaster) {
  {
    const WithCudnn with({.channels_last_takes_more = 0});
    Asked asked(Slid());
    asked.Run();
    asked.Run();
    EXPECT_FALSE(EmulatedCudnnCalls().channels_first);
  }
  const WithCudnn with({.channels_last_takes_more = 25});
  Asked asked(Slid());
  asked.Run();
  asked.Run();
  EXPECT_TRUE(EmulatedCudnnCalls().channels_first);
}

TEST_F(DnnTrials, AreNoneWhereTheEnvironmentSaysSo) {
  const WithCudnn with({});
  const WithoutTries without;
  Asked asked(Slid());
  const auto [ran, convolutions] = asked.Run();
  EXPECT_EQ(ran, (std::map<int64_t, int64_t>{}));
  EXPECT_EQ(convolutions, 1);
}

// A section's first run tries, its trial and its captures do not: the fake refuses all of that while a stream captures,
// and each answer is that of a session without graphs.
TEST_F(DnnTrials, AreOverBeforeAnythingIsCaptured) {
  const WithCudnn with({});
  GraphDef graph;
  graph.nodes = {section_testing::Fed("x"), section_testing::Fed("w"),
                 MakeNode("y", "Conv2D", {"x", "w"}, Slid().attrs), section_testing::Op("Relu", "z", {"y"})};
  Both both(graph);
  int64_t graphs = 0;
  for (uint32_t step = 0; step < section_testing::kSteps; ++step) {
    const CudnnCalls before = EmulatedCudnnCalls();
    graphs += both.Run({{{"x", Numbers({2, 6, 6, 3}, step)}, {"w", Numbers({3, 3, 3, 4}, step + 9)}}, {"z"}, {}},
                       Str("step ", step));
    const CudnnCalls after = EmulatedCudnnCalls();
    EXPECT_EQ(after.heuristics > before.heuristics, step == 0);
    EXPECT_EQ(RanBetween(before, after).size() > 1, step == 0);
  }
  EXPECT_GT(graphs, 0);
}

}  // namespace
}  // namespace plumb::fast

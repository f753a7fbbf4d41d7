#include "fastpath/gpu/lib/dnn/dnn_engines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <thread>
#include <utility>

#include "fastpath/gpu/lib/dnn/dnn_plan.h"
#include "fastpath/gpu/lib/dnn/dnn_testing.h"

namespace plumb::fast::emulated_gpu {
namespace {

using testing::Contains;
using testing::ContainsRegex;
using testing::ElementsAre;
using testing::IsEmpty;

// Of a cuDNN that has everything.
class DnnEnginesTest : public testing::Test {
  const WithCudnn with_{EmulatedCudnn()};
};

// Two images of 3 channels, 6 rows and 6 columns, and windows of 3 by 3 for 4 channels.
DnnProblem Small(DnnPass pass, DType type = DType::kFloat) {
  DnnProblem problem;
  problem.pass = pass;
  problem.type = type;
  problem.x = {2, 3, 6, 6};
  problem.w = {4, 3, 3, 3};
  problem.y = {2, 4, 6, 6};
  problem.padding = problem.step = problem.spacing = {1, 1};
  return problem;
}

std::vector<int> AlgorithmsOf(const DnnPlan& plan) {
  std::vector<int> algorithms;
  for (const DnnEngine& engine : plan.engines) algorithms.push_back(engine.algorithm);
  return algorithms;
}

TEST_F(DnnEnginesTest, AreThoseThatAddProducts) {
  DnnEngines engines(0, true, false);
  using Ints = std::vector<int>;
  EXPECT_EQ(AlgorithmsOf(*engines.Choose(Small(DnnPass::kToImages))),
            Ints({CUDNN_CONVOLUTION_BWD_DATA_ALGO_0, CUDNN_CONVOLUTION_BWD_DATA_ALGO_1}));
  EXPECT_EQ(AlgorithmsOf(*engines.Choose(Small(DnnPass::kToFilter))),
            Ints({CUDNN_CONVOLUTION_BWD_FILTER_ALGO_0, CUDNN_CONVOLUTION_BWD_FILTER_ALGO_3,
                  CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1}));
}

TEST_F(DnnEnginesTest, AddUpInOneOrderOnRequest) {
  DnnEngines engines(0, true, true);
  using Ints = std::vector<int>;
  EXPECT_EQ(AlgorithmsOf(*engines.Choose(Small(DnnPass::kForward))),
            Ints({CUDNN_CONVOLUTION_FWD_ALGO_GEMM, CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM,
                  CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM}));
  EXPECT_EQ(AlgorithmsOf(*engines.Choose(Small(DnnPass::kToImages))), Ints({CUDNN_CONVOLUTION_BWD_DATA_ALGO_1}));
  EXPECT_EQ(AlgorithmsOf(*engines.Choose(Small(DnnPass::kToFilter))), Ints({CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1}));
}

// The emulator gives back the type of products that it was asked for.
TEST_F(DnnEnginesTest, TakeFloatForNothingLess) {
  DnnEngines engines(0);
  const auto math = [&](DType type) { return engines.Engine(*engines.Choose(Small(DnnPass::kForward, type)))->math; };
  EXPECT_EQ(math(DType::kFloat), CUDNN_FMA_MATH);
  EXPECT_EQ(math(DType::kDouble), CUDNN_FMA_MATH);
  EXPECT_EQ(math(DType::kHalf), CUDNN_TENSOR_OP_MATH);
  EXPECT_EQ(math(DType::kBfloat16), CUDNN_TENSOR_OP_MATH);
}

TEST_F(DnnEnginesTest, TakeFloatForTf32WhereTheProblemSaysSo) {
  DnnEngines engines(0);
  DnnProblem problem = Small(DnnPass::kForward);
  const auto plan = engines.Choose(problem);
  problem.as_tf32 = true;
  EXPECT_EQ(engines.Find(problem), nullptr) << "it has engines of its own";
  EXPECT_EQ(engines.Engine(*engines.Choose(problem))->math, CUDNN_DEFAULT_MATH);
  EXPECT_EQ(engines.Candidates(problem, *engines.Choose(problem)).front().name, "engine 67:");
  EXPECT_EQ(engines.Engine(*plan)->math, CUDNN_FMA_MATH);
}

// A plan is read by one step while another, whose memory ran out, takes engines from it.
TEST_F(DnnEnginesTest, ServeStepsAtOnce) {
  DnnEngines engines(0, true, false);
  const auto plan = engines.Choose(Small(DnnPass::kToFilter));
  const DnnEngine last = plan->engines.back();
  std::thread other([&] {
    for (int i = 0; i < 50; ++i) engines.WantLess(*plan, last);
  });
  for (int i = 0; i < 50; ++i) {
    const std::optional<DnnEngine> engine = engines.Engine(*plan);
    EXPECT_TRUE(!engine || engine->algorithm >= 0);
  }
  other.join();
}

TEST_F(DnnEnginesTest, AreChosenOnceForAShape) {
  DnnEngines engines(0);
  const DnnProblem problem = Small(DnnPass::kForward);
  EXPECT_EQ(engines.Find(problem), nullptr);
  const int64_t before = EmulatedCudnnCalls().choices;
  const auto plan = engines.Choose(problem);
  EXPECT_EQ(engines.Choose(problem), plan);
  EXPECT_EQ(engines.Find(problem), plan);
  EXPECT_EQ(EmulatedCudnnCalls().choices, before + 1);
  DnnProblem other = problem;
  other.x[0] = other.y[0] = 3;
  EXPECT_NE(engines.Choose(other), plan);
  EXPECT_EQ(EmulatedCudnnCalls().choices, before + 2);
}

std::vector<std::string> NamesOf(const std::vector<DnnEngine>& engines) {
  std::vector<std::string> names;
  for (const DnnEngine& engine : engines) names.push_back(engine.name);
  return names;
}

// As each engine of the emulator's heuristics says of itself: 74 twice, as its knobs are turned.
TEST_F(DnnEnginesTest, ToBeTriedAreAlgorithmsAndEnginesOfGraphs) {
  DnnEngines engines(0, true, true), any(0, true, false);
  DnnProblem problem = Small(DnnPass::kToImages);
  const std::string algorithm =
      Str("algorithm ", static_cast<int>(CUDNN_CONVOLUTION_BWD_DATA_ALGO_1), " by ", static_cast<int>(CUDNN_FMA_MATH));
  EXPECT_THAT(
      NamesOf(engines.Candidates(problem, *engines.Choose(problem))),
      ElementsAre("engine 2: 2=1", "engine 4:", "engine 74: 2=5 13=0", "engine 74: 2=6 13=0", "engine 1:", algorithm));
  EXPECT_THAT(NamesOf(any.Candidates(problem, *any.Choose(problem))), Contains("engine 25:"));
  problem.is_aligned = false;
  EXPECT_THAT(NamesOf(engines.Candidates(problem, *engines.Choose(problem))), ElementsAre(algorithm));
}

TEST_F(DnnEnginesTest, AreSettledOnce) {
  DnnEngines engines(0, true, true);
  const DnnProblem problem = Small(DnnPass::kToImages);
  const auto plan = engines.Choose(problem);
  std::vector<DnnEngine> order = engines.Candidates(problem, *plan);
  std::swap(order.front(), order.at(4));
  engines.Settle(*plan, order);
  EXPECT_EQ(engines.Engine(*plan)->name, "engine 1:");
  engines.Settle(*plan, {});
  EXPECT_EQ(engines.Engine(*plan)->name, "engine 1:");
  EXPECT_THAT(NamesOf(engines.Candidates(problem, *plan)), ElementsAre("engine 1:"));
  const DnnUse use{problem, true};
  EXPECT_EQ(engines.Layout(use), std::nullopt);
  EXPECT_TRUE(engines.SettleLayout(use, true));
  EXPECT_TRUE(engines.SettleLayout(use, false));
  EXPECT_EQ(engines.Layout(use), std::optional(true));
}

TEST_F(DnnEnginesTest, AreTriedUnlessTheEnvironmentSaysNo) {
  EXPECT_TRUE(TriesEngines());
  for (const auto& [word, tries] : {std::pair{"0", false}, {"false", false}, {"FALSE", false}, {"1", true}}) {
    setenv("TF_CUDNN_USE_AUTOTUNE", word, 1);
    EXPECT_EQ(TriesEngines(), tries) << word;
  }
  unsetenv("TF_CUDNN_USE_AUTOTUNE");
}

TEST_F(DnnEnginesTest, AddUpInOneOrderWhereTheEnvironmentAsksForIt) {
  EXPECT_FALSE(WantsOneOrder());
  for (const char* const name : {"TF_CUDNN_DETERMINISTIC", "TF_DETERMINISTIC_OPS"}) {
    for (const auto& [word, wants] : {std::pair{"1", true}, {"True", true}, {"0", false}, {"false", false}}) {
      const WithWord with(name, word);
      EXPECT_EQ(WantsOneOrder(), wants) << name << '=' << word;
    }
  }
}

TEST_F(DnnEnginesTest, WantLessWhereMemoryIsShort) {
  DnnEngines engines(0);
  const auto plan = engines.Choose(Small(DnnPass::kForward));
  size_t last = SIZE_MAX;
  for (int left = 3; left > 0; --left) {
    const std::optional<DnnEngine> engine = engines.Engine(*plan);
    ASSERT_TRUE(engine.has_value());
    EXPECT_LT(engine->workspace, last);
    last = engine->workspace;
    engines.WantLess(*plan, *engine);
  }
  EXPECT_EQ(last, 0U);
  EXPECT_FALSE(engines.Engine(*plan).has_value());
}

TEST_F(DnnEnginesTest, AreNoneForWhatCudnnRefuses) {
  DnnEngines engines(0);
  DnnProblem wrong = Small(DnnPass::kForward);
  wrong.y[2] = 7;
  EXPECT_THAT(engines.Choose(wrong)->engines, IsEmpty());
  DnnProblem empty = Small(DnnPass::kForward);
  empty.x[0] = empty.y[0] = 0;
  EXPECT_THAT(engines.Choose(empty)->engines, IsEmpty());
}

TEST_F(DnnEnginesTest, SayWhatIsMissing) {
  EXPECT_EQ(DnnEngines(0).Describe(), "convolutions by cuDNN 9.19.0");
  const auto words = [](const EmulatedCudnn& installed) {
    const WithCudnn with(installed);
    DnnEngines engines(0);
    EXPECT_THAT(engines.Choose(Small(DnnPass::kForward))->engines, IsEmpty());
    return engines.Describe();
  };
  EXPECT_THAT(words({.is_installed = false}), ContainsRegex("of our own: cuDNN cannot be loaded: .*install cuDNN 9"));
  EXPECT_THAT(words({.version = 8907}), ContainsRegex("of our own: cuDNN is of version 8.9.7, not 9; install"));
  EXPECT_THAT(words({.can_begin = false}), ContainsRegex("of our own: cuDNN 9.19.0 cannot begin: status 1001"));
}

}  // namespace
}  // namespace plumb::fast::emulated_gpu

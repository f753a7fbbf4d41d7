#include "tools/gpu_bench/gpu_bench.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "spec/core/status.h"
#include "tools/gpu_bench/gpu_bench_models.h"
#include "tools/gpu_bench/gpu_bench_report.h"

namespace plumb::tools {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr char kBackend[] = "gpu-emulated";
constexpr BenchSizes kSmall = {.elements = 512, .side = 16, .is_small = true};

std::vector<BenchResult> ResultsOf(const std::vector<Bench>& benches) {
  BenchCard card(kBackend, kSmall);
  std::vector<BenchResult> results;
  for (const Bench& bench : benches) results.push_back(ResultOf(bench, card));
  return results;
}

void ExpectFigures(const std::vector<BenchResult>& results) {
  EXPECT_FALSE(results.empty());
  for (const BenchResult& result : results) {
    EXPECT_EQ(result.error, "") << result.name;
    EXPECT_GT(result.seconds, 0) << result.name;
    EXPECT_GT(result.share, 0) << result.name;
  }
}

TEST(GpuBench, TheCardIsMeasuredWhenItIsAsked) {
  BenchCard card(kBackend, kSmall);
  EXPECT_FALSE(card.has_ceilings());
  EXPECT_GT(card.ceilings().copy, 0);
  EXPECT_GT(card.ceilings().to_card, 0);
  EXPECT_GT(card.ceilings().from_card, 0);
  EXPECT_GT(card.ceilings().round_trip, 0);
  EXPECT_TRUE(card.has_ceilings());
  EXPECT_GT(card.operations(), 0);
}

TEST(GpuBench, EveryKernelRunsOnTheGpuAndHasAFigure) {
  ExpectFigures(ResultsOf(KernelBenches()));
  ExpectFigures(ResultsOf(StepBenches()));
}

TEST(GpuBench, ProductsAreHeldAgainstTheLibrary) {
  ExpectFigures(ResultsOf(ProductBenches()));
  EXPECT_THROW(MeasureProduct(kBackend, DType::kInt32, kSmall.side), Error);
}

// On one emulated card, where all of a model's kernels are, but no decisions of loops.
TEST(GpuBench, EveryModelIsTrainedOnTheGpuWithAndWithoutGraphs) {
  const std::vector<BenchResult> results = ResultsOf(TrainingBenches());
  ExpectFigures(results);
  EXPECT_EQ(results.size(), 2 * BenchModels().size());
  for (const BenchResult& result : results) {
    EXPECT_GT(result.amount, 0) << result.name;
    EXPECT_GT(result.batch, 0) << result.name;
    EXPECT_THAT(result.notes, Contains(HasSubstr("ran on the card"))) << result.name;
  }
}

TEST(GpuBench, CopiesThatAreHiddenAreASharePerFedStep) {
  for (const BenchResult& result : ResultsOf(CopyBenches())) {
    EXPECT_EQ(result.error, "") << result.name;
    EXPECT_GT(result.seconds, 0) << result.name;
    EXPECT_EQ(result.amount, 4 * 28 * 28 * sizeof(float)) << result.name;
    EXPECT_TRUE(std::isfinite(result.share)) << result.name;
  }
}

TEST(GpuBench, WhatFailsIsALineAndSaysWhy) {
  BenchCard card(kBackend, kSmall);
  const Bench failing = {"group", "fails", [](BenchCard&) -> BenchResult { throw InvalidArgument("broken"); }};
  const BenchResult result = ResultOf(failing, card);
  EXPECT_THAT(result.error, HasSubstr("broken"));
  const auto report = nlohmann::json::parse(ReportJson(card, {result}));
  EXPECT_TRUE(report["ceilings"].is_null());
  EXPECT_EQ(report["benches"][0]["name"], "fails");
  EXPECT_EQ(report["benches"][0]["error"], result.error);
  testing::internal::CaptureStdout();
  Print(result);
  const std::string line = testing::internal::GetCapturedStdout();
  EXPECT_THAT(line, HasSubstr("fails"));
  EXPECT_THAT(line, HasSubstr("broken"));
}

TEST(GpuBench, EveryBenchHasItsOwnNameAndAGroup) {
  std::set<std::string> names;
  for (const Bench& bench : AllBenches()) {
    EXPECT_NE(bench.group, "") << bench.name;
    EXPECT_TRUE(names.insert(bench.name).second) << bench.name;
  }
}

// Published figures, of multiplications and additions forward: 4.1 and 7.6 billion pairs for one image; a training
// step takes three times as many, but for the gradient of the images.
TEST(BenchModels, CountWhatTheirProductsCost) {
  const double pairs = 2 * 3;
  EXPECT_NEAR(FindBenchModel("resnet-50").make(1, false).operations / pairs / 1e9, 4.1, 0.2);
  EXPECT_NEAR(FindBenchModel("vgg-a").make(1, false).operations / pairs / 1e9, 7.6, 0.2);
  const double mlp = 784 * 2048 + 2048 * 2048 + 2048 * 10, not_asked = 784 * 2048;
  EXPECT_EQ(FindBenchModel("mlp").make(8, false).operations, 2 * 8 * (3 * mlp - not_asked));
  EXPECT_EQ(FindBenchModel("lstm").make(2, true).operations, FindBenchModel("lstm in a loop").make(2, true).operations);
  EXPECT_THROW(FindBenchModel("none"), Error);
}

TEST(GpuBench, WhatHasNoCardIsRefused) { EXPECT_THROW(MeasureCeilings("cpu", 4), Error); }

}  // namespace
}  // namespace plumb::tools

#include "tools/gpu_bench/gpu_bench.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plumb::tools {
namespace {

constexpr char kBackend[] = "gpu-emulated";
constexpr BenchSizes kSmall = {.elements = 512, .side = 16, .batch = 4};

void ExpectFigures(const std::vector<BenchResult>& results) {
  EXPECT_FALSE(results.empty());
  for (const BenchResult& result : results) {
    EXPECT_GT(result.seconds, 0) << result.name;
    EXPECT_GT(result.share, 0) << result.name;
  }
}

TEST(GpuBench, EveryKernelRunsOnTheGpuAndHasAFigure) {
  const CardCeilings ceilings = MeasureCeilings(kBackend, 4 * kSmall.elements);
  EXPECT_GT(ceilings.copy, 0);
  EXPECT_GT(ceilings.to_card, 0);
  EXPECT_GT(ceilings.from_card, 0);
  EXPECT_GT(ceilings.round_trip, 0);
  ExpectFigures(BenchKernels(kBackend, kSmall, ceilings));
  ExpectFigures(BenchSteps(kBackend, kSmall, ceilings));
}

TEST(GpuBench, ProductsAreHeldAgainstTheLibrary) {
  ExpectFigures(BenchProducts(kBackend, kSmall));
  EXPECT_THROW(MeasureProduct(kBackend, DType::kInt32, kSmall.side), Error);
}

TEST(GpuBench, WhatHasNoCardIsRefused) { EXPECT_THROW(MeasureCeilings("cpu", 4), Error); }

}  // namespace
}  // namespace plumb::tools

#include "fastpath/memory/allocator.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "fastpath/device/kernel.h"

namespace plumb::fast {
namespace {

TEST(Allocator, SizeClassesHoldWhatTheyPromiseAndWasteLittle) {
  uint32_t before = 0;
  for (uint64_t bytes = 1; bytes < (uint64_t{1} << 40); bytes += bytes / 7 + 1) {
    const SizeClass size = SizeClassOf(bytes);
    EXPECT_GE(size.bytes, bytes);
    EXPECT_EQ(size.bytes % 64, 0u);
    EXPECT_LE(size.bytes, bytes + bytes / 4 + 64) << bytes;
    EXPECT_GE(size.index, before);
    EXPECT_EQ(SizeClassOf(size.bytes).index, size.index);
    before = size.index;
  }
}

TEST(Allocator, AlignsValues) {
  for (const int64_t elements : {0, 1, 7, 100, 5000, 3000000}) {
    const Tensor tensor = Allocate(DType::kFloat, Shape({elements}));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(tensor.raw()) % 64, 0u);
    EXPECT_EQ(tensor.elements(), elements);
  }
}

TEST(Allocator, RefusesWhatNoMachineHolds) {
  for (const Shape& shape : {Shape({int64_t{1} << 62}), Shape({int64_t{1} << 55})}) {
    try {
      Allocate(DType::kDouble, shape);
      ADD_FAILURE() << "got " << shape.ToString();
    } catch (const Error& error) {
      EXPECT_EQ(error.status().code(), Code::kResourceExhausted);
    }
  }
}

#if !defined(__SANITIZE_ADDRESS__)
TEST(Allocator, GivesABlockAgain) {
  for (const int64_t elements : {16, 4096, 1 << 20}) {
    { Allocate(DType::kFloat, Shape({elements})); }
    const int64_t before = GetAllocatorStatistics().heap_allocations;
    for (int i = 0; i < 10; ++i) Allocate(DType::kFloat, Shape({elements}));
    EXPECT_EQ(GetAllocatorStatistics().heap_allocations, before);
  }
}

// What a step has in use at once is kept for the next one, also where that is more than is always kept; nothing is
// written to it here, so it takes no memory.
TEST(Allocator, KeepsWhatWasInUseAtOnce) {
  const int64_t elements = int64_t{40} << 20;  // 160 MiB
  const auto step = [&] {
    std::vector<Tensor> in_use;
    for (int i = 0; i < 8; ++i) in_use.push_back(Allocate(DType::kFloat, Shape({elements})));
  };
  step();
  EXPECT_GT(GetAllocatorStatistics().cached_bytes, int64_t{1} << 30);
  const int64_t before = GetAllocatorStatistics().heap_allocations;
  step();
  EXPECT_EQ(GetAllocatorStatistics().heap_allocations, before);
}

// The size that was wanted longest ago makes room for another.
TEST(Allocator, DropsWhatNobodyAsksForAnyMore) {
  const auto use = [](int64_t mebibytes) { Allocate(DType::kFloat, Shape({mebibytes << 18})); };
  for (const int64_t mebibytes : {700, 800, 600}) use(mebibytes);
  const int64_t before = GetAllocatorStatistics().heap_allocations;
  use(600);
  EXPECT_EQ(GetAllocatorStatistics().heap_allocations, before);
}
#endif

}  // namespace
}  // namespace plumb::fast

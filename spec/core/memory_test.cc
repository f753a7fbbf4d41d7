#include "spec/core/memory.h"

#include <gtest/gtest.h>

#include "spec/core/status_testing.h"
#include "spec/core/tensor.h"

namespace plumb {
namespace {

Code CodeOf(int64_t count, int64_t size) {
  try {
    RequireMemory(count, size);
  } catch (const Error& error) {
    return error.status().code();
  }
  return Code::kOk;
}

TEST(Memory, WhatNoMachineHasIsRefused) {
  EXPECT_EQ(CodeOf(1, 1), Code::kOk);
  EXPECT_EQ(CodeOf(1000, 8), Code::kOk);
  EXPECT_EQ(CodeOf(int64_t{1} << 50, 1), Code::kResourceExhausted);
  EXPECT_EQ(CodeOf(int64_t{1} << 62, 32), Code::kResourceExhausted);
}

TEST(Memory, TensorsOfAllKindsAskFirst) {
  for (const DType dtype : {DType::kFloat, DType::kString, DType::kBool}) {
    try {
      const Tensor tensor(dtype, Shape({int64_t{1} << 50}));
      FAIL() << DTypeName(dtype);
    } catch (const Error& error) {
      EXPECT_EQ(error.status().code(), Code::kResourceExhausted);
    }
  }
}

TEST(Memory, ABufferThatTheSystemDoesNotGiveIsRefused) {
  for (const size_t bytes : {size_t{1} << 60, SIZE_MAX}) {
    try {
      NewHeapBuffer(bytes);
      FAIL() << bytes;
    } catch (const Error& error) {
      EXPECT_EQ(error.status().code(), Code::kResourceExhausted);
    }
  }
}

TEST(Tensor, ThatNoMemoryCouldHoldIsRefused) {
  for (const int64_t elements : {int64_t{1} << 50, int64_t{1} << 60, int64_t{1} << 62}) {
    EXPECT_EQ(StatusOf([&] { Tensor(DType::kComplex128, Shape({elements})); }).code(), Code::kResourceExhausted)
        << elements;
  }
}

}  // namespace
}  // namespace plumb

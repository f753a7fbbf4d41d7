#include "spec/core/fences.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace plumb {
namespace {

constexpr size_t kSizes[] = {0, 1, 63, 64, 65, 4096, 10000};

volatile unsigned char* BytesOf(Buffer* buffer) { return static_cast<unsigned char*>(buffer->data); }

TEST(Fences, ElementsAreTheirOwnersAndBeginAsTheFenceByte) {
  for (const size_t bytes : kSizes) {
    Buffer* const buffer = NewFencedBuffer(bytes);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer->data) % kTensorAlignment, 0u);
    EXPECT_EQ(buffer->bytes, bytes);
    for (size_t i = 0; i < bytes; ++i) {
      EXPECT_EQ(BytesOf(buffer)[i], kFenceByte);
      BytesOf(buffer)[i] = 0;
    }
    buffer->Unref();
  }
}

// Of what is less than an alignment behind the elements, only a write is the end.
TEST(Fences, WhoGoesBesideThemEnds) {
  for (const size_t bytes : kSizes) {
    EXPECT_DEATH(
        {
          Buffer* const buffer = NewFencedBuffer(bytes);
          BytesOf(buffer)[bytes] = 1;
          buffer->Unref();
        },
        bytes % kTensorAlignment == 0 ? "" : "wrote behind");
    EXPECT_DEATH(
        {
          Buffer* const buffer = NewFencedBuffer(bytes);
          *(BytesOf(buffer) - 1) = 1;
          buffer->Unref();
        },
        bytes == 0 || bytes == 4096 ? "" : "wrote before");
    EXPECT_DEATH(static_cast<void>(BytesOf(NewFencedBuffer(bytes))[bytes + kTensorAlignment]), "");
  }
}

TEST(Fences, WhatNoMachineHoldsIsRefused) {
  for (const size_t bytes : {SIZE_MAX, SIZE_MAX - 64, SIZE_MAX - 8192, SIZE_MAX / 2}) {
    EXPECT_THROW(NewFencedBuffer(bytes), Error);
  }
}

}  // namespace
}  // namespace plumb

#include "fastpath/cpu/lib/strided_copy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "fastpath/cpu/lib/testing/int_tensors.h"

namespace plumb::fast::cpu {
namespace {

// 0, 1, 2, … as far as the type counts.
template <class T>
Tensor Counted(const Shape& shape) {
  Tensor x(DTypeOf<T>, shape);
  int64_t i = 0;
  for (T& value : x.mutable_data<T>()) value = static_cast<T>(i++);
  return x;
}

template <class T>
void ExpectTransposed(int64_t rows, int64_t columns) {
  const Tensor x = Counted<T>({rows, columns}), y = RunKernel1("Transpose", {x, Vector({1, 0})}, {}, 2);
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < columns; ++j) {
      ASSERT_EQ(y.data<T>()[static_cast<size_t>(j * rows + i)], static_cast<T>(i * columns + j))
          << rows << "x" << columns << " at " << i << "," << j;
    }
  }
}

TEST(StridedCopy, TransposesTilesOfEverySize) {
  for (const int64_t rows : {2, 3, 4, 5, 15, 16, 17, 31, 32, 33, 64, 67}) {
    for (const int64_t columns : {2, 3, 4, 5, 15, 16, 17, 31, 32, 33, 64, 67}) {
      ExpectTransposed<uint8_t>(rows, columns);
      ExpectTransposed<int16_t>(rows, columns);
      ExpectTransposed<int32_t>(rows, columns);
      ExpectTransposed<int64_t>(rows, columns);
    }
  }
  ExpectTransposed<int32_t>(2100, 67);  // spread over threads
}

TEST(StridedCopy, LinesWholeAndCutAreCopiedWhole) {
  for (const int32_t n : {65535, 65536, 65537, 131072, 131073}) {
    const std::vector<int32_t> y = Ints(RunKernel1("ReverseV2", {Iota({n}), Vector({0})}, {}, 2));
    for (int32_t i = 0; i < n; ++i) ASSERT_EQ(y[static_cast<size_t>(i)], n - 1 - i) << n;
    const std::vector<int32_t> same = Ints(RunKernel1("Fill", {Vector({n}), MakeScalar(7)}, {}, 2));
    EXPECT_EQ(std::count(same.begin(), same.end(), 7), n);
  }
}

TEST(StridedCopy, ManyVariantsAreCopiedOneByOne) {
  constexpr int64_t kRows = 300, kColumns = 100, kDepth = 3;
  Tensor x(DType::kVariant, {kRows, kColumns, kDepth});
  int64_t next = 0;
  for (Variant& value : x.mutable_data<Variant>()) value.metadata = std::to_string(next++);
  const Tensor y = RunKernel1("Transpose", {x, Vector({1, 0, 2})}, {}, 2);
  for (int64_t i = 0; i < kRows * kColumns * kDepth; ++i) {
    const int64_t column = i / (kRows * kDepth), row = i / kDepth % kRows;
    ASSERT_EQ(y.data<Variant>()[static_cast<size_t>(i)].metadata,
              std::to_string((row * kColumns + column) * kDepth + i % kDepth))
        << i;
  }
}

TEST(StridedCopy, ZerosFillMemoryOfAnySize) {
  constexpr int64_t kChunk = 1 << 20;
  for (const int64_t n : {kChunk - 1, kChunk, kChunk + 1, 2 * kChunk + 1}) {
    const Tensor zeros = RunKernel1("ZerosLike", {Counted<uint8_t>({n})}, {}, 2);
    EXPECT_EQ(std::count(zeros.data<uint8_t>().begin(), zeros.data<uint8_t>().end(), 0), n);
  }
}

template <class T>
void ExpectRowsOfEveryWidth() {
  for (int64_t width = 1; width <= 70; ++width) {
    const int64_t rows = width == 3 ? 40'000 : 5;
    const Tensor x = Counted<T>({rows, width + 2});
    const Tensor y = RunKernel1(
        "Slice", {x, Vector({0, 1}), Vector({static_cast<int32_t>(rows), static_cast<int32_t>(width)})}, {}, 2);
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t j = 0; j < width; ++j) {
        ASSERT_EQ(y.data<T>()[static_cast<size_t>(i * width + j)], static_cast<T>(i * (width + 2) + j + 1)) << width;
      }
    }
  }
}
TEST(StridedCopy, TakesLinesOfEveryWidth) {
  ExpectRowsOfEveryWidth<uint8_t>();
  ExpectRowsOfEveryWidth<int16_t>();
  ExpectRowsOfEveryWidth<int32_t>();
  ExpectRowsOfEveryWidth<int64_t>();
}

TEST(StridedCopy, FillsLinesOfEveryLength) {
  for (const int32_t n : {1, 2, 255, 256, 257, 1023, 1024, 1025, 3000, 200'000}) {
    const std::vector<int32_t> filled = Ints(RunKernel1("Fill", {Vector({n}), MakeScalar<int32_t>(7)}, {}, 2));
    EXPECT_EQ(filled, std::vector<int32_t>(static_cast<size_t>(n), 7)) << n;
  }
}

}  // namespace
}  // namespace plumb::fast::cpu

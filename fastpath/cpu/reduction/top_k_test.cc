#include <gtest/gtest.h>

#include <limits>

#include "fastpath/cpu/lib/testing/int_tensors.h"

namespace plumb::fast::cpu {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
using F = std::vector<float>;

TEST(TopK, SortsTheGreatestOfEachRow) {
  const Tensor x = MakeTensor<float>({2, 4}, {1, 9, 9, 3, 4, 3, 2, 1});
  const auto top = RunKernel("TopKV2", {x, MakeScalar(3)});
  EXPECT_EQ(Values<float>(top[0]), (F{9, 9, 3, 4, 3, 2}));
  EXPECT_EQ(Values<int32_t>(top[1]), (std::vector<int32_t>{1, 2, 3, 0, 1, 2}));
  // Worked out by hand: the heap of places 0 … 3 by value is 0 1 2 3; without its top, 2 1 3.
  const auto heap = RunKernel("TopKV2", {MakeVector<float>({1, 3, 2, 4}), MakeScalar(3)}, {{"sorted", false}});
  EXPECT_EQ(Values<int32_t>(heap[1]), (std::vector<int32_t>{2, 1, 3}));
  // What TensorFlow 2.12.1 answers.
  const auto later =
      RunKernel("TopKV2", {MakeVector<float>({3, 1, 2, 3, 3, 0, 7}), MakeScalar(3)}, {{"sorted", false}});
  EXPECT_EQ(Values<int32_t>(later[1]), (std::vector<int32_t>{3, 0, 6}));
  EXPECT_EQ(RunKernel("TopKV2", {x, MakeScalar(0)})[0].shape(), Shape({2, 0}));
  EXPECT_EQ(CodeOfKernel("TopKV2", {x, MakeScalar(5)}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("TopKV2", {x, MakeScalar(-1)}), Code::kInvalidArgument);
}

// NaN counts as the least: of rows of any length, and in any place.
TEST(TopK, PutsNaNLast) {
  for (const int64_t n : {2, 17, 150}) {
    for (const size_t place : {size_t{0}, static_cast<size_t>(n / 2), static_cast<size_t>(n - 1)}) {
      Tensor x = Zeros(DType::kFloat, {n});
      x.mutable_data<float>()[place] = std::numeric_limits<float>::quiet_NaN();
      for (const bool sorted : {false, true}) {
        const auto all_but_one =
            RunKernel("TopKV2", {x, MakeScalar(static_cast<int32_t>(n - 1))}, {{"sorted", sorted}});
        EXPECT_EQ(Values<float>(all_but_one[0]), F(static_cast<size_t>(n - 1), 0)) << place << " of " << n;
      }
    }
  }
}

TEST(InTopK, CountsGreaterPredictions) {
  const Tensor x = MakeTensor<float>({3, 3}, {1, 2, 3, 1, kInf, 3, 1, 2, 2});
  EXPECT_EQ(Values<bool>(RunKernel1("InTopK", {x, Vector({1, 0, 2})}, {{"k", int64_t{2}}})),
            (std::vector<bool>{true, false, true}));
  EXPECT_EQ(Values<bool>(RunKernel1("InTopK", {x, Vector({7, -1, 0})}, {{"k", int64_t{2}}})),
            (std::vector<bool>{false, false, false}));
  EXPECT_EQ(CodeOfKernel("InTopK", {x, Vector({1, 0, 2})}, {{"k", int64_t{1} << 31}}), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu

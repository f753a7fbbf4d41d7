#include <algorithm>
#include <limits>

#include "fastpath/gpu/lib/testing/both.h"

namespace plumb::fast {
namespace {

// Rows that a warp sorts and rows that eight do, of lengths that are powers of two and not; many are equal.
TEST(GpuTopK, IsThatOfTheCpuForRowsOfEveryLength) {
  for (const int64_t columns : {1, 2, 3, 31, 64, 65, 256, 777, 1024}) {
    ExpectSameOnBoth({"TopKV2",
                      {Digits({5, columns}, 200), MakeScalar(static_cast<int32_t>((columns + 1) / 2))},
                      {{"T", DType::kFloat}},
                      2});
  }
}

// However many they are, predictions that are not finite keep a row's target out of the top k.
TEST(GpuTopK, HasNoTargetOfRowsThatAreNotFinite) {
  for (const int64_t wild : {1, 40'000, 65'536}) {
    Tensor predictions(DType::kFloat, {2, 70'000});
    const auto row = predictions.mutable_data<float>();
    std::fill(row.begin(), row.end(), 0.0F);
    std::fill(row.begin(), row.begin() + wild, std::numeric_limits<float>::quiet_NaN());
    const Question question = {
        "InTopK", {predictions, MakeVector<int32_t>({69'999, 69'999})}, {{"k", int64_t{3}}, {"T", DType::kInt32}}};
    ExpectSameOnBoth(question);
    const Tensor is_in = AnswersTo(question, true).at(0);
    EXPECT_FALSE(is_in.data<bool>()[0]) << wild;
    EXPECT_TRUE(is_in.data<bool>()[1]) << wild;
  }
}

}  // namespace
}  // namespace plumb::fast

#include <cmath>

#include "fastpath/gpu/lib/testing/both.h"

namespace plumb::fast {
namespace {

Question Segments(const std::string& op, Tensor data, std::vector<int32_t> ids, int32_t segments) {
  return {op,
          {std::move(data), VectorOf(ids), MakeScalar(segments)},
          {{"T", DType::kFloat}, {"Tindices", DType::kInt32}, {"Tnumsegments", DType::kInt32}}};
}

// Some are negative, and belong to no segment.
std::vector<int32_t> Ids(int rows, int segments) {
  std::vector<int32_t> ids;
  for (int i = 0; i < rows; ++i) ids.push_back((i * 37 + i / 5) % (segments + 1) - 1);
  return ids;
}

// Rows wider than a warp and narrower; segments of few rows, of many, and more segments than threads of a block.
TEST(GpuSegments, AreThoseOfTheCpuForEveryWidth) {
  for (const char* op : {"UnsortedSegmentSum", "UnsortedSegmentMax", "UnsortedSegmentMin"}) {
    ExpectSameOnBoth(Segments(op, Digits({500, 40}), Ids(500, 7), 7));
    ExpectSameOnBoth(Segments(op, Digits({500, 3}), Ids(500, 7), 7));
    ExpectSameOnBoth(Segments(op, Digits({3000}), Ids(3000, 2), 2));
    ExpectSameOnBoth(Segments(op, Digits({700, 2}), Ids(700, 600), 600));
  }
}

// Of NaN and a number the later one counts, in whatever order the rows are found (N12).
TEST(GpuSegments, HaveTheExtremesOfTheCpuWhereNaNIs) {
  for (const Shape& shape : {Shape({500, 40}), Shape({3000})}) {
    Tensor data = Digits(shape);
    const auto x = data.mutable_data<float>();
    for (size_t i = 0; i < x.size(); i += 7) x[i] = i % 2 == 0 ? NAN : -0.F;
    const auto rows = static_cast<int>(shape[0]);
    ExpectSameOnBoth(Segments("UnsortedSegmentMax", data, Ids(rows, 7), 7));
    ExpectSameOnBoth(Segments("UnsortedSegmentMin", data, Ids(rows, 7), 7));
  }
}

// Rows are folded in their order, whatever order they are found in: the rounding of a sum shows it.
TEST(GpuSegments, EqualInputsHaveEqualSums) {
  Tensor data = Digits({2000}, 100000);
  for (float& value : data.mutable_data<float>()) value = 1.0F / (1.0F + value);
  const Question question = Segments("UnsortedSegmentSum", data, Ids(2000, 3), 3);
  const Tensor first = AnswersTo(question, true)[0];
  for (int again = 0; again < 2; ++again) EXPECT_TRUE(first.BitwiseEquals(AnswersTo(question, true)[0]));
}

}  // namespace
}  // namespace plumb::fast

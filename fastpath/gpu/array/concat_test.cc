// What shape rules refuse and kernels take, and what only kernels see.
#include "fastpath/gpu/lib/testing/both.h"

namespace plumb::fast {
namespace {

const Tensor kAxis = VectorOf(std::vector<int32_t>{1});

TEST(GpuConcat, TakesAnAxisOfOneElement) {
  const Tensor a = Digits(Shape({3, 2})), b = Digits(Shape({3, 5}));
  const AttrMap attrs = {{"N", 2}, {"T", DType::kFloat}, {"Tidx", DType::kInt32}};
  ExpectSameOnBoth({"ConcatV2", {a, b, kAxis}, attrs});
  ExpectSameOnBoth({"Concat", {kAxis, a, b}, {{"N", 2}, {"T", DType::kFloat}}});
}

TEST(GpuSplitV, TakesAnAxisOfOneElement) {
  const AttrMap attrs = {{"num_split", 3}, {"T", DType::kFloat}, {"Tlen", DType::kInt64}};
  const Tensor sizes = VectorOf(std::vector<int64_t>{1, -1, 2});
  ExpectSameOnBoth({"SplitV", {Digits(Shape({2, 7})), sizes, kAxis}, attrs, 3});
}

TEST(GpuConcat, RefusesWhatDoesNotFit) {
  const Tensor a = Digits(Shape({3, 2})), scalar = MakeScalar<int32_t>(0);
  const AttrMap concat = {{"N", 2}, {"T", DType::kFloat}, {"Tidx", DType::kInt32}};
  const AttrMap split = {{"num_split", 2}, {"T", DType::kFloat}, {"Tlen", DType::kInt64}};
  const AttrMap broadcast = {{"T", DType::kFloat}, {"Tidx", DType::kInt32}};
  const Question questions[] = {
      {"ConcatV2", {a, Digits(Shape({3, 3})), scalar}, concat},
      {"ConcatV2", {a, Digits(Shape({3})), scalar}, concat},
      {"ConcatV2", {a, a, MakeScalar<int32_t>(2)}, concat},
      {"ConcatV2", {a, a, VectorOf(std::vector<int32_t>{0, 1})}, concat},
      {"SplitV", {a, VectorOf(std::vector<int64_t>{1, 1}), scalar}, split, 2},
      {"SplitV", {a, VectorOf(std::vector<int64_t>{-1, -1}), scalar}, split, 2},
      {"SplitV", {a, VectorOf(std::vector<int64_t>{1, 1, 1}), scalar}, split, 2},
      {"BroadcastTo", {MakeScalar(1.0f), MakeScalar<int32_t>(3)}, broadcast},
      {"BroadcastTo", {a, VectorOf(std::vector<int32_t>{0, 3})}, broadcast},
  };
  for (const Question& question : questions) {
    EXPECT_EQ(StatusOf(question).code(), Code::kInvalidArgument) << question.op;
  }
}

}  // namespace
}  // namespace plumb::fast

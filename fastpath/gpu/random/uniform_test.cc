#include "fastpath/gpu/lib/testing/both.h"

namespace plumb::fast {
namespace {

// Several blocks of threads, whose last group is whole or not.
TEST(GpuRandom, DrawsTheWordsOfTheCpu) {
  for (const int32_t size : {1, 4, 1024, 100003}) {
    const Tensor shape = VectorOf(std::vector<int32_t>{size});
    AttrMap attrs = {{"seed", int64_t{3}}, {"seed2", int64_t{-9}}, {"T", DType::kInt32}};
    for (const DType type : {DType::kFloat, DType::kDouble, DType::kHalf, DType::kBfloat16}) {
      attrs["dtype"] = type;
      ExpectSameOnBoth({"RandomUniform", {shape}, attrs});
    }
  }
}

TEST(GpuRandom, DrawsTheIntegersOfTheCpu) {
  AttrMap attrs = {{"seed", int64_t{3}}, {"seed2", int64_t{5}}, {"T", DType::kInt32}};
  const Tensor shape = VectorOf(std::vector<int32_t>{5, 1001});
  attrs["Tout"] = DType::kInt32;
  ExpectSameOnBoth({"RandomUniformInt", {shape, MakeScalar<int32_t>(-7), MakeScalar<int32_t>(2000000000)}, attrs});
  attrs["Tout"] = DType::kInt64;
  ExpectSameOnBoth(
      {"RandomUniformInt", {shape, MakeScalar<int64_t>(-7), MakeScalar<int64_t>(int64_t{1} << 50)}, attrs});
}

}  // namespace
}  // namespace plumb::fast

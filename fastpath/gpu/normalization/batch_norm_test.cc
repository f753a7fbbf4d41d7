// Channels that are read several at a time, and others. Numbers are such that nothing is rounded.
#include "fastpath/gpu/lib/testing/both.h"

namespace plumb::fast {
namespace {

TEST(GpuBatchNorm, ImagesAreThoseOfTheCpuForEveryNumberOfChannels) {
  for (const int64_t channels : {1, 3, 4, 7, 8}) {
    const Shape vector({channels});
    Tensor scale(DType::kFloat, vector), variance(DType::kFloat, vector);
    for (float& value : scale.mutable_data<float>()) value = 4;
    for (float& value : variance.mutable_data<float>()) value = 3;
    const Question question = {
        "FusedBatchNorm",
        {Digits(Shape({2, 3, 5, channels})), scale, Digits(vector), Digits(vector, 5), variance},
        {{"T", DType::kFloat}, {"epsilon", 1.0F}, {"data_format", "NHWC"}, {"is_training", false}},
        1};
    ExpectSameOnBoth(question);
  }
}

}  // namespace
}  // namespace plumb::fast

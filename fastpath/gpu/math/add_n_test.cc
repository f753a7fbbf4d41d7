#include "fastpath/gpu/lib/testing/both.h"

namespace plumb::fast {
namespace {

// As many terms as one launch takes, and more. 16-bit sums are rounded at their end only.
TEST(GpuAddN, TakesAnyNumberOfTerms) {
  for (const int64_t terms : {128, 129, 300}) {
    const AttrMap attrs = {{"N", terms}, {"T", DType::kFloat}};
    std::vector<Tensor> inputs;
    for (int64_t i = 0; i < terms; ++i) inputs.push_back(Digits(Shape({3, 111}), 5 + i));
    ExpectSameOnBoth({"AddN", inputs, attrs});
    for (Tensor& input : inputs) {
      Tensor half(DType::kHalf, input.shape());
      for (int64_t i = 0; i < input.elements(); ++i) {
        half.mutable_data<Half>()[static_cast<size_t>(i)] = Half(input.data<float>()[static_cast<size_t>(i)] * 1.125F);
      }
      input = half;
    }
    ExpectSameOnBoth({"AddN", inputs, {{"N", terms}, {"T", DType::kHalf}}});
  }
}

}  // namespace
}  // namespace plumb::fast

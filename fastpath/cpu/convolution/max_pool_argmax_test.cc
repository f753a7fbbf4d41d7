#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using Floats = std::vector<float>;
using Ints = std::vector<int64_t>;

AttrMap Attrs(bool with_batch) {
  return {{"ksize", Ints{1, 1, 2, 1}},
          {"strides", Ints{1, 1, 2, 1}},
          {"padding", "VALID"},
          {"Targmax", DType::kInt64},
          {"include_batch_in_index", with_batch}};
}

TEST(MaxPoolWithArgmax, SaysWhereTheLargestStand) {
  const Tensor x = MakeTensor<float>({2, 1, 2, 1}, {1, 5, 3, 3});
  const std::vector<Tensor> in_image = RunKernel("MaxPoolWithArgmax", {x}, Attrs(false));
  EXPECT_EQ(Values<float>(in_image[0]), Floats({5, 3}));
  EXPECT_EQ(Values<int64_t>(in_image[1]), Ints({1, 0}));
  EXPECT_EQ(Values<int64_t>(RunKernel("MaxPoolWithArgmax", {x}, Attrs(true))[1]), Ints({1, 2}));
}

TEST(MaxPoolGradWithArgmax, GoesWhereItIsTold) {
  const Tensor x = Zeros(DType::kFloat, {2, 1, 2, 1}), dy = MakeTensor<float>({2, 1, 1, 1}, {7, 9});
  const auto places = [](int64_t a, int64_t b) { return MakeTensor<int64_t>({2, 1, 1, 1}, {a, b}); };
  EXPECT_EQ(Values<float>(RunKernel1("MaxPoolGradWithArgmax", {x, dy, places(1, 0)}, Attrs(false))),
            Floats({0, 7, 9, 0}));
  EXPECT_EQ(Values<float>(RunKernel1("MaxPoolGradWithArgmax", {x, dy, places(1, 2)}, Attrs(true))),
            Floats({0, 7, 9, 0}));
  EXPECT_EQ(CodeOfKernel("MaxPoolGradWithArgmax", {x, dy, places(1, 2)}, Attrs(false)), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("MaxPoolGradWithArgmax", {x, dy, places(1, 1)}, Attrs(true)), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("MaxPoolGradWithArgmax", {x, dy, places(-1, 0)}, Attrs(false)), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu

#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/int_tensors.h"
#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

// As TensorFlow 2.12.1 answers.
TEST(SpaceToBatch, OfTheFirstVersionTakesSquares) {
  const AttrMap squares = {{"block_size", int64_t{2}}};
  const Tensor x = Iota({1, 4, 4, 1}), columns = MakeTensor<int32_t>({2, 2}, {0, 0, 1, 1});
  const Tensor batched = RunKernel1("SpaceToBatch", {x, columns}, squares);
  EXPECT_EQ(batched.shape(), Shape({4, 2, 3, 1}));
  EXPECT_EQ(Ints(batched),
            (std::vector<int32_t>{0, 1, 3, 0, 9, 11, 0, 2, 0, 8, 10, 0, 0, 5, 7, 0, 13, 15, 4, 6, 0, 12, 14, 0}));
  const Tensor crops = MakeTensor<int32_t>({2, 2}, {0, 1, 1, 0});
  const Tensor wide = RunKernel1("BatchToSpace", {Iota({4, 1, 2, 1}), crops}, squares);
  EXPECT_EQ(wide.shape(), Shape({1, 1, 3, 1}));
  EXPECT_EQ(Ints(wide), (std::vector<int32_t>{2, 1, 3}));
}

TEST(SpaceToBatch, OfTheFirstVersionKnowsImagesOnly) {
  const AttrMap squares = {{"block_size", int64_t{2}}};
  const Tensor columns = MakeTensor<int32_t>({2, 2}, {0, 0, 1, 1});
  EXPECT_EQ(CodeOfKernel("SpaceToBatch", {Iota({4, 4, 1}), columns}, squares), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("SpaceToBatch", {Iota({1, 4, 3, 1}), columns}, squares), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("SpaceToBatch", {Iota({1, 4, 4, 1}), MakeTensor<int32_t>({1, 2}, {1, 1})}, squares),
            Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("BatchToSpace", {Iota({2, 2, 2, 1}), columns}, squares), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu

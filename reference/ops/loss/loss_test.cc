#include <gmock/gmock.h>

#include <cmath>

#include "reference/kernel/kernel_testing.h"

namespace plumb::reference {
namespace {

using testing::ElementsAre;

TEST(Loss, SparseAndDenseCrossEntropyAgree) {
  const Value logits = MakeTensor<float>({2, 2}, {0, 0, 3, 1});
  const auto dense = KernelCall{
      "SoftmaxCrossEntropyWithLogits",
      {logits, MakeTensor<float>({2, 2}, {0, 1, 1, 0})},
      {},
      {DType::kFloat,
       DType::kFloat}}.Run();
  const auto sparse =
      KernelCall{"SparseSoftmaxCrossEntropyWithLogits", {logits, Ints({1, 0})}, {}, {DType::kFloat, DType::kFloat}}
          .Run();
  EXPECT_EQ(Floats(dense[0]), Floats(sparse[0]));
  EXPECT_EQ(Floats(dense[1]), Floats(sparse[1]));
  EXPECT_EQ(Floats(sparse[0])[0], std::log(2.0f));
  EXPECT_EQ(Floats(sparse[1])[1], -0.5f);
}

TEST(Loss, LabelsOutsideTheClassesAreRefused) {
  for (const int label : {-1, 2}) {
    const KernelCall call{"SparseSoftmaxCrossEntropyWithLogits",
                          {MakeTensor<float>({1, 2}, {0, 1}), Ints({label})},
                          {},
                          {DType::kFloat, DType::kFloat}};
    EXPECT_EQ(call.Fails(), Code::kInvalidArgument) << label;
  }
}

TEST(Loss, L2IsHalfTheSumOfSquares) {
  EXPECT_THAT(Floats(KernelCall{"L2Loss", {Vector({3, 4})}}()), ElementsAre(12.5));
}

}  // namespace
}  // namespace plumb::reference

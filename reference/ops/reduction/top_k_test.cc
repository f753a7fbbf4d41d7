#include <gmock/gmock.h>

#include "reference/kernel/kernel_testing.h"

namespace plumb::reference {
namespace {

using testing::ElementsAre;

TEST(Reduction, TopKSortsAndPrefersTheEarlierOfEquals) {
  const KernelCall call{"TopKV2", {Vector({1, 3, 2, 3}), Int(3)}, {{"sorted", true}}, {DType::kFloat, DType::kInt32}};
  const auto top = call.Run();
  EXPECT_THAT(Floats(top[0]), ElementsAre(3, 3, 2));
  EXPECT_THAT(Integers(top[1]), ElementsAre(1, 3, 2));
  for (const int k : {-1, 5}) {
    const KernelCall bad{"TopKV2", {Vector({1, 3}), Int(k)}, {{"sorted", true}}, {DType::kFloat, DType::kInt32}};
    EXPECT_EQ(bad.Fails(), Code::kInvalidArgument) << k;
  }
}

TEST(Reduction, TopKHasItsNumberAsAnAttribute) {
  const AttrMap attrs = {{"k", 2}, {"sorted", true}};
  const KernelCall call{"TopK", {Vector({1, 3, 2, 3})}, attrs, {DType::kFloat, DType::kInt32}};
  EXPECT_THAT(Integers(call.Run()[1]), ElementsAre(1, 3));
  const KernelCall bad{"TopK", {Vector({1})}, attrs, {DType::kFloat, DType::kInt32}};
  EXPECT_EQ(bad.Fails(), Code::kInvalidArgument);
}

TEST(Reduction, TopKWithoutOrderHoldsTheSameElements) {
  const KernelCall call{
      "TopKV2", {Vector({0.1f, 0.3f, 0.2f, 0.4f}), Int(3)}, {{"sorted", false}}, {DType::kFloat, DType::kInt32}};
  EXPECT_THAT(Integers(call.Run()[1]), testing::UnorderedElementsAre(1, 2, 3));
}

TEST(Reduction, InTopKKnowsNothingOfTargetsOutsideOrNumbersThatAreNotFinite) {
  const Tensor scores = MakeTensor<float>({4, 3}, {1, 2, 3, 1, 2, 3, INFINITY, 2, 3, 1, 2, 3});
  const KernelCall call{"InTopK", {scores, Ints({1, 0, 1, 3})}, {{"k", 2}}, {DType::kBool}};
  EXPECT_THAT(Integers(call()), ElementsAre(1, 0, 0, 0));
  const KernelCall wide{"InTopK", {scores, Ints({1, 0, 1, 3})}, {{"k", int64_t{1} << 31}}, {DType::kBool}};
  EXPECT_EQ(wide.Fails(), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::reference

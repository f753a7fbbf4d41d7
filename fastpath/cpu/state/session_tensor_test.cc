#include <gmock/gmock.h>

#include "fastpath/cpu/lib/testing/kernel_harness.h"

namespace plumb::fast::cpu {
namespace {

using testing::ElementsAre;

Entry Value(Tensor tensor) { return {.tensor = std::move(tensor), .ref = nullptr}; }
Entry Text(std::string text) { return Value(MakeScalar(std::move(text))); }

// S11.
TEST(SessionTensor, IsKeptUntilItIsDeleted) {
  KernelHarness harness;
  const auto keep = [&](const std::string& node, Tensor tensor) {
    return harness.Run(node, "GetSessionHandle", {Value(std::move(tensor))}).at(0).tensor.scalar<std::string>();
  };
  const AttrMap floats = {{"dtype", DType::kFloat}};
  const std::string first = keep("a", MakeVector<float>({1, 2})), second = keep("a", MakeScalar<float>(3));
  EXPECT_TRUE(first.starts_with("a;0;")) << first;
  EXPECT_TRUE(second.starts_with("a;1;")) << second;
  EXPECT_THAT(Values<float>(harness.Value("GetSessionTensor", {Text(first)}, floats)), ElementsAre(1, 2));
  EXPECT_EQ(harness.CodeOf("GetSessionTensor", {Text(first)}, {{"dtype", DType::kInt32}}), Code::kInternal);
  EXPECT_EQ(harness.CodeOf("DeleteSessionTensor", {Text(first)}), Code::kOk);
  EXPECT_EQ(harness.CodeOf("DeleteSessionTensor", {Text(first)}), Code::kInvalidArgument);
  EXPECT_EQ(harness.CodeOf("GetSessionTensor", {Text(first)}, floats), Code::kInvalidArgument);
  EXPECT_THAT(Values<float>(harness.Value("GetSessionTensor", {Text(second)}, floats)), ElementsAre(3));
}

}  // namespace
}  // namespace plumb::fast::cpu

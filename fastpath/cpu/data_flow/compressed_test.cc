#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using Types = std::vector<DType>;

TEST(CompressedElement, GivesBackItsComponents) {
  const Tensor x = MakeVector<float>({1, 2}), text = MakeScalar<std::string>("as it was");
  const Tensor element =
      RunKernel1("CompressElement", {x, text}, {{"input_types", Types{DType::kFloat, DType::kString}}});
  const auto wanted = [](const Types& types) -> AttrMap {
    return {{"output_types", types},
            {"output_shapes", std::vector<PartialShape>(types.size(), PartialShape::Unknown())}};
  };
  const auto parts = RunKernel("UncompressElement", {element}, wanted({DType::kFloat, DType::kString}));
  EXPECT_TRUE(parts.at(0).BitwiseEquals(x));
  EXPECT_EQ(parts.at(1).scalar<std::string>(), "as it was");
  EXPECT_EQ(CodeOfKernel("UncompressElement", {element}, wanted({DType::kFloat})), Code::kFailedPrecondition);
  EXPECT_EQ(CodeOfKernel("UncompressElement", {element}, wanted({DType::kFloat, DType::kInt32})),
            Code::kFailedPrecondition);
  EXPECT_EQ(CodeOfKernel("UncompressElement", {MakeScalar(Variant())}, wanted({DType::kFloat})),
            Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu

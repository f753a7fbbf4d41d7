#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using Types = std::vector<DType>;
using Shapes = std::vector<PartialShape>;

const PartialShape kAny = PartialShape::Unknown();

AttrMap Parts(const Types& types, const Shapes& shapes) { return {{"output_types", types}, {"output_shapes", shapes}}; }

TEST(Optional, HoldsItsComponents) {
  const Types types = {DType::kFloat, DType::kInt32};
  const Tensor x = MakeVector<float>({1, 2}), n = MakeScalar(7);
  const Tensor some = RunKernel1("OptionalFromValue", {x, n}, {{"Toutput_types", types}});
  EXPECT_TRUE(RunKernel1("OptionalHasValue", {some}).scalar<bool>());
  const auto parts = RunKernel("OptionalGetValue", {some}, Parts(types, {kAny, PartialShape(Shape())}));
  EXPECT_TRUE(parts.at(0).BitwiseEquals(x));
  EXPECT_TRUE(parts.at(1).BitwiseEquals(n));
  const auto code = [&](const Types& wanted, const Shapes& shapes) {
    return CodeOfKernel("OptionalGetValue", {some}, Parts(wanted, shapes));
  };
  EXPECT_EQ(code({DType::kFloat}, {kAny}), Code::kInvalidArgument);
  EXPECT_EQ(code({DType::kFloat, DType::kInt64}, {kAny, kAny}), Code::kInvalidArgument);
  EXPECT_EQ(code(types, {PartialShape{3}, kAny}), Code::kInvalidArgument);
  EXPECT_EQ(code(types, {kAny}), Code::kInvalidArgument);
}

TEST(Optional, MayHoldNothing) {
  const Tensor none = RunKernel1("OptionalNone", {});
  EXPECT_FALSE(RunKernel1("OptionalHasValue", {none}).scalar<bool>());
  EXPECT_EQ(CodeOfKernel("OptionalGetValue", {none}, Parts({DType::kFloat}, {kAny})), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("OptionalHasValue", {MakeVector<Variant>({{}, {}})}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("OptionalHasValue", {MakeScalar(Variant())}), Code::kInvalidArgument);
}

TEST(Optional, IsAddedToOneThatHoldsAsMuch) {
  const Tensor some =
      RunKernel1("OptionalFromValue", {MakeVector<float>({1, 2})}, {{"Toutput_types", Types{DType::kFloat}}});
  const Tensor none = RunKernel1("OptionalNone", {});
  const auto value = [](const Tensor& optional) {
    return Values<float>(RunKernel1("OptionalGetValue", {optional}, Parts({DType::kFloat}, {kAny})));
  };
  EXPECT_EQ(value(RunKernel1("AddN", {some, some})), (std::vector<float>{2, 4}));
  EXPECT_EQ(value(RunKernel1("ZerosLike", {some})), (std::vector<float>{0, 0}));
  EXPECT_FALSE(RunKernel1("OptionalHasValue", {RunKernel1("AddN", {none, none})}).scalar<bool>());
  EXPECT_FALSE(RunKernel1("OptionalHasValue", {RunKernel1("ZerosLike", {none})}).scalar<bool>());
  EXPECT_EQ(CodeOfKernel("AddN", {some, none}), Code::kInvalidArgument);
}

TEST(Optional, IsNotAddedToAnotherKind) {
  const Tensor x = MakeVector<float>({1, 2, 3});
  const AttrMap whole = {{"RAGGED_RANK", int64_t{1}}, {"batched_input", false}};
  const std::vector<Tensor> kinds = {
      RunKernel1("OptionalNone", {}), RunKernel1("TensorListFromTensor", {x, MakeVector<int32_t>({})}),
      RunKernel1("RaggedTensorToVariant", {MakeVector<int64_t>({0, 1, 3}), x}, whole), MakeScalar(Variant())};
  for (size_t a = 0; a < kinds.size(); ++a) {
    for (size_t b = 0; b < kinds.size(); ++b) {
      if (a == b) continue;
      EXPECT_EQ(CodeOfKernel("AddN", {kinds[a], kinds[b]}), Code::kInvalidArgument) << a << ", " << b;
    }
  }
}

}  // namespace
}  // namespace plumb::fast::cpu

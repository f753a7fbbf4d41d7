// TensorArrays that strings name (TA9).
#include <gtest/gtest.h>

#include <utility>

#include "fastpath/cpu/lib/testing/kernel_harness.h"
#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using Floats = std::vector<float>;

const Tensor kRows = MakeTensor<float>({2, 2}, {1, 2, 3, 4});
const AttrMap kDType = {{"dtype", DType::kFloat}};
Entry Index(int32_t index) { return In(MakeScalar(index)); }
Entry Flow() { return In(MakeScalar<float>(0)); }
Entry Row() { return In(MakeVector<float>({5, 6})); }
Entry Swapped() { return In(MakeVector<int32_t>({1, 0})); }
Entry Lengths() { return In(MakeVector<int64_t>({1, 1})); }

Entry MakeFirst(KernelHarness& harness, AttrMap attrs = {}) {
  attrs.try_emplace("dtype", DType::kFloat);
  return harness.Run("TensorArray", {Index(2)}, std::move(attrs))[0];
}
Entry MakeSecond(KernelHarness& harness) { return harness.Run("TensorArrayV2", {Index(2)}, kDType)[0]; }

TEST(OlderTensorArrays, TheFirstVersionIsNamedByAReference) {
  KernelHarness harness;
  const Entry array = MakeFirst(harness);
  ASSERT_NE(array.ref, nullptr);
  harness.Run("TensorArrayWrite", {array, Index(1), Row(), Flow()});
  EXPECT_EQ(Values<float>(harness.Value("TensorArrayRead", {array, Index(1), Flow()}, kDType)), Floats({5, 6}));
  EXPECT_EQ(harness.Value("TensorArraySize", {array, Flow()}).scalar<int32_t>(), 2);
  const Entry scattered = MakeFirst(harness), split = MakeFirst(harness);
  harness.Run("TensorArrayScatter", {scattered, Swapped(), In(kRows), Flow()});
  EXPECT_EQ(Values<float>(harness.Value("TensorArrayGather", {scattered, Swapped(), Flow()}, kDType)),
            Floats({1, 2, 3, 4}));
  harness.Run("TensorArraySplit", {split, In(kRows), Lengths(), Flow()});
  EXPECT_EQ(Values<float>(harness.Value("TensorArrayConcat", {split, Flow()}, kDType)), Floats({1, 2, 3, 4}));
  EXPECT_EQ(harness.CodeOf("TensorArrayClose", {array}), Code::kOk);
  EXPECT_EQ(harness.CodeOf("TensorArraySize", {array, Flow()}), Code::kInvalidArgument);
}

TEST(OlderTensorArrays, TheSecondVersionIsNamedByStrings) {
  KernelHarness harness;
  const Entry array = MakeSecond(harness);
  EXPECT_EQ(Values<std::string>(array.tensor)[0], "_tensor_arrays");
  harness.Run("TensorArrayWriteV2", {array, Index(1), Row(), Flow()});
  EXPECT_EQ(Values<float>(harness.Value("TensorArrayReadV2", {array, Index(1), Flow()}, kDType)), Floats({5, 6}));
  EXPECT_EQ(harness.Value("TensorArraySizeV2", {array, Flow()}).scalar<int32_t>(), 2);
  const Entry scattered = MakeSecond(harness), split = MakeSecond(harness);
  harness.Run("TensorArrayScatterV2", {scattered, Swapped(), In(kRows), Flow()});
  EXPECT_EQ(Values<float>(harness.Value("TensorArrayGatherV2", {scattered, Swapped(), Flow()}, kDType)),
            Floats({1, 2, 3, 4}));
  harness.Run("TensorArraySplitV2", {split, In(kRows), Lengths(), Flow()});
  EXPECT_EQ(Values<float>(harness.Value("TensorArrayConcatV2", {split, Flow()}, kDType)), Floats({1, 2, 3, 4}));
  EXPECT_EQ(harness.CodeOf("TensorArrayCloseV2", {array}), Code::kOk);
  EXPECT_EQ(harness.CodeOf("TensorArraySizeV2", {array, Flow()}), Code::kInvalidArgument);
}

TEST(OlderTensorArrays, PackAndUnpackAllRows) {
  KernelHarness harness;
  const Entry array = MakeFirst(harness), shaped = MakeFirst(harness, {{"element_shape", PartialShape{2}}});
  harness.Run("TensorArrayUnpack", {array, In(kRows), Flow()});
  EXPECT_EQ(Values<float>(harness.Value("TensorArrayPack", {array, Flow()}, kDType)), Floats({1, 2, 3, 4}));
  EXPECT_EQ(harness.CodeOf("TensorArrayPack", {array, Flow()}, kDType), Code::kInvalidArgument);  // read twice
  EXPECT_EQ(Values<float>(harness.Value("TensorArrayPack", {shaped, Flow()}, kDType)), Floats({0, 0, 0, 0}));
  const Tensor three = MakeTensor<float>({3, 1}, {1, 2, 3});
  const Entry fixed = MakeFirst(harness), growing = MakeFirst(harness, {{"dynamic_size", true}});
  EXPECT_EQ(harness.CodeOf("TensorArrayUnpack", {fixed, In(three), Flow()}), Code::kInvalidArgument);
  EXPECT_EQ(harness.CodeOf("TensorArrayUnpack", {fixed, Flow(), Flow()}), Code::kInvalidArgument);  // a scalar
  harness.Run("TensorArrayUnpack", {growing, In(three), Flow()});
  EXPECT_EQ(Values<float>(harness.Value("TensorArrayPack", {growing, Flow()}, kDType)), Floats({1, 2, 3}));
}

// Pack of a gradient takes what was unpacked, though the array has grown since; and the gradient has none itself.
TEST(OlderTensorArrays, HaveGradients) {
  KernelHarness harness;
  const AttrMap source = {{"source", "gradients"}};
  const Entry array = MakeFirst(harness, {{"dynamic_size", true}});
  harness.Run("TensorArrayUnpack", {array, In(kRows), Flow()});
  harness.Run("TensorArrayWrite", {array, Index(2), Row(), Flow()});
  const Entry gradient = harness.Run("TensorArrayGrad", {array, Flow()}, source)[0];
  harness.Run("TensorArrayWrite",
              {harness.Run("TensorArrayGrad", {array, Flow()}, source)[0], Index(1), Row(), Flow()});
  EXPECT_EQ(Values<float>(harness.Value("TensorArrayPack", {gradient, Flow()}, kDType)), Floats({0, 0, 5, 6}));
  EXPECT_EQ(harness.CodeOf("TensorArrayGrad", {gradient, Flow()}, source), Code::kInvalidArgument);
  const Entry second = MakeSecond(harness);
  harness.Run("TensorArrayWriteV2", {second, Index(0), Row(), Flow()});
  const Entry of_second = harness.Run("TensorArrayGradV2", {second, Flow()}, source)[0];
  EXPECT_EQ(Values<std::string>(of_second.tensor)[0], "_tensor_array_grads");
  EXPECT_EQ(Values<float>(harness.Value("TensorArrayReadV2", {of_second, Index(0), Flow()}, kDType)), Floats({0, 0}));
}

TEST(OlderTensorArrays, AreFoundByTheirTwoStrings) {
  KernelHarness harness;
  const auto code = [&](Tensor strings) {
    return harness.CodeOf("TensorArrayConcatV2", {In(std::move(strings)), Flow()}, kDType);
  };
  EXPECT_EQ(code(MakeVector<std::string>({"_tensor_arrays", "x"})), Code::kNotFound);
  EXPECT_EQ(code(MakeVector<std::string>({"_tensor_arrays"})), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "fastpath/cpu/lib/testing/kernel_harness.h"
#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using Numbers = std::vector<int64_t>;
const AttrMap kInt64 = {{"dtype", DType::kInt64}};
Entry Algorithm(int32_t number) { return In(MakeScalar(number)); }
Entry Delta(uint64_t delta) { return In(MakeScalar(delta)); }

// A variable with this value.
Entry Kept(KernelHarness& harness, const Tensor& value) {
  const Entry handle =
      harness.Run("VarHandleOp", {}, {{"dtype", value.dtype()}, {"shape", PartialShape()}, {"shared_name", "g"}})[0];
  harness.Run("AssignVariableOp", {handle, In(value)});
  return handle;
}

// R88, as TensorFlow 2.12.1 answers.
TEST(Generator, SkipsBlocksOfItsCounterAndGivesWhatWasBefore) {
  const auto after = [](const Numbers& state, int32_t algorithm, uint64_t delta) {
    KernelHarness harness;
    Tensor value(DType::kInt64, {static_cast<int64_t>(state.size())});
    std::copy(state.begin(), state.end(), value.mutable_data<int64_t>().begin());
    const Entry handle = Kept(harness, value);
    EXPECT_EQ(Values<int64_t>(harness.Value("RngReadAndSkip", {handle, Algorithm(algorithm), Delta(delta)})), state);
    return Values<int64_t>(harness.Value("ReadVariableOp", {handle}, kInt64));
  };
  EXPECT_EQ(after({1, 2, 3}, 1, 5), Numbers({1281, 2, 3}));
  EXPECT_EQ(after({1, 2, 3}, 3, 1), Numbers({257, 2, 3}));
  EXPECT_EQ(after({5, 0, 7}, 1, 0), Numbers({5, 0, 7}));
  EXPECT_EQ(after({-1, 2, 3}, 1, 1), Numbers({255, 3, 3}));
  EXPECT_EQ(after({-1, -1, 3}, 1, 1), Numbers({255, 0, 3}));
  EXPECT_EQ(after({0, 0, 7}, 1, (uint64_t{1} << 56) - 1), Numbers({-256, 0, 7}));
  EXPECT_EQ(after({0, 0, 7}, 1, uint64_t{1} << 60), Numbers({0, 0, 7})) << "256 times that is a multiple of 2^64";
}

TEST(Generator, RefusesWhatIsNoStateOfOne) {
  const auto code = [](const Tensor& value, const Tensor& algorithm, const Tensor& delta) {
    KernelHarness harness;
    return harness.CodeOf("RngReadAndSkip", {Kept(harness, value), In(algorithm), In(delta)});
  };
  const Tensor state = MakeVector<int64_t>({1, 2, 3}), one = MakeScalar<uint64_t>(1);
  EXPECT_EQ(code(state, MakeScalar<int32_t>(2), one), Code::kUnimplemented);
  EXPECT_EQ(code(state, MakeScalar<int32_t>(0), one), Code::kInvalidArgument);
  EXPECT_EQ(code(state, MakeVector<int32_t>({1}), one), Code::kInvalidArgument);
  EXPECT_EQ(code(state, MakeScalar<int32_t>(1), MakeVector<uint64_t>({1})), Code::kInvalidArgument);
  EXPECT_EQ(code(MakeVector<int64_t>({1, 2}), MakeScalar<int32_t>(1), one), Code::kInvalidArgument);
  EXPECT_EQ(code(MakeVector<int64_t>({1, 2}), MakeScalar<int32_t>(2), one), Code::kUnimplemented);
  EXPECT_EQ(code(MakeVector<int32_t>({1, 2, 3}), MakeScalar<int32_t>(1), one), Code::kInvalidArgument);
  EXPECT_EQ(code(MakeScalar<int64_t>(1), MakeScalar<int32_t>(1), one), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu

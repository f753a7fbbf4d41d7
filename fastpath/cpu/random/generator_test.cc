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

// R88, as TensorFlow 2.12.1 answers.
TEST(Generator, SkipsWithoutGivingAnything) {
  const auto after = [](const Numbers& state, int64_t algorithm, int64_t delta) {
    KernelHarness harness;
    const Entry handle = Kept(harness, MakeVector<int64_t>({state[0], state[1], state[2]}));
    harness.Run("RngSkip", {handle, In(MakeScalar(algorithm)), In(MakeScalar(delta))});
    return Values<int64_t>(harness.Value("ReadVariableOp", {handle}, kInt64));
  };
  EXPECT_EQ(after({1, 2, 3}, 1, 5), Numbers({1281, 2, 3}));
  EXPECT_EQ(after({1, 2, 3}, 3, 5), Numbers({1281, 2, 3}));
  EXPECT_EQ(after({1, 2, 3}, 1, -1), Numbers({-255, 2, 3}));
}

struct Drawn {
  Tensor numbers;
  Numbers state;  // afterwards
};

// What an op makes of the shape [3] and of a variable that holds 1, 2, 3, 4.
Drawn Draw(std::string_view op, const AttrMap& attrs, std::vector<Tensor> limits = {}) {
  KernelHarness harness;
  const Entry handle = Kept(harness, MakeVector<int64_t>({1, 2, 3, 4}));
  std::vector<Entry> inputs = {handle, In(MakeScalar<int64_t>(1)), In(MakeVector<int64_t>({3}))};
  for (Tensor& limit : limits) inputs.push_back(In(std::move(limit)));
  Tensor numbers = harness.Value(op, std::move(inputs), attrs);
  return {std::move(numbers), Values<int64_t>(harness.Value("ReadVariableOp", {handle}, kInt64))};
}

// The next three hold what TensorFlow 2.12.1 answers.
TEST(StoredGenerator, GivesUniformNumbers) {
  const Drawn floats = Draw("StatefulUniform", {{"dtype", DType::kFloat}});
  EXPECT_EQ(Values<float>(floats.numbers), (std::vector<float>{0.45901167F, 0.53342485F, 0.9627732F}));
  EXPECT_EQ(floats.state, Numbers({769, 2, 3, 4}));
  const auto integers = [](DType type) { return Draw("StatefulUniformFullInt", {{"dtype", type}}).numbers; };
  EXPECT_EQ(Values<int32_t>(integers(DType::kInt32)), (std::vector<int32_t>{1027260645, -230406332, -671400921}));
  EXPECT_EQ(Values<uint32_t>(integers(DType::kUint32)), (std::vector<uint32_t>{1027260645, 4064560964, 3623566375}));
  EXPECT_EQ(Values<int64_t>(integers(DType::kInt64)),
            Numbers({-989587659704057627, -5270574581156201433, 2353900733613137338}));
  EXPECT_EQ(Values<uint64_t>(integers(DType::kUint64)),
            (std::vector<uint64_t>{17457156414005493989U, 13176169492553350183U, 2353900733613137338U}));
  const std::vector<Tensor> limits = {MakeScalar<int32_t>(-5), MakeScalar<int32_t>(50)};
  EXPECT_EQ(Values<int32_t>(Draw("StatefulUniformInt", {{"dtype", DType::kInt32}}, limits).numbers),
            (std::vector<int32_t>{10, 19, -5}));
  const std::vector<Tensor> wide_limits = {MakeScalar<int64_t>(-5), MakeScalar<int64_t>(50)};
  EXPECT_EQ(Values<int64_t>(Draw("StatefulUniformInt", {{"dtype", DType::kInt64}}, wide_limits).numbers),
            Numbers({29, 38, -2}));
}

TEST(StoredGenerator, GivesNormalNumbers) {
  const Drawn floats = Draw("StatefulStandardNormalV2", {{"dtype", DType::kFloat}});
  const Drawn truncated = Draw("StatefulTruncatedNormal", {{"dtype", DType::kDouble}});
  const float expected[] = {-0.26016375F, -1.220522F, -0.26770854F};
  const double within[] = {-0.851539553, -0.263806083, -0.26627347};
  constexpr double kHalfOfTheLastDigit = 0.5e-9;  // of the nine that are known
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_FLOAT_EQ(Values<float>(floats.numbers)[i], expected[i]);
    EXPECT_NEAR(Values<double>(truncated.numbers)[i], within[i], kHalfOfTheLastDigit);
  }
  EXPECT_EQ(floats.state, Numbers({769, 2, 3, 4}));
  EXPECT_EQ(truncated.state, Numbers({769, 2, 3, 4}));
}

TEST(StoredGenerator, MayNameItsAlgorithm) {
  const auto draw = [](const Numbers& state, Numbers& after) {
    KernelHarness harness;
    Tensor value(DType::kInt64, {static_cast<int64_t>(state.size())});
    std::copy(state.begin(), state.end(), value.mutable_data<int64_t>().begin());
    const Entry handle = Kept(harness, value);
    const AttrMap attrs = {{"dtype", DType::kFloat}};
    const Code code = harness.CodeOf("StatefulStandardNormal", {handle, In(MakeVector<int64_t>({3}))}, attrs);
    after = Values<int64_t>(harness.Value("ReadVariableOp", {handle}, kInt64));
    return code;
  };
  Numbers after;
  EXPECT_EQ(draw({1, 1, 2, 3}, after), Code::kOk);
  EXPECT_EQ(after, Numbers({1, 769, 2, 3}));
  EXPECT_EQ(draw({3, 1, 2, 3}, after), Code::kOk);
  EXPECT_EQ(draw({2, 1, 2, 3}, after), Code::kUnimplemented);
  EXPECT_EQ(draw({0, 1, 2, 3}, after), Code::kInvalidArgument);
  EXPECT_EQ(draw({1, 1, 2}, after), Code::kInvalidArgument);
  EXPECT_EQ(after, Numbers({1, 1, 2}));
  EXPECT_EQ(draw({}, after), Code::kInvalidArgument);
}

TEST(StoredGenerator, ChangesOnlyWhereNothingIsRefused) {
  KernelHarness harness;
  const Entry handle = Kept(harness, MakeVector<int64_t>({1, 2, 3}));
  const Tensor five = MakeScalar<int64_t>(5), vector = MakeVector<int64_t>({5}), none = MakeVector<int64_t>({0});
  const auto code = [&](int64_t algorithm, const Tensor& shape, const Tensor& low, const Tensor& high) {
    return harness.CodeOf("StatefulUniformInt", {handle, In(MakeScalar(algorithm)), In(shape), In(low), In(high)},
                          kInt64);
  };
  EXPECT_EQ(code(1, vector, five, five), Code::kInvalidArgument);
  EXPECT_EQ(code(1, none, five, five), Code::kInvalidArgument) << "also where nothing is drawn";
  EXPECT_EQ(code(1, vector, five, MakeVector<int64_t>({9})), Code::kInvalidArgument);
  EXPECT_EQ(code(2, vector, five, MakeScalar<int64_t>(9)), Code::kUnimplemented);
  EXPECT_EQ(code(0, vector, five, MakeScalar<int64_t>(9)), Code::kInvalidArgument);
  EXPECT_EQ(code(1, five, five, MakeScalar<int64_t>(9)), Code::kInvalidArgument) << "a shape is a vector";
  EXPECT_EQ(code(1, MakeVector<float>({5}), five, MakeScalar<int64_t>(9)), Code::kInvalidArgument);
  EXPECT_EQ(Values<int64_t>(harness.Value("ReadVariableOp", {handle}, kInt64)), Numbers({1, 2, 3}));
}

}  // namespace
}  // namespace plumb::fast::cpu

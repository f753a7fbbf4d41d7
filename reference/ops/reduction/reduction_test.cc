#include <gmock/gmock.h>

#include "reference/kernel/kernel_testing.h"

namespace plumb::reference {
namespace {

using testing::ElementsAre;

KernelCall Reduce(std::string_view op, Value x, Tensor axes, bool keep_dims = false) {
  return {.op = op, .inputs = {x, axes}, .attrs = {{"keep_dims", keep_dims}}, .accuracy = Summation()};
}

TEST(Reduction, LogsumexpStartsBelowAllNumbersAndTakesNanForTheSum) {
  const auto running = [](Value x, bool exclusive) {
    const AttrMap attrs = {{"exclusive", exclusive}, {"reverse", false}};
    return Floats(KernelCall{"CumulativeLogsumexp", {x, Int(0)}, attrs, {}, Composed(4)}());
  };
  EXPECT_THAT(running(Vector({1, INFINITY}), true), ElementsAre(-INFINITY, 1));
  EXPECT_THAT(running(Vector({NAN, 1}), false), ElementsAre(-INFINITY, 1));
  EXPECT_FLOAT_EQ(running(Vector({1, NAN}), false)[1], 1 + static_cast<float>(M_LN2));
  EXPECT_TRUE(std::isnan(running(Vector({INFINITY, INFINITY}), false)[1]));
}

TEST(Reduction, MaxPropagatesNanAndArgMaxPassesItBy) {
  const Value x = Vector({NAN, 2, 7, 7});
  EXPECT_TRUE(std::isnan(Floats(Reduce("Max", x, Int(0))())[0]));
  EXPECT_THAT(Integers(KernelCall{"ArgMax", {x, Int(0)}, {}, {DType::kInt64}}()), ElementsAre(2));
  EXPECT_THAT(Integers(KernelCall{"ArgMin", {x, Int(0)}, {}, {DType::kInt32}}()), ElementsAre(1));
}

TEST(Reduction, OfNansAndTheWorstInfinitiesTheFirstIsTaken) {  // N12
  const Value x = Vector({NAN, INFINITY, INFINITY});
  EXPECT_THAT(Integers(KernelCall{"ArgMin", {x, Int(0)}, {}, {DType::kInt64}}()), ElementsAre(0));
  EXPECT_THAT(Integers(KernelCall{"ArgMax", {x, Int(0)}, {}, {DType::kInt64}}()), ElementsAre(1));
}

TEST(Reduction, OfZerosMaxAndMinTakeTheLast) {  // N12
  for (const auto* op : {"Max", "Min"}) {
    EXPECT_FALSE(std::signbit(Floats(Reduce(op, Vector({-0.0f, 0}), Int(0))())[0])) << op;
    EXPECT_TRUE(std::signbit(Floats(Reduce(op, Vector({0, -0.0f}), Int(0))())[0])) << op;
  }
}

TEST(Reduction, ArgMaxKnowsSevenDimensions) {  // T9
  const auto arg_max = [](const Shape& shape) {
    return KernelCall{"ArgMax", {Zeros(DType::kFloat, shape), Int(-1)}, {}, {DType::kInt64}};
  };
  EXPECT_THAT(Integers(arg_max({1, 1, 1, 1, 1, 1, 2})()), ElementsAre(0));
  EXPECT_EQ(arg_max({1, 1, 1, 1, 1, 1, 1, 2}).Fails(), Code::kInvalidArgument);
  EXPECT_THAT(Integers(arg_max({0, 1, 1, 1, 1, 1, 1, 2})()), ElementsAre()) << "there is nothing to search";
}

TEST(Reduction, OfNaNAndANumberTheLaterIsTheExtremeOfASegment) {  // N12
  const Tensor data = Vector({1, NAN, 0, NAN, 3, NAN, 2, 1, NAN}), ids = Ints({0, 0, 0, 1, 1, 1, 1, 2, 2});
  for (const char* op : {"UnsortedSegmentMax", "UnsortedSegmentMin"}) {
    const auto found = Floats(KernelCall{op, {data, ids, MakeScalar<int32_t>(3)}}());
    EXPECT_EQ(found[0], 0) << op;
    EXPECT_EQ(found[1], 2) << op;
    EXPECT_TRUE(std::isnan(found[2])) << op;
    const KernelCall zeros{op, {Vector({0.F, -0.F}), Ints({0, 0}), MakeScalar<int32_t>(1)}};
    EXPECT_TRUE(std::signbit(Floats(zeros())[0])) << op;
  }
}

TEST(Reduction, SegmentsAddUpTheirRows) {
  const auto sum = [](Tensor ids, Tensor count) {
    return KernelCall{"UnsortedSegmentSum", {MakeTensor<float>({3, 1}, {1, 2, 4}), ids, count}};
  };
  EXPECT_THAT(Floats(sum(Ints({1, -1, 1}), Int(3))()), ElementsAre(0, 5, 0));
  EXPECT_EQ(sum(Ints({1, 3, 1}), Int(3)).Fails(), Code::kInvalidArgument);
  EXPECT_EQ(sum(Ints({1, 0}), Int(3)).Fails(), Code::kInvalidArgument);
  EXPECT_EQ(sum(Ints({1, 0, 1}), Int(-1)).Fails(), Code::kInvalidArgument);
}

TEST(Bincount, AScalarLeavesTheOutputUnset) {  // DenseBincountOp
  const auto code = [](const Value& numbers, int32_t size) {
    return KernelCall{"DenseBincount", {numbers, Int(size), Ints({})}, {{"binary_output", false}}}.Fails();
  };
  EXPECT_EQ(code(Int(1), 3), Code::kInternal);
  EXPECT_EQ(code(Int(1), -1), Code::kInvalidArgument);
  EXPECT_EQ(code(Ints({1}), 3), Code::kOk);
}

}  // namespace
}  // namespace plumb::reference

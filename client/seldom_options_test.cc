// Options of tensor arrays and of Map that programs seldom set.
#include "client/control_flow/functional.h"
#include "client/tensor_array.h"
#include "client/testing.h"

namespace plumb {
namespace {

using ::testing::ElementsAre;

class SeldomOptions : public OnEachBackend {
 protected:
  TensorArray Array(int32_t size, const TensorArray::Options& options) {
    return {scope_, DType::kFloat, Int(size), options};
  }
  ::testing::AssertionResult EndsWith(Output fetch, const std::string& text) {
    return Refuses([&] { Value(fetch); }, Code::kInvalidArgument, text);
  }
};
PLUMB_ON_EACH_BACKEND(SeldomOptions);

TEST_P(SeldomOptions, ArraysGrowWhereTheyMay) {
  const auto written = [&](bool dynamic_size) {
    return Array(1, {.dynamic_size = dynamic_size}).Write(Int(0), Float(5)).Write(Int(2), Float(7));
  };
  EXPECT_THAT(Value(written(true).Size()), ElementsAre(3));
  EXPECT_THAT(Value(written(true).Read(Int(2))), ElementsAre(7));
  EXPECT_TRUE(EndsWith(written(false).Size(), "2"));
}

TEST_P(SeldomOptions, ElementsAreReadTwiceWhereTheyAreKept) {
  const auto twice = [&](bool clear_after_read) {
    const TensorArray array = Array(1, {.clear_after_read = clear_after_read}).Write(Int(0), Float(5));
    const Output first = array.Read(Int(0));
    const auto after = scope_.After({first.node()});
    return first + array.Read(Int(0));
  };
  EXPECT_THAT(Value(twice(false)), ElementsAre(10));
  EXPECT_TRUE(EndsWith(twice(true), "0"));
}

// What was not written is zeros of the shape that all have.
TEST_P(SeldomOptions, ElementsOfOneShapeMayBeMissing) {
  const auto stacked = [&](bool identical) {
    return Array(3, {.identical_element_shapes = identical}).Write(Int(1), Floats({4, 5})).Stack();
  };
  EXPECT_THAT(Value(stacked(true)), ElementsAre(0, 0, 4, 5, 0, 0));
  const Output said = Array(2, {.element_shape = PartialShape({2})}).Write(Int(1), Floats({4, 5})).Stack();
  EXPECT_EQ(said.shape().ToString(), "[?,2]");
  EXPECT_THAT(Value(said), ElementsAre(0, 0, 4, 5));
}

TEST_P(SeldomOptions, WhatDoesNotFitIsRefusedAsItIsWritten) {
  const TensorArray identical = Array(2, {.identical_element_shapes = true}).Write(Int(0), Floats({1}));
  const Output unknown = Call("PlaceholderWithDefault", {Floats({2, 3})}, {{"shape", PartialShape::Unknown()}});
  EXPECT_TRUE(EndsWith(identical.Write(Int(1), unknown).Read(Int(1)), "shape"));
  const TensorArray any =
      Array(2, {}).Write(Int(0), Call("PlaceholderWithDefault", {Floats({1})}, {{"shape", PartialShape::Unknown()}}));
  EXPECT_THAT(Value(any.Write(Int(1), unknown).Read(Int(1))), ElementsAre(2, 3));
}

// Of numbers, whether they are above 2, and the numbers as integers.
TEST_P(SeldomOptions, MapGivesResultsOfOtherTypes) {
  const auto f = [&](const Outputs& row) {
    return Outputs{Call("Greater", {row[0], Float(2)}), Call("Cast", {row[0]}, {{"DstT", DType::kInt32}})};
  };
  const Outputs results = Map(scope_, std::function<Outputs(const Outputs&)>(f), Outputs{Floats({1, 2, 3})},
                              {.dtypes = {DType::kBool, DType::kInt32}, .name = "kinds"});
  EXPECT_TRUE(results[0].name().starts_with("kinds/")) << results[0].name();
  const std::vector<Tensor> values = Evaluate(GetParam(), scope_, results);
  EXPECT_THAT(values[0].data<bool>(), ElementsAre(false, false, true));
  EXPECT_THAT(values[1].data<int32_t>(), ElementsAre(1, 2, 3));
}

}  // namespace
}  // namespace plumb

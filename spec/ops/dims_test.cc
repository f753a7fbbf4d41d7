#include "spec/ops/dims.h"

#include <gtest/gtest.h>

#include "spec/ops/shape_test_context.h"

namespace plumb {
namespace {

std::vector<PartialShape> InferWith(const char* signature, const char* attrs, const char* pattern,
                                    std::vector<PartialShape> inputs, AttrMap values = {}) {
  const OpDef op = ParseOpRow({.signature = signature, .attrs = attrs, .shape = pattern});
  return InferShapes(TestShapeContext(op, std::move(inputs), std::move(values)));
}

std::vector<PartialShape> Product(PartialShape a, PartialShape b) {
  return InferWith("F(a: float32, b: float32) -> (c: float32)", "", "[b... m k] [b... k n] -> [b... m n]",
                   {std::move(a), std::move(b)});
}

TEST(ShapePattern, EqualNamesAreEqualSizes) {
  EXPECT_EQ(Product({2, 3}, {3, 4})[0], (PartialShape{2, 4}));
  EXPECT_EQ(Product({5, 6, 2, 3}, {5, 6, 3, 4})[0], (PartialShape{5, 6, 2, 4}));
  EXPECT_THROW(Product({2, 3}, {4, 4}), Error);
  EXPECT_THROW(Product({5, 2, 3}, {6, 3, 4}), Error);
}

TEST(ShapePattern, UnknownSizesAndRanksStayUnknownUnlessAnotherArgumentKnowsThem) {
  EXPECT_EQ(Product({2, -1}, {-1, 4})[0], (PartialShape{2, 4}));
  EXPECT_EQ(Product({-1, 3}, {3, -1})[0], (PartialShape{-1, -1}));
  EXPECT_EQ(Product(PartialShape::Unknown(), {3, 4})[0], (PartialShape{-1, 4}));
  EXPECT_EQ(Product(PartialShape::Unknown(), PartialShape::Unknown())[0], PartialShape::Unknown());
  EXPECT_EQ(Product({-1, 7, 2, 3}, {5, -1, 3, 4})[0], (PartialShape{5, 7, 2, 4}));
}

TEST(ShapePattern, ARestTakesAnyNumberOfDimensions) {
  EXPECT_THROW(Product({3}, {3, 4}), Error);
  const auto last = InferWith("F(a: float32) -> (b: float32)", "", "[a d... c] -> [c d...]", {{1, 2, 3, 4}});
  EXPECT_EQ(last[0], (PartialShape{4, 2, 3}));
  const auto none = InferWith("F(a: float32) -> (b: float32)", "", "[a d... c] -> [c d...]", {{1, 4}});
  EXPECT_EQ(none[0], (PartialShape{4}));
}

TEST(ShapePattern, NumbersAndQuestionMarks) {
  const auto infer = [](PartialShape shape) {
    return InferWith("F(a: float32) -> (b: float32, c: float32)", "", "[2 ?] -> [? 3] ?", {std::move(shape)});
  };
  EXPECT_EQ(infer({2, 9})[0], (PartialShape{-1, 3}));
  EXPECT_EQ(infer({-1, 9})[1], PartialShape::Unknown());
  EXPECT_THROW(infer({3, 9}), Error);
  EXPECT_THROW(infer({2}), Error);
}

TEST(ShapePattern, APatternHoldsForEachValueOfAnArgument) {
  const auto sum = [](std::vector<PartialShape> inputs) {
    const auto count = static_cast<int64_t>(inputs.size());
    return InferWith("F(a: float32*N) -> (b: float32)", "N: int", "[d...] -> [d...]", std::move(inputs),
                     {{"N", count}});
  };
  EXPECT_EQ(sum({{2, -1}, {-1, 3}, PartialShape::Unknown()})[0], (PartialShape{2, 3}));
  EXPECT_THROW(sum({{2, 3}, {2, 4}}), Error);
  const auto many = InferWith("F(a: float32) -> (b: float32*N)", "N: int", "[n] -> [n]", {{5}}, {{"N", int64_t{3}}});
  EXPECT_EQ(many, std::vector<PartialShape>(3, PartialShape{5}));
}

TEST(ShapePattern, ErrorsNameTheInputAndBothShapes) {
  try {
    Product({2, 3}, {4, 5});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.status().code(), Code::kInvalidArgument);
    EXPECT_EQ(error.status().message(),
              "input 1 ('b') of F has the shape [4,5], which does not fit [b... k n]: the dimension k is 3 by an "
              "argument before, and 4 here");
  }
}

TEST(ShapePattern, MistakesAreFound) {
  EXPECT_THROW(ParseShapeRelation("[a... b...] -> []"), Error);
  EXPECT_THROW(ParseShapeRelation("[a b"), Error);
  EXPECT_THROW(ParseShapeRelation("[-1] -> []"), Error);
  EXPECT_THROW(ParseShapeRelation("[a]"), Error);
}

TEST(ShapePattern, EveryRowsPatternHasAShapeForEachArgument) {
  for (const OpDef* op : AllOps()) {
    if (op->shape_pattern.empty()) continue;
    const ShapeRelation relation = ParseShapeRelation(op->shape_pattern);
    EXPECT_EQ(relation.inputs.size(), op->inputs.size()) << op->name;
    EXPECT_EQ(relation.outputs.size(), op->outputs.size()) << op->name;
  }
}

}  // namespace
}  // namespace plumb

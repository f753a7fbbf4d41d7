#include "conformance/compare/equivalence.h"

#include <gtest/gtest.h>

#include <complex>
#include <limits>

#include "conformance/compare/compare.h"

namespace plumb::conformance {
namespace {

GraphDef GraphOf(const std::string& op) {
  GraphDef graph;
  graph.nodes.push_back({.name = "node", .op = op, .inputs = {}, .device = {}, .attrs = {}, .debug_info = {}});
  return graph;
}

// A matrix as the reference gives one: each bound holds twice the component, for the sign, and a little more.
reference::Value Vectors(const std::vector<double>& elements) {
  auto bounds = std::make_shared<std::vector<double>>();
  for (const double x : elements) bounds->push_back(2 * std::abs(x) + 1e-12);
  return {MakeTensor<double>({2, 2}, elements), bounds, nullptr};
}

Verdict Judged(Alignment& alignment, const GraphDef& graph, const std::string& fetch, const Tensor& actual,
               const reference::Value& expected) {
  const Tensor aligned = alignment.Aligned(fetch, actual, expected.tensor);
  return Compare(aligned, Settled(expected, EquivalenceOf(graph, fetch)), {});
}

TEST(Equivalence, ColumnsMayHaveTheOtherSign) {
  const GraphDef graph = GraphOf("SelfAdjointEigV2");
  Alignment alignment(graph);
  const reference::Value expected = Vectors({0.6, -0.8, 0.8, 0.6});
  const auto judged = [&](const std::vector<double>& elements) {
    return Judged(alignment, graph, "node:1", MakeTensor<double>({2, 2}, elements), expected).ok();
  };
  EXPECT_TRUE(judged({0.6, -0.8, 0.8, 0.6}));
  EXPECT_TRUE(judged({0.6, 0.8, 0.8, -0.6}));
  EXPECT_FALSE(judged({0.6, 0.8, 0.8, 0.6})) << "one component of a column";
  EXPECT_FALSE(judged({0.6, -0.8, 0.8, 0.6001}));
  EXPECT_FALSE(judged({0.6, -0.8, -0.8, -0.6})) << "a row";
}

TEST(Equivalence, ValuesAboveVectorsHaveOneSign) {
  const GraphDef graph = GraphOf("SelfAdjointEig");
  auto bounds = std::make_shared<std::vector<double>>(std::vector<double>{1e-12, 1e-12, 1.2, 1.6, 1.6, 1.2});
  for (size_t i = 2; i < bounds->size(); ++i) (*bounds)[i] += 1e-12;
  const reference::Value expected{MakeTensor<double>({3, 2}, {-1, 3, 0.6, -0.8, 0.8, 0.6}), bounds, nullptr};
  const auto judged = [&](const std::vector<double>& elements) {
    Alignment alignment(graph);
    return Judged(alignment, graph, "node", MakeTensor<double>({3, 2}, elements), expected).ok();
  };
  EXPECT_TRUE(judged({-1, 3, 0.6, -0.8, 0.8, 0.6}));
  EXPECT_TRUE(judged({-1, 3, -0.6, -0.8, -0.8, 0.6}));
  EXPECT_FALSE(judged({1, 3, -0.6, -0.8, -0.8, 0.6})) << "a value with its vector";
  EXPECT_FALSE(judged({1, 3, 0.6, -0.8, 0.8, 0.6})) << "a value alone";
  EXPECT_FALSE(judged({-1, 3, -0.6, -0.8, 0.8, 0.6})) << "one component of a vector";
}

TEST(Equivalence, SingularVectorsTurnInPairs) {
  const GraphDef graph = GraphOf("Svd");
  const reference::Value u = Vectors({0.6, -0.8, 0.8, 0.6}), v = Vectors({0, 1, 1, 0});
  const auto judged = [&](const std::vector<double>& left, const std::vector<double>& right) {
    Alignment alignment(graph);
    return Judged(alignment, graph, "node:1", MakeTensor<double>({2, 2}, left), u).ok() &&
           Judged(alignment, graph, "node:2", MakeTensor<double>({2, 2}, right), v).ok();
  };
  EXPECT_TRUE(judged({0.6, 0.8, 0.8, -0.6}, {0, -1, 1, 0}));
  EXPECT_FALSE(judged({0.6, 0.8, 0.8, -0.6}, {0, 1, 1, 0}));
}

// By matrix and column: in the second matrix the first column keeps its sign. The second columns of `v` have no
// partner.
TEST(Equivalence, SingularVectorsOfEachMatrixTurnWithTheirOwnPartner) {
  const GraphDef graph = GraphOf("Svd");
  const Tensor u = MakeTensor<double>({2, 1, 1}, {1, 1}), v = MakeTensor<double>({2, 2, 2}, {1, 0, 0, 1, 1, 0, 0, 1});
  const auto aligned = [&](const std::vector<double>& right) {
    Alignment alignment(graph);
    EXPECT_TRUE(alignment.Aligned("node:1", MakeTensor<double>({2, 1, 1}, {-1, 1}), u).BitwiseEquals(u));
    return Compare(alignment.Aligned("node:2", MakeTensor<double>({2, 2, 2}, right), v), v, {}).ok();
  };
  EXPECT_TRUE(aligned({-1, 0, 0, 1, 1, 0, 0, 1}));
  EXPECT_TRUE(aligned({-1, 0, 0, -1, 1, 0, 0, -1}));
  EXPECT_FALSE(aligned({1, 0, 0, 1, 1, 0, 0, 1}));
  EXPECT_FALSE(aligned({-1, 0, 0, 1, -1, 0, 0, 1}));
}

TEST(Equivalence, ElementsOfEachRowFindTheirPlaces) {
  const GraphDef graph = GraphOf("Eig");
  const auto expected = MakeTensor<double>({2, 3}, {1, 2, 3, 30, 20, 10});
  const auto aligned = [&](const std::vector<double>& elements) {
    Alignment alignment(graph);
    return alignment.Aligned("node:0", MakeTensor<double>({2, 3}, elements), expected).BitwiseEquals(expected);
  };
  EXPECT_TRUE(aligned({3, 1, 2, 10, 20, 30}));
  EXPECT_TRUE(aligned({2, 3, 1, 20, 10, 30}));
  EXPECT_FALSE(aligned({30, 20, 10, 1, 2, 3})) << "each in its own row";
}

// A vector of which nothing is known keeps its sign, and what is no number takes no place from another.
TEST(Equivalence, WhatIsZeroOrNoNumberStaysAsItIs) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const GraphDef vectors = GraphOf("SelfAdjointEigV2"), values = GraphOf("Eig");
  const Tensor zeros = MakeTensor<double>({2, 1}, {0, 0}), some = MakeTensor<double>({2, 1}, {-3, 4});
  EXPECT_TRUE(Alignment(vectors).Aligned("node:1", some, zeros).BitwiseEquals(some));
  const Tensor expected = MakeVector<double>({1, 2, 3});
  const Tensor aligned = Alignment(values).Aligned("node:0", MakeVector<double>({3, kNan, 1}), expected);
  EXPECT_EQ(aligned.data<double>()[0], 1);
  EXPECT_EQ(aligned.data<double>()[2], 3);
}

TEST(Equivalence, AnswersOfAnotherTypeShapeOrOfNothingAreNotTouched) {
  const GraphDef graph = GraphOf("SelfAdjointEigV2");
  const Tensor expected = MakeTensor<double>({2, 2}, {1, 0, 0, 1});
  for (const Tensor& other : {MakeTensor<double>({1, 4}, {-1, 0, 0, 1}), MakeTensor<float>({2, 2}, {-1, 0, 0, 1})}) {
    EXPECT_TRUE(Alignment(graph).Aligned("node:1", other, expected).BitwiseEquals(other));
  }
  for (const Shape& shape : {Shape({0, 0}), Shape({3, 0, 0}), Shape({0, 2, 2}), Shape({0})}) {
    const Tensor none(DType::kDouble, shape);
    EXPECT_EQ(Alignment(graph).Aligned("node:1", none, none).shape(), shape);
  }
}

TEST(Equivalence, OfTypesWithoutVectorsIsAMistakeOfTheCatalogue) {
  const GraphDef graph = GraphOf("SelfAdjointEigV2");
  const Tensor half(DType::kHalf, {1, 1});
  try {
    Alignment(graph).Aligned("node:1", half, half);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.status().code(), Code::kInternal);
  }
}

TEST(Equivalence, ComplexColumnsTurnByAnyAngle) {
  using Complex = std::complex<double>;
  const GraphDef graph = GraphOf("SelfAdjointEigV2");
  Alignment alignment(graph);
  const Tensor expected = MakeTensor<Complex>({2, 1}, {Complex(0.6, 0), Complex(0, 0.8)});
  const Complex turn(0.28, 0.96);
  const Tensor actual = MakeTensor<Complex>({2, 1}, {0.6 * turn, Complex(0, 0.8) * turn});
  const Tensor aligned = alignment.Aligned("node:1", actual, expected);
  // Turned here and back there: a complex product each, and the angle between.
  constexpr double kRoundings = 2 * 3 + 3;
  for (size_t i = 0; i < 2; ++i) {
    const Complex exact = expected.data<Complex>()[i];
    EXPECT_LE(std::abs(aligned.data<Complex>()[i] - exact),
              kRoundings * std::numeric_limits<double>::epsilon() * std::abs(exact));
  }
}

// By the same number, and not by its conjugate: u σ v* is the same then.
TEST(Equivalence, ComplexSingularVectorsTurnInPairs) {
  using Complex = std::complex<double>;
  using Numbers = std::vector<Complex>;
  const GraphDef graph = GraphOf("Svd");
  const Complex i(0, 1);
  const Tensor u = MakeTensor<Complex>({2, 2}, Numbers{1, 0, 0, i}),
               v = MakeTensor<Complex>({2, 2}, Numbers{0, i, 1, 0});
  const auto aligned = [&](const Numbers& left, const Numbers& right) {
    Alignment alignment(graph);
    EXPECT_TRUE(CompareExact(alignment.Aligned("node:1", MakeTensor<Complex>({2, 2}, left), u), u).ok());
    return CompareExact(alignment.Aligned("node:2", MakeTensor<Complex>({2, 2}, right), v), v).ok();
  };
  EXPECT_TRUE(aligned({1, 0, 0, i}, {0, i, 1, 0}));
  EXPECT_TRUE(aligned({i, 0, 0, i}, {0, i, i, 0}));
  EXPECT_TRUE(aligned({i, 0, 0, 1}, {0, 1, i, 0})) << "each column by its own";
  EXPECT_FALSE(aligned({i, 0, 0, i}, {0, i, -i, 0})) << "by the conjugate";
  EXPECT_FALSE(aligned({i, 0, 0, i}, {0, i, 1, 0})) << "one of the two alone";
}

TEST(Equivalence, EigenvaluesStandInAnyOrderAndTheirVectorsInTheSame) {
  using Complex = std::complex<double>;
  using Numbers = std::vector<Complex>;
  const GraphDef graph = GraphOf("Eig");
  const Complex x(1, 2), y(1, -2), z(3, 0);
  const Tensor values = MakeTensor<Complex>({3}, Numbers{x, y, z});
  // Each bound, one for either part, holds the component and the largest of its row, and a little more.
  auto bounds = std::make_shared<std::vector<double>>();
  for (const double open : {1 + 1.0, 0.6 + 1, 0 + 1.0, 0 + 1.0, 0.8 + 1, 1 + 1.0}) {
    bounds->insert(bounds->end(), 2, open + 1e-12);
  }
  const reference::Value vectors{MakeTensor<Complex>({2, 3}, Numbers{1, 0.6, 0, 0, 0.8, 1}), bounds, nullptr};
  const auto judged = [&](const Numbers& e, const Numbers& v) {
    Alignment alignment(graph);
    const Tensor first = alignment.Aligned("node:0", MakeTensor<Complex>({3}, e), values);
    return first.BitwiseEquals(values) &&
           Judged(alignment, graph, "node:1", MakeTensor<Complex>({2, 3}, v), vectors).ok();
  };
  EXPECT_TRUE(judged({x, y, z}, {1, 0.6, 0, 0, 0.8, 1}));
  EXPECT_TRUE(judged({z, x, y}, {0, -1, 0.6, 1, 0, 0.8}));
  EXPECT_FALSE(judged({z, x, y}, {1, 0.6, 0, 0, 0.8, 1})) << "vectors of other values";
  EXPECT_FALSE(judged({z, x, x}, {0, 1, 0.6, 1, 0, 0.8}));
}

TEST(Equivalence, APermutationIsAsGoodAsAnother) {
  const GraphDef graph = GraphOf("SparseMatrixOrderingAMD");
  const Tensor expected = MakeTensor<int32_t>({2, 3}, {0, 1, 2, 2, 0, 1});
  const auto judged = [&](const std::vector<int32_t>& elements) {
    Alignment alignment(graph);
    return alignment.Aligned("node", MakeTensor<int32_t>({2, 3}, elements), expected).BitwiseEquals(expected);
  };
  EXPECT_TRUE(judged({2, 1, 0, 0, 1, 2}));
  EXPECT_FALSE(judged({2, 1, 1, 0, 1, 2})) << "a row twice";
  EXPECT_FALSE(judged({2, 1, 0, 0, 1, 3})) << "no row";
  EXPECT_FALSE(judged({2, 1, 0, 0, 1, -1})) << "no row";
}

// What LookupTableExport gives: keys in any order, and their values in the same (L7).
TEST(Equivalence, EntriesOfATableStandInAnyOrder) {
  const GraphDef graph = GraphOf("LookupTableExportV2");
  const Tensor keys = MakeVector<std::string>({"a", "b", "c"}), values = MakeTensor<float>({3, 2}, {1, 2, 3, 4, 5, 6});
  const auto judged = [&](const std::vector<std::string>& k, const std::vector<float>& v) {
    Alignment alignment(graph);
    const bool same_keys = alignment.Aligned("node:0", MakeTensor<std::string>({3}, k), keys).BitwiseEquals(keys);
    return same_keys && alignment.Aligned("node:1", MakeTensor<float>({3, 2}, v), values).BitwiseEquals(values);
  };
  EXPECT_TRUE(judged({"a", "b", "c"}, {1, 2, 3, 4, 5, 6}));
  EXPECT_TRUE(judged({"c", "a", "b"}, {5, 6, 1, 2, 3, 4}));
  EXPECT_FALSE(judged({"c", "a", "b"}, {1, 2, 3, 4, 5, 6})) << "values of other keys";
  EXPECT_FALSE(judged({"c", "a", "a"}, {5, 6, 1, 2, 1, 2})) << "a key twice";
  EXPECT_FALSE(judged({"c", "a", "d"}, {5, 6, 1, 2, 3, 4})) << "another key";
  const reference::Value bounded{values, std::make_shared<std::vector<double>>(6, 0.5), nullptr};
  EXPECT_EQ(Settled(bounded, Equivalence::kRowsInSameOrder).bound, bounded.bound);
}

TEST(Equivalence, ZerosOfEitherSignStayAsTheyAre) {
  const GraphDef graph = GraphOf("Maximum");
  EXPECT_EQ(EquivalenceOf(graph, "node:0"), Equivalence::kEitherZero);
  Alignment alignment(graph);
  const Tensor answer = MakeVector<float>({-0.0F, 1});
  EXPECT_TRUE(alignment.Aligned("node:0", answer, MakeVector<float>({0.0F, 1})).BitwiseEquals(answer));
}

TEST(Equivalence, OtherOutputsAreWhatTheyAre) {
  const GraphDef graph = GraphOf("SelfAdjointEigV2");
  EXPECT_EQ(EquivalenceOf(graph, "node:0"), Equivalence::kNone);
  EXPECT_EQ(EquivalenceOf(graph, "other:1"), Equivalence::kNone);
  EXPECT_EQ(EquivalenceOf(GraphOf("Svd"), "node:2"), Equivalence::kColumnsUpToSamePhase);
}

}  // namespace
}  // namespace plumb::conformance

// What ranks say of their programs: equal ones have equal fingerprints, others differ in a term that is named.
#include "mpi/protocol/statement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plumb::dist {
namespace {

using ::testing::HasSubstr;

GraphDef Line(float slope) {
  return {{{"x", "Placeholder", {}, "/job:worker", {{"dtype", DType::kFloat}}, ""},
           {"slope", "Const", {}, "", {{"value", MakeScalar(slope)}, {"dtype", DType::kFloat}}, ""},
           {"y", "Mul", {"x", "slope", "^x"}, "", {{"T", DType::kFloat}}, ""}},
          {kGraphVersion, 0, {}},
          ""};
}

Statement Of(const GraphDef& graph, const std::string& batch = "16") {
  Statement statement;
  statement.Add("--batch", batch);
  statement.AddNodes(graph);
  return statement;
}

Statement Said(std::vector<Term> terms) { return Statement(std::move(terms)); }

TEST(Statements, OfEqualProgramsAreEqual) {
  EXPECT_EQ(Of(Line(2)).Fingerprint(), Of(Line(2)).Fingerprint());
  EXPECT_EQ(FirstDifference(0, Of(Line(2)), 1, Of(Line(2))), "");
}

TEST(Statements, ThatDifferNameTheFirstTermWithBothValues) {
  const Statement own = Of(Line(2));
  const auto difference = [&](const Statement& theirs) {
    EXPECT_NE(own.Fingerprint(), theirs.Fingerprint());
    return FirstDifference(0, own, 3, theirs);
  };
  EXPECT_EQ(difference(Of(Line(5), "32")), "--batch is 16 on rank 0 and 32 on rank 3");
  EXPECT_THAT(difference(Of(Line(5))), HasSubstr("the node 'slope' is Const()"));

  GraphDef other = Line(2);
  other.nodes[2].inputs[1] = "x";
  EXPECT_THAT(difference(Of(other)), HasSubstr("Mul(x, slope, ^x) T=float32 on rank 0 and Mul(x, x, ^x)"));
  other = Line(2);
  other.nodes[0].device = "/job:ps";
  EXPECT_THAT(difference(Of(other)), HasSubstr("on /job:worker dtype=float32 on rank 0 and Placeholder() on /job:ps"));
  other = Line(2);
  other.nodes.insert(other.nodes.begin(), {"z", "NoOp", {}, "", {}, ""});
  EXPECT_EQ(difference(Of(other)), "the node 'z' is NoOp() on rank 3, and rank 0 has none");
  other = Line(2);
  other.nodes.pop_back();
  EXPECT_THAT(difference(Of(other)), HasSubstr("on rank 0, and rank 3 has none"));
  other = Line(2);
  std::swap(other.nodes[0], other.nodes[1]);
  EXPECT_EQ(difference(Of(other)), "where rank 0 has the node 'x', rank 3 has the node 'slope'");
}

TEST(Statements, TellPeopleNoMoreThanTheBeginningOfALongValue) {
  const std::string longest(400, 'a');
  const auto told = [](const std::string& value) { return FirstDifference(0, Said({{"--name", value}}), 1, Said({})); };
  EXPECT_EQ(told(longest), Str("--name is ", longest, " on rank 0, and rank 1 has none"));
  EXPECT_EQ(told(longest + "b"), Str("--name is ", longest, "… on rank 0, and rank 1 has none"));
}

TEST(Statements, TellLargeTensorsByTheirElements) {
  const auto constant = [](float last) {
    Tensor value = Zeros(DType::kFloat, Shape({1000}));
    value.mutable_data<float>()[999] = last;
    GraphDef graph = Line(1);
    graph.nodes[1].attrs["value"] = value;
    return Of(graph);
  };
  EXPECT_EQ(constant(1).Fingerprint(), constant(1).Fingerprint());
  EXPECT_NE(constant(1).Fingerprint(), constant(2).Fingerprint());
  EXPECT_THAT(FirstDifference(0, constant(1), 1, constant(2)), HasSubstr("float32[1000] with the fingerprint"));
}

// Where one term ends and the next begins counts.
TEST(Statements, KeepTermsApart) {
  EXPECT_NE(Said({{"ab", "c"}}).Fingerprint(), Said({{"a", "bc"}}).Fingerprint());
  EXPECT_NE(Said({{"a", ""}, {"", "b"}}).Fingerprint(), Said({{"a", "b"}}).Fingerprint());
}

}  // namespace
}  // namespace plumb::dist

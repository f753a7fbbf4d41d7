#include <gtest/gtest.h>

#include "reference/test_graph.h"

namespace plumb::reference {
namespace {

using Types = std::vector<DType>;

TEST(CompressedElement, GivesBackItsComponents) {
  TestGraph graph;
  graph.Const<float>("x", 1.5f).Value("text", MakeScalar<std::string>("as it was")).Add("none", "OptionalNone");
  graph.Add("element", "CompressElement", {"x", "text"}, {{"input_types", Types{DType::kFloat, DType::kString}}});
  const auto take = [&](const std::string& name, const std::string& from, const Types& types) {
    const std::vector<PartialShape> shapes(types.size(), PartialShape::Unknown());
    graph.Add(name, "UncompressElement", {from}, {{"output_types", types}, {"output_shapes", shapes}});
  };
  take("both", "element", {DType::kFloat, DType::kString});
  take("too_few", "element", {DType::kFloat});
  take("other_type", "element", {DType::kFloat, DType::kInt32});
  take("other_kind", "none", {DType::kFloat});
  TestSession session(graph);
  EXPECT_EQ(session.Run({"both:0"}).scalar<float>(), 1.5f);
  EXPECT_EQ(session.Run({"both:1"}).scalar<std::string>(), "as it was");
  EXPECT_EQ(session.Run({"too_few:0"}).code(), Code::kFailedPrecondition);
  EXPECT_EQ(session.Run({"other_type:0"}).code(), Code::kFailedPrecondition);
  EXPECT_EQ(session.Run({"other_kind:0"}).code(), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::reference

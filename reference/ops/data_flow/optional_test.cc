#include <gtest/gtest.h>

#include "reference/test_graph.h"

namespace plumb::reference {
namespace {

using Types = std::vector<DType>;
using Shapes = std::vector<PartialShape>;

TEST(Optional, HoldsItsComponentsOrNothing) {
  TestGraph graph;
  graph.Const<float>("x", 1.5f).Const<int32_t>("n", 7);
  graph.Add("some", "OptionalFromValue", {"x", "n"}, {{"Toutput_types", Types{DType::kFloat, DType::kInt32}}});
  graph.Add("none", "OptionalNone").Add("is_there", "OptionalHasValue", {"some"});
  graph.Add("is_none", "OptionalHasValue", {"none"});
  const auto get = [&](const std::string& name, const std::string& from, const Types& types, const Shapes& shapes) {
    graph.Add(name, "OptionalGetValue", {from}, {{"output_types", types}, {"output_shapes", shapes}});
  };
  const PartialShape any = PartialShape::Unknown(), scalar{Shape()};
  get("parts", "some", {DType::kFloat, DType::kInt32}, {any, scalar});
  get("of_none", "none", {DType::kFloat}, {any});
  get("too_few", "some", {DType::kFloat}, {any});
  get("other_type", "some", {DType::kFloat, DType::kInt64}, {any, any});
  get("other_shape", "some", {DType::kFloat, DType::kInt32}, {any, PartialShape{1}});
  get("other_list", "some", {DType::kFloat, DType::kInt32}, {any});
  TestSession session(graph);
  EXPECT_EQ(session.Run({"parts:0"}).scalar<float>(), 1.5f);
  EXPECT_EQ(session.Run({"parts:1"}).scalar<int32_t>(), 7);
  EXPECT_TRUE(session.Run({"is_there:0"}).scalar<bool>());
  EXPECT_FALSE(session.Run({"is_none:0"}).scalar<bool>());
  for (const char* bad : {"of_none:0", "too_few:0", "other_type:0", "other_shape:0", "other_list:0"}) {
    EXPECT_EQ(session.Run({bad}).code(), Code::kInvalidArgument) << bad;
  }
}

}  // namespace
}  // namespace plumb::reference

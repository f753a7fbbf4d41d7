#include "reference/session.h"

#include <gtest/gtest.h>

#include "reference/test_graph.h"

namespace plumb::reference {
namespace {

const AttrMap kInt = {{"T", DType::kInt32}};
const AttrMap kIntVariable = {{"shape", PartialShape(Shape())}, {"dtype", DType::kInt32}};

TestGraph Variable() {
  TestGraph graph;
  graph.Add("v", "VariableV2", {}, kIntVariable).Const("seven", 7);
  graph.Add("assign", "Assign", {"v", "seven"}, kInt);
  graph.Add("read", "Identity", {"v", "^assign"}, kInt);
  graph.Add("p", "Placeholder", {}, {{"dtype", DType::kInt32}});
  graph.Add("copy", "Identity", {"p"}, kInt).Add("after_p", "Identity", {"seven", "^p"}, kInt);
  graph.Add("default", "PlaceholderWithDefault", {"seven"}, {{"dtype", DType::kInt32}, {"shape", PartialShape()}});
  return graph;
}

TEST(Session, RunsWhatTheFetchNeedsAndKeepsVariables) {
  TestSession session(Variable());
  EXPECT_EQ(session.Run({"v"}).code(), Code::kFailedPrecondition);  // F28
  EXPECT_EQ(session.Run({"read"}).scalar<int32_t>(), 7);
  EXPECT_EQ(session.Run({"v"}).scalar<int32_t>(), 7);
}

TEST(Session, FetchesComeInRequestOrderAndMayRepeat) {
  TestSession session(Variable());
  const RunResult result = session.Run({"seven", "copy", "seven:0", "seven"}, {{"p", MakeScalar<int32_t>(3)}});
  ASSERT_EQ(result.outputs.size(), 4u);
  EXPECT_EQ(result.scalar<int32_t>(0), 7);
  EXPECT_EQ(result.scalar<int32_t>(1), 3);
  EXPECT_EQ(result.scalar<int32_t>(2), 7);
  EXPECT_EQ(result.scalar<int32_t>(3), 7);
}

TEST(Session, APlaceholderMustBeFedUnlessOnlyItsControlEdgesAreUsed) {
  TestSession session(Variable());
  EXPECT_EQ(session.Run({"copy"}).code(), Code::kInvalidArgument);  // F11
  EXPECT_EQ(session.Run({"after_p"}).code(), Code::kInvalidArgument);
  EXPECT_EQ(session.Run({"after_p"}, {{"p:0", MakeScalar<int32_t>(1)}}).scalar<int32_t>(), 7);        // F2
  EXPECT_EQ(session.Run({}, {{"p", MakeScalar<int32_t>(1)}}, {"p"}).code(), Code::kInvalidArgument);  // F24
  EXPECT_EQ(session.Run({"default"}).scalar<int32_t>(), 7);
}

TEST(Session, RefusesWrongRequests) {
  TestSession session(Variable());
  const Tensor one = MakeScalar<int32_t>(1);
  EXPECT_EQ(session.Run({}).code(), Code::kInvalidArgument);                                       // F20
  EXPECT_EQ(session.Run({"nothing"}).code(), Code::kInvalidArgument);                              // F21
  EXPECT_EQ(session.Run({"seven:1"}).code(), Code::kOutOfRange);                                   // F21
  EXPECT_EQ(session.Run({"^seven"}).code(), Code::kOutOfRange);                                    // F21
  EXPECT_EQ(session.Run({"nothing", "seven:1"}).code(), Code::kOutOfRange);                        // F5
  EXPECT_EQ(session.Run({"nothing"}, {}, {"nothing"}).code(), Code::kInvalidArgument);             // F21
  EXPECT_EQ(session.Run({"seven:-1"}).code(), Code::kInvalidArgument);                             // G2
  EXPECT_EQ(session.Run({}, {}, {""}).code(), Code::kNotFound);                                    // F22
  EXPECT_EQ(session.Run({}, {}, {"nothing"}).code(), Code::kNotFound);                             // F22
  EXPECT_EQ(session.Run({"seven"}, {{"nothing", one}}).code(), Code::kInvalidArgument);            // F5
  EXPECT_EQ(session.Run({"copy"}, {{"p", MakeScalar<float>(1)}}).code(), Code::kInvalidArgument);  // F4
  EXPECT_EQ(session.Run({"copy"}, {{"p", one}, {"p:0", one}}).code(), Code::kInvalidArgument);     // F6
  EXPECT_EQ(session.Run({"p"}, {{"p", one}}).code(), Code::kInvalidArgument);                      // F7
}

TEST(Session, AFeedOfAReferenceIsAValue) {
  TestSession session(Variable());
  const std::vector<Feed> feed = {{"v", MakeScalar<int32_t>(5)}};
  const RunResult result = session.Run({"assign"}, feed);  // F9, T4
  EXPECT_EQ(result.code(), Code::kInvalidArgument);
  EXPECT_NE(result.status.message().find("expects a ref type"), std::string::npos);
}

TEST(Session, LivesFromExtendToClose) {
  ReferenceSession session;
  std::vector<Tensor> outputs;
  const std::vector<std::string> fetches = {"seven"};
  EXPECT_EQ(session.Run({}, fetches, {}, &outputs).code(), Code::kInvalidArgument);  // S1
  ASSERT_TRUE(session.Extend(GraphDef()).ok());
  ASSERT_TRUE(session.Extend(Variable().def).ok());
  EXPECT_EQ(session.Extend(Variable().def).code(), Code::kInvalidArgument);  // V3
  TestGraph more;
  more.Add("again", "Identity", {"seven"}, kInt);
  ASSERT_TRUE(session.Extend(more.def).ok());
  const std::vector<std::string> again = {"again"};
  ASSERT_TRUE(session.Run({}, again, {}, &outputs).ok());
  EXPECT_EQ(outputs[0].scalar<int32_t>(), 7);
  ASSERT_TRUE(session.Close().ok());
  EXPECT_EQ(session.Run({}, again, {}, &outputs).code(), Code::kCancelled);  // S2
}

TEST(Session, ResetForgetsVariables) {
  TestSession session(Variable());
  ASSERT_EQ(session.Run({"read"}).code(), Code::kOk);
  ASSERT_TRUE(session.session.Reset({}).ok());
  EXPECT_EQ(session.Run({"v"}).code(), Code::kFailedPrecondition);  // R5
}

TEST(Session, AResetLetsRandomStreamsGoOn) {  // R5, S6
  TestGraph graph;
  graph.Value("shape", MakeVector<int32_t>({4}));
  graph.Add("random", "RandomUniform", {"shape"},
            {{"T", DType::kInt32}, {"dtype", DType::kFloat}, {"seed", 3}, {"seed2", 4}});
  TestSession reset(graph), plain(graph);
  const Tensor first = reset.Run({"random"}).outputs.at(0);
  EXPECT_TRUE(first.BitwiseEquals(plain.Run({"random"}).outputs.at(0)));
  ASSERT_TRUE(reset.session.Reset({}).ok());
  const Tensor second = reset.Run({"random"}).outputs.at(0);
  EXPECT_TRUE(second.BitwiseEquals(plain.Run({"random"}).outputs.at(0)));
  EXPECT_FALSE(second.BitwiseEquals(first));
}

}  // namespace
}  // namespace plumb::reference

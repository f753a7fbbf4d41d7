#include "reference/debugger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "reference/test_graph.h"

namespace plumb::reference {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const AttrMap kFloat = {{"T", DType::kFloat}};

// log(x) + 1, and the branch of a conditional that is not taken.
TestGraph Logarithm(float x) {
  TestGraph graph;
  graph.Const<float>("x", x).Const<float>("one", 1).Const("no", false);
  graph.Add("log", "Log", {"x"}, kFloat).Add("y", "AddV2", {"log", "one"}, kFloat);
  graph.Add("side", "Switch", {"y", "no"}, kFloat).Add("never", "Identity", {"side:1"}, kFloat);
  graph.Add("z", "Identity", {"side"}, kFloat);
  return graph;
}

struct Session {
  Status status;
  std::string output;
};
Session Debug(const TestGraph& graph, const std::string& commands, std::vector<std::string> targets = {}) {
  ReferenceSession session;
  EXPECT_TRUE(session.Extend(graph.def).ok());
  std::istringstream in(commands);
  std::ostringstream out;
  const std::vector<std::string> fetches = {"z"};
  const Status status = Debugger(in, out, "").Run(session, {}, fetches, targets);
  return {status, out.str()};
}

TEST(Debugger, StepsRunsToNodesAndPrints) {
  const Session session = Debug(Logarithm(1), "where\nnext\nwhere\nrun y\nprint log\nprint y:0\nprint z\n");
  EXPECT_TRUE(session.status.ok());
  EXPECT_THAT(session.output, HasSubstr("before the first node\n"));
  EXPECT_THAT(session.output, HasSubstr("after x (Const), the root frame\n"));
  EXPECT_THAT(session.output, HasSubstr("ran y (AddV2), the root frame\n"));
  EXPECT_THAT(session.output, HasSubstr("log in the root frame = float32[] {0}\n  min 0, max 0, mean 0"));
  EXPECT_THAT(session.output, HasSubstr("'z' has not run in this step\n"));
  EXPECT_THAT(session.output, HasSubstr("z = float32[] {1}"));
}

TEST(Debugger, BreaksOnTheFirstNonFiniteNumber) {
  EXPECT_THAT(Debug(Logarithm(-1), "break nan\ncontinue\nquit\n").output, HasSubstr("ran log (Log)"));
  EXPECT_THAT(Debug(Logarithm(0), "break inf\ncontinue\nquit\n").output, HasSubstr("ran log (Log)"));
  EXPECT_THAT(Debug(Logarithm(1), "break nan\nbreak inf\ncontinue\n").output, Not(HasSubstr("ran ")));
}

TEST(Debugger, BreaksOnDeadTokensAndNodes) {
  const Session session = Debug(Logarithm(1), "break dead\nc\nprint side:1\nbreak dead\nbreak z\nc\nw\n", {"never"});
  EXPECT_THAT(session.output, HasSubstr("ran side (Switch)"));
  EXPECT_THAT(session.output, HasSubstr("side:1 in the root frame = dead\n"));
  EXPECT_THAT(session.output, HasSubstr("after z (Identity), the root frame\n"));
}

TEST(Debugger, SaysWhereInALoopItIs) {
  TestGraph graph = Logarithm(1);
  graph.Add("enter", "Enter", {"one"}, {{"T", DType::kFloat}, {"frame_name", "loop"}});
  graph.Add("exit", "Exit", {"enter"}, kFloat);
  EXPECT_THAT(Debug(graph, "run enter\nrun exit\nwhere\n", {"exit"}).output,
              HasSubstr("after exit (Exit), iteration 0 of loop, in the root frame\n"));
}

TEST(Debugger, KeepsWhatWasSeenWhenANodeFails) {
  TestGraph graph = Logarithm(1);
  graph.Add("check", "CheckNumerics", {"y"}, {{"T", DType::kFloat}, {"message", "y"}});
  graph.Add("p", "Placeholder", {"^check"}, {{"dtype", DType::kFloat}}).Add("bad", "Identity", {"p"}, kFloat);
  const Session session = Debug(graph, "continue\nprint check\n", {"bad"});
  EXPECT_EQ(session.status.code(), Code::kInvalidArgument);
  EXPECT_THAT(session.output, HasSubstr("check in the root frame = float32[] {1}"));
  EXPECT_EQ(Debug(graph, "quit\n").status.code(), Code::kCancelled);
}

TEST(Debugger, DescribesNumbers) {
  const Value value(MakeVector<float>({1, 3, 0, NAN, INFINITY}));
  EXPECT_THAT(Describe(value), HasSubstr("min 0, max 3, mean 1.33333"));
  EXPECT_THAT(Describe(value), HasSubstr("1 zero, 1 NaN, 1 infinite"));
}

}  // namespace
}  // namespace plumb::reference

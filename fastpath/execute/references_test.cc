// Laws of reference edges (rules R10–R36, T4).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "fastpath/testing/test_graph.h"

namespace plumb::fast {
namespace {

constexpr DType kFloat = DType::kFloat;

TestGraph WithVariable(const Shape& shape = Shape()) {
  TestGraph graph;
  graph.Add("v", "VariableV2", {}, {{"dtype", kFloat}, {"shape", PartialShape(shape)}});
  graph.Float("ten", 10);
  graph.Float("one", 1);
  if (shape.rank() == 0) graph.Op("init", "Assign", kFloat, {"v", "ten"});
  return graph;
}

// R13.
TEST(References, ReadingBeforeTheFirstAssignmentFails) {
  TestGraph graph = WithVariable();
  graph.Op("read", "Identity", kFloat, {"v"});
  TestSession session(graph);
  EXPECT_EQ(session.Try({}, {"read"}), Code::kFailedPrecondition);
  EXPECT_EQ(session.Try({}, {"v"}), Code::kFailedPrecondition) << "a fetch reads, too (F28)";
  EXPECT_EQ(session.Try({}, {}, {"init"}), Code::kOk);
  EXPECT_EQ(session.Scalar<float>({}, "read"), 10);
  EXPECT_EQ(session.Scalar<float>({}, "v"), 10);
}

// R11: a variable without elements is initialised from birth.
TEST(References, AVariableWithoutElementsIsInitialised) {
  TestGraph graph = WithVariable(Shape({0}));
  graph.Op("read", "Identity", kFloat, {"v"});
  TestSession session(graph);
  const auto outputs = session.Run({}, {"read"});
  ASSERT_TRUE(session.status().ok()) << session.status().ToString();
  EXPECT_EQ(outputs.at(0).shape(), Shape({0}));
}

// R13: RefSwitch accepts an uninitialised reference, RefMerge does not.
TEST(References, PassThroughRefSwitchUninitialised) {
  TestGraph graph = WithVariable();
  graph.Bool("yes", true);
  graph.Op("switch", "RefSwitch", kFloat, {"v", "yes"});
  graph.Op("set", "Assign", kFloat, {"switch:1", "ten"});
  graph.Add("merge", "RefMerge", {"v", "v"}, {{"T", kFloat}, {"N", 2}});
  TestSession session(graph);
  EXPECT_EQ(session.Try({}, {}, {"merge"}), Code::kFailedPrecondition);
  EXPECT_EQ(session.Scalar<float>({}, "set"), 10);
  EXPECT_EQ(session.Scalar<float>({}, "merge:0"), 10);
}

// R34: reading through the output of an update sees the update.
TEST(References, ReadingThroughAnUpdateSeesIt) {
  TestGraph graph = WithVariable();
  graph.Op("add", "AssignAdd", kFloat, {"v", "one"});
  graph.Op("read", "Neg", kFloat, {"add"});
  TestSession session(graph);
  EXPECT_EQ(session.Try({}, {}, {"init"}), Code::kOk);
  EXPECT_EQ(session.Scalar<float>({}, "read"), -11);
  EXPECT_EQ(session.Scalar<float>({}, "read"), -12);
}

// R31, R32: what was handed on shows a later update, what was computed does not.
TEST(References, AnAliasShowsUpdatesAndASumDoesNot) {
  TestGraph graph = WithVariable();
  graph.Float("zero", 0);
  graph.Op("before", "Identity", kFloat, {"v"});
  graph.Op("sum", "AddV2", kFloat, {"before", "zero"});
  graph.Add("add", "AssignAdd", {"v", "one", "^sum"}, {{"T", kFloat}});
  graph.Add("old", "Identity", {"sum", "^add"}, {{"T", kFloat}});
  graph.Add("new", "Neg", {"before", "^add"}, {{"T", kFloat}});
  TestSession session(graph);
  EXPECT_EQ(session.Try({}, {}, {"init"}), Code::kOk);
  const auto outputs = session.Run({}, {"old", "new"});
  ASSERT_TRUE(session.status().ok()) << session.status().ToString();
  EXPECT_EQ(outputs[0].scalar<float>(), 10);
  EXPECT_EQ(outputs[1].scalar<float>(), -11);
}

// F28: a fetched alias is read when the step is over.
TEST(References, AFetchedAliasIsReadWhenTheStepIsOver) {
  TestGraph graph = WithVariable();
  graph.Op("before", "Identity", kFloat, {"v"});
  graph.Add("add", "AssignAdd", {"v", "one", "^before"}, {{"T", kFloat}});
  TestSession session(graph);
  EXPECT_EQ(session.Try({}, {}, {"init"}), Code::kOk);
  const auto outputs = session.Run({}, {"before", "add"});
  ASSERT_TRUE(session.status().ok()) << session.status().ToString();
  EXPECT_EQ(outputs[0].scalar<float>(), 11);
}

// F29: what was fetched is not touched by later steps.
TEST(References, AFetchedValueIsKept) {
  TestGraph graph = WithVariable();
  graph.Op("add", "AssignAdd", kFloat, {"v", "one"});
  TestSession session(graph);
  EXPECT_EQ(session.Try({}, {}, {"init"}), Code::kOk);
  const auto first = session.Run({}, {"v"});
  EXPECT_EQ(session.Try({}, {}, {"add"}), Code::kOk);
  EXPECT_EQ(first.at(0).scalar<float>(), 10);
  EXPECT_EQ(session.Scalar<float>({}, "v"), 11);
}

// T4, F9.
TEST(References, AFedValueIsNoReference) {
  TestGraph graph = WithVariable();
  graph.Op("read", "Neg", kFloat, {"v"});
  TestSession session(graph);
  EXPECT_EQ(session.Try({{"v", MakeScalar(3.0f)}}, {}, {"init"}), Code::kInvalidArgument);
  EXPECT_THAT(session.status().message(), testing::HasSubstr("expects a ref type"));
  EXPECT_EQ(session.Scalar<float>({{"v", MakeScalar(3.0f)}}, "read"), -3);
}

// T4 of nodes that pass a reference on; a step that does not ask for them has nothing to refuse.
TEST(References, AFedValueIsPassedOnByNobodyWhoPassesReferences) {
  TestGraph graph = WithVariable();
  graph.Bool("yes", true);
  graph.Add("merge", "RefMerge", {"v", "v"}, {{"T", kFloat}, {"N", 2}});
  graph.Add("switch", "RefSwitch", {"v", "yes"}, {{"T", kFloat}});
  graph.Add("enter", "RefEnter", {"v"}, {{"T", kFloat}, {"frame_name", std::string("f")}});
  graph.Op("exit", "RefExit", kFloat, {"enter"});
  graph.Op("read", "Neg", kFloat, {"v"});
  TestSession session(graph);
  for (const char* const node : {"merge", "switch", "enter", "exit"}) {
    EXPECT_EQ(session.Try({{"v", MakeScalar(3.0f)}}, {"read"}, {node}), Code::kInvalidArgument) << node;
    EXPECT_THAT(session.status().message(), testing::HasSubstr("expects a ref type")) << node;
  }
  EXPECT_EQ(session.Scalar<float>({{"v", MakeScalar(3.0f)}}, "read"), -3);
}

// The step fails for its dead fetch, the increment stands (S5).
TEST(References, EffectsOfAFailedStepStand) {
  TestGraph graph = WithVariable();
  graph.Bool("no", false);
  graph.Op("switch", "Switch", kFloat, {"one", "no"});
  graph.Op("add", "AssignAdd", kFloat, {"v", "one"});
  TestSession session(graph);
  EXPECT_EQ(session.Try({}, {}, {"init"}), Code::kOk);
  EXPECT_EQ(session.Try({}, {"switch:1"}, {"add"}), Code::kInvalidArgument);
  EXPECT_EQ(session.Scalar<float>({}, "v"), 11);
}

// X36.
TEST(References, RefSelectPicksOne) {
  TestGraph graph = WithVariable();
  graph.Add("w", "VariableV2", {}, {{"dtype", kFloat}, {"shape", PartialShape(Shape())}});
  graph.Op("init_w", "Assign", kFloat, {"w", "one"});
  graph.Placeholder("index", DType::kInt32);
  graph.Add("select", "RefSelect", {"index", "v", "w"}, {{"T", kFloat}, {"N", 2}});
  graph.Op("add", "AssignAdd", kFloat, {"select", "ten"});
  TestSession session(graph);
  EXPECT_EQ(session.Try({}, {}, {"init", "init_w"}), Code::kOk);
  EXPECT_EQ(session.Try({{"index", MakeScalar(1)}}, {}, {"add"}), Code::kOk);
  EXPECT_EQ(session.Scalar<float>({}, "v"), 10);
  EXPECT_EQ(session.Scalar<float>({}, "w"), 11);
  EXPECT_EQ(session.Try({{"index", MakeScalar(2)}}, {}, {"add"}), Code::kInvalidArgument);
}

// R5: after Reset variables are new.
TEST(References, ResetForgetsVariables) {
  TestGraph graph = WithVariable();
  TestSession session(graph);
  std::unique_ptr<Session::Callable> read;
  ASSERT_TRUE(session->MakeCallable({}, std::vector<std::string>{"v"}, {}, &read).ok());
  EXPECT_EQ(session.Try({}, {}, {"init"}), Code::kOk);
  std::vector<Tensor> outputs;
  EXPECT_EQ(read->Run({}, &outputs).code(), Code::kOk);
  EXPECT_EQ(session->Reset({}).code(), Code::kOk);
  EXPECT_EQ(session.Try({}, {"v"}), Code::kFailedPrecondition);
  EXPECT_EQ(read->Run({}, &outputs).code(), Code::kFailedPrecondition);
}

// R36: on another device a reference is read when it is sent.
// R33: strings are reached under the variable's lock, so a kernel computes with a copy of what it was given.
TEST(References, OfStringsAreReadWholeWhileTheyAreWritten) {
  const std::string one(100, 'x'), other(300, 'y');
  TestGraph graph;
  graph.Add("v", "VariableV2", {}, {{"dtype", DType::kString}, {"shape", PartialShape(Shape())}});
  graph.Const("one", MakeScalar(one));
  graph.Const("other", MakeScalar(other));
  graph.Const("end", MakeScalar<std::string>("."));
  graph.Op("write_one", "Assign", DType::kString, {"v", "one"});
  graph.Op("write_other", "Assign", DType::kString, {"v", "other"});
  graph.Add("read", "StringJoin", {"v", "end"}, {{"N", 2}});
  TestSession session(graph, {.threads = 1});
  ASSERT_EQ(session.Try({}, {}, {"write_one"}), Code::kOk);
  std::thread writer([&] {
    for (int i = 0; i < 300; ++i) {
      const std::string target = i % 2 == 0 ? "write_other" : "write_one";
      EXPECT_EQ(session->Run({}, {}, {&target, 1}, nullptr).ToString(), "OK");
    }
  });
  for (int i = 0; i < 300; ++i) {
    std::vector<Tensor> outputs;
    const std::string fetch = "read";
    EXPECT_EQ(session->Run({}, {&fetch, 1}, {}, &outputs).ToString(), "OK");
    EXPECT_THAT(outputs.at(0).scalar<std::string>(), testing::AnyOf(one + ".", other + "."));
  }
  writer.join();
}

TEST(References, TravelBetweenDevicesAsValues) {
  TestGraph graph;
  graph.Add("v", "VariableV2", {}, {{"dtype", kFloat}, {"shape", PartialShape(Shape())}}, "/cpu:1");
  graph.Float("ten", 10);
  graph.Op("init", "Assign", kFloat, {"v", "ten"});
  graph.Add("far", "Neg", {"init"}, {{"T", kFloat}}, "/cpu:0");
  SessionOptions options;
  options.cpu_devices = 2;
  TestSession session(graph, options);
  EXPECT_EQ(session.Scalar<float>({}, "far"), -10);
}

}  // namespace
}  // namespace plumb::fast

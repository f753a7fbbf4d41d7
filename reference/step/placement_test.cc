#include "reference/step/placement.h"

#include <gtest/gtest.h>

#include "reference/test_graph.h"

namespace plumb::reference {
namespace {

Code Extended(const std::string& device, const SessionOptions& options) {
  TestGraph graph;
  graph.Const("x", 1);
  graph.def.nodes[0].device = device;
  return ReferenceSession(options).Extend(graph.def).code();
}

TEST(Placement, RequestsNeedADevice) {
  const SessionOptions two{.cpu_devices = 2};
  for (const std::string device : {"", "/cpu:1", "/job:localhost/device:CPU:0", "/device:CPU:*"}) {
    EXPECT_EQ(Extended(device, two), Code::kOk) << device;
  }
  for (const std::string device : {"/cpu:2", "/gpu:0", "/job:ps/task:0", "/task:1"}) {
    EXPECT_EQ(Extended(device, two), Code::kInvalidArgument) << device;  // W15
  }
}

TEST(Placement, SoftPlacementForgivesTypeAndNumber) {
  const SessionOptions soft{.cpu_devices = 1, .allow_soft_placement = true};
  EXPECT_EQ(Extended("/gpu:7", soft), Code::kOk);
  EXPECT_EQ(Extended("/job:ps/gpu:0", soft), Code::kInvalidArgument);
}

// W12: a request gives way to that of the variable, where there is one to give way to.
TEST(Placement, OnlyAConflictLiftsTheRequestOfAReferencesUser) {
  const auto extended = [](const std::string& variable, const std::string& update) {
    TestGraph graph;
    graph.Const("x", 1.0f);
    graph.Add("v", "VariableV2", {}, {{"dtype", DType::kFloat}, {"shape", PartialShape({})}});
    graph.Add("set", "Assign", {"v", "x"}, {{"T", DType::kFloat}});
    graph.def.nodes[1].device = variable;
    graph.def.nodes[2].device = update;
    return ReferenceSession(SessionOptions{.cpu_devices = 1}).Extend(graph.def).code();
  };
  EXPECT_EQ(extended("", "/cpu:0"), Code::kOk);
  EXPECT_EQ(extended("/cpu:0", "/gpu:0"), Code::kOk);
  EXPECT_EQ(extended("", "/gpu:0"), Code::kInvalidArgument);
}

// x, squared in a frame of its own on the device asked for.
Code SquaredInAFrame(const std::string& device, int devices) {
  TestGraph graph;
  graph.Const("x", 3.0f);
  graph.Add("enter", "Enter", {"x"}, {{"T", DType::kFloat}, {"frame_name", "f"}});
  graph.Add("sum", "Add", {"enter", "enter"}, {{"T", DType::kFloat}});
  graph.Add("square", "Square", {"sum"}, {{"T", DType::kFloat}});
  graph.Add("exit", "Exit", {"square"}, {{"T", DType::kFloat}});
  graph.def.nodes[3].device = device;
  ReferenceSession session({.cpu_devices = devices});
  EXPECT_TRUE(session.Extend(graph.def).ok());
  std::vector<Tensor> outputs;
  return session.Run({}, std::vector<std::string>{"exit"}, {}, &outputs).code();
}

// W26.
TEST(Placement, AFrameOnTwoDevicesNeedsAPredicate) {
  EXPECT_EQ(SquaredInAFrame("", 2), Code::kOk);
  EXPECT_EQ(SquaredInAFrame("/cpu:0", 2), Code::kOk);
  EXPECT_EQ(SquaredInAFrame("/cpu:1", 2), Code::kInvalidArgument);
}

// What is fed lies outside of all frames, on the first device.
TEST(Placement, AFrameMayTakeWhatIsFed) {
  for (const std::string device : {"", "/cpu:1"}) {
    TestGraph graph;
    graph.Add("x", "Placeholder", {}, {{"dtype", DType::kFloat}});
    graph.Add("enter", "Enter", {"x"}, {{"T", DType::kFloat}, {"frame_name", "f"}});
    graph.Add("square", "Square", {"enter"}, {{"T", DType::kFloat}});
    graph.Add("exit", "Exit", {"square"}, {{"T", DType::kFloat}});
    graph.def.nodes[2].device = device;
    ReferenceSession session({.cpu_devices = 2});
    ASSERT_TRUE(session.Extend(graph.def).ok());
    std::vector<Tensor> outputs;
    const std::vector<Feed> feeds = {{"x", MakeScalar(3.0f)}};
    ASSERT_TRUE(session.Run(feeds, std::vector<std::string>{"exit"}, {}, &outputs).ok()) << device;
    EXPECT_EQ(outputs[0].scalar<float>(), 9);
  }
}

// W20: the Enter goes where its value is wanted, so that the whole frame lies on the second device.
TEST(Placement, AFrameMovesToItsDataAsAWhole) {
  TestGraph graph;
  graph.Const("x", 3.0f);
  graph.Add("enter", "Enter", {"x"}, {{"T", DType::kFloat}, {"frame_name", "f"}});
  graph.Add("square", "Square", {"enter"}, {{"T", DType::kFloat}});
  graph.Add("exit", "Exit", {"square"}, {{"T", DType::kFloat}});
  graph.def.nodes[2].device = "/cpu:1";
  ReferenceSession session({.cpu_devices = 2});
  ASSERT_TRUE(session.Extend(graph.def).ok());
  std::vector<Tensor> outputs;
  EXPECT_TRUE(session.Run({}, std::vector<std::string>{"exit"}, {}, &outputs).ok());
}

// R33, R36: what hands a variable's value on shows later writes, unless it lies on another device.
float HandedOn(const std::string& device) {
  const AttrMap type = {{"T", DType::kFloat}};
  TestGraph graph;
  graph.Add("v", "VariableV2", {}, {{"dtype", DType::kFloat}, {"shape", PartialShape(Shape())}});
  graph.Const("one", 1.0f);
  graph.Const("ten", 10.0f);
  graph.Add("init", "Assign", {"v", "one"}, type);
  graph.Add("read", "Identity", {"v"}, type);
  graph.def.nodes.back().device = device;
  graph.Add("update", "AssignAdd", {"v", "ten", "^read"}, type);
  ReferenceSession session({.cpu_devices = 2, .sim_devices = 1, .emulated_gpus = 1});
  EXPECT_TRUE(session.Extend(graph.def).ok());
  std::vector<Tensor> outputs;
  EXPECT_TRUE(session.Run({}, std::vector<std::string>{"init"}, {}, &outputs).ok());
  const std::vector<std::string> fetches = {"read"}, targets = {"update"};
  EXPECT_TRUE(session.Run({}, fetches, targets, &outputs).ok());
  return outputs.at(0).scalar<float>();
}
TEST(Placement, CopiesTravelBetweenDevices) {
  EXPECT_EQ(HandedOn(""), 11);
  EXPECT_EQ(HandedOn("/cpu:0"), 11);
  EXPECT_EQ(HandedOn("/cpu:1"), 1);
  EXPECT_EQ(HandedOn("/device:SIM:0"), 1);
  EXPECT_EQ(HandedOn("/device:GPU:0"), 1);
}

// R36: a node that asks for no device is where its input is, however far that leads.
TEST(Placement, ChainsMayHaveAnyLength) {
  constexpr int kNodes = 100'000;
  TestGraph graph;
  graph.Const("n0", 1.0f);
  graph.def.nodes[0].device = "/cpu:1";
  for (int i = 1; i <= kNodes; ++i) graph.Add(Str("n", i), "Identity", {Str("n", i - 1)}, {{"T", DType::kFloat}});
  ReferenceSession session({.cpu_devices = 2});
  ASSERT_EQ(session.Extend(graph.def).ToString(), "OK");
  std::vector<Tensor> outputs;
  ASSERT_EQ(session.Run({}, std::vector{Str("n", kNodes)}, {}, &outputs).ToString(), "OK");
  EXPECT_EQ(outputs.at(0).scalar<float>(), 1);
}

// W13: there are as many GPUs as the session was given, of either kind.
TEST(Placement, GpusAreThoseOfTheSession) {
  const auto status_of = [](const std::string& device, const SessionOptions& options) {
    TestGraph graph;
    graph.Const("x", 1.0f);
    graph.def.nodes.back().device = device;
    ReferenceSession session(options);
    const Status loaded = session.Extend(graph.def);
    std::vector<Tensor> outputs;
    return loaded.ok() ? session.Run({}, std::vector<std::string>{"x"}, {}, &outputs).code() : loaded.code();
  };
  EXPECT_EQ(status_of("/device:GPU:0", {.emulated_gpus = 1}), Code::kOk);
  EXPECT_EQ(status_of("/device:GPU:1", {.gpu_devices = 2}), Code::kOk);
  EXPECT_EQ(status_of("/device:GPU:1", {.gpu_devices = 1}), Code::kInvalidArgument);
  EXPECT_EQ(status_of("/device:GPU:0", {.sim_devices = 1}), Code::kInvalidArgument);
}

// W12, R44: who takes a handle is where its variable is, whatever it asks for; so the handle's variable and the one
// whose alias it was given go on to share a buffer.
TEST(Placement, UsersOfAHandleAreWhereItIs) {
  const AttrMap dtype = {{"dtype", DType::kFloat}}, type = {{"T", DType::kFloat}};
  const AttrMap variable = {{"dtype", DType::kFloat}, {"shape", PartialShape(Shape())}};
  TestGraph graph;
  graph.Const("one", 1.0f).Const("ten", 10.0f).Add("v", "VariableV2", {}, variable);
  graph.Add("init", "Assign", {"v", "one"}, type);
  graph.Add("h", "VarHandleOp", {}, variable);
  graph.def.nodes.back().device = "/cpu:0";
  graph.Add("share", "AssignVariableOp", {"h", "v"}, dtype);
  graph.def.nodes.back().device = "/cpu:1";
  graph.Add("update", "AssignAdd", {"v", "ten", "^share"}, type);
  graph.Add("read", "ReadVariableOp", {"h", "^update"}, dtype);
  ReferenceSession session({.cpu_devices = 2});
  ASSERT_TRUE(session.Extend(graph.def).ok());
  std::vector<Tensor> outputs;
  ASSERT_TRUE(session.Run({}, std::vector<std::string>{"init"}, {}, &outputs).ok());
  ASSERT_TRUE(session.Run({}, std::vector<std::string>{"read"}, {}, &outputs).ok());
  EXPECT_EQ(outputs.at(0).scalar<float>(), 11);
}

}  // namespace
}  // namespace plumb::reference

// Ops that TensorFlow's own passes put into graphs, and that a graph may bring along.
#include <gtest/gtest.h>

#include <cstdint>
#include <utility>

#include "backends/backends.h"
#include "backends/backends_testing.h"
#include "spec/core/tensor.h"
#include "spec/graph/graph_def.h"

namespace plumb {
namespace {

const AttrMap kFloat = {{"T", DType::kFloat}};

NodeDef MakeNode(const std::string& name, const std::string& op, std::vector<std::string> inputs, AttrMap attrs) {
  return {name, op, std::move(inputs), "", std::move(attrs), ""};
}
NodeDef MakeConst(const std::string& name, const Tensor& value) {
  return MakeNode(name, "Const", {}, {{"value", value}, {"dtype", value.dtype()}});
}

// Of one end of an edge between two devices, with the type of what passes there.
AttrMap OnEdge(const std::string& type_name, DType type) {
  return {{"tensor_name", "edge"},        {"send_device", "/cpu:0"},    {"recv_device", "/cpu:1"},
          {"send_device_incarnation", 1}, {"client_terminated", false}, {type_name, type}};
}

class InternalOps : public testing::TestWithParam<std::string_view> {
 protected:
  Status Run(std::vector<NodeDef> nodes, const std::vector<std::string>& fetches, const std::vector<Feed>& feeds = {},
             const std::vector<std::string>& targets = {}) {
    const auto session = OpenSession(GetParam(), {});
    nodes.push_back(MakeConst("x", MakeVector<float>({1.5, -2.5})));
    const Status loaded = session->Extend({std::move(nodes), {kGraphVersion, 0, {}}, ""});
    return loaded.ok() ? session->Run(feeds, fetches, targets, &outputs_) : loaded;
  }
  std::vector<Tensor> outputs_;
};
INSTANTIATE_TEST_SUITE_P(All, InternalOps, testing::ValuesIn(BackendNames().begin(), BackendNames().end()),
                         [](const auto& info) { return TestNameOf(info.param); });

// X31.
TEST_P(InternalOps, ASwitchMayHaveManyOutputs) {
  const std::vector<NodeDef> nodes = {
      MakeNode("i", "Placeholder", {}, {{"dtype", DType::kInt32}}),
      MakeNode("s", "_SwitchN", {"x", "i"}, {{"T", DType::kFloat}, {"num_outs", 3}}),
      MakeNode("negative", "Neg", {"s:1"}, kFloat), MakeNode("square", "Square", {"s:2"}, kFloat),
      MakeNode("m", "Merge", {"s:0", "negative", "square"}, {{"T", DType::kFloat}, {"N", 3}})};
  const std::pair<int32_t, std::pair<float, int32_t>> expected[] = {
      {0, {-2.5, 0}}, {1, {2.5, 1}}, {2, {6.25, 2}}, {3, {6.25, 2}}, {-1, {6.25, 2}}, {INT32_MIN, {6.25, 2}}};
  for (const auto& [index, answer] : expected) {
    const Status status = Run(nodes, {"m", "m:1"}, {{"i", MakeScalar(index)}});
    ASSERT_TRUE(status.ok()) << status.ToString();
    EXPECT_EQ(outputs_[0].data<float>()[1], answer.first) << index;
    EXPECT_EQ(outputs_[1].scalar<int32_t>(), answer.second) << index;
  }
  EXPECT_EQ(Run(nodes, {"s:0"}, {{"i", MakeScalar<int32_t>(1)}}).code(), Code::kInvalidArgument) << "dead";
  EXPECT_EQ(Run(nodes, {"m"}, {{"i", MakeVector<int32_t>({1})}}).code(), Code::kInvalidArgument) << "no scalar";
}

TEST_P(InternalOps, ListsBecomeArraysOfOneType) {
  const NodeDef one = MakeConst("one", MakeScalar<int32_t>(1)), y = MakeConst("y", MakeScalar<float>(4));
  const auto list = [](const char* second, DType type, int count) {
    return MakeNode("a", "_ListToArray", {"x", second},
                    {{"Tin", std::vector<DType>{DType::kFloat, type}}, {"T", DType::kFloat}, {"N", count}});
  };
  ASSERT_TRUE(Run({y, list("y", DType::kFloat, 2)}, {"a:1", "a:0"}).ok());
  EXPECT_EQ(outputs_[0].scalar<float>(), 4);
  EXPECT_EQ(outputs_[1].data<float>()[1], -2.5);
  EXPECT_EQ(Run({one, list("one", DType::kInt32, 2)}, {"a"}).code(), Code::kInternal);
  EXPECT_EQ(Run({y, list("y", DType::kFloat, 1)}, {"a"}).code(), Code::kInternal);
  const auto array = [](std::vector<DType> types) {
    return MakeNode("a", "_ArrayToList", {"x", "y"}, {{"T", DType::kFloat}, {"N", 2}, {"out_types", std::move(types)}});
  };
  ASSERT_TRUE(Run({y, array({DType::kFloat, DType::kFloat})}, {"a:1"}).ok());
  EXPECT_EQ(outputs_[0].scalar<float>(), 4);
  EXPECT_EQ(Run({y, array({DType::kFloat, DType::kInt32})}, {"a"}).code(), Code::kInternal);
  EXPECT_EQ(Run({y, array({DType::kFloat})}, {"a"}).code(), Code::kInternal);
}

TEST_P(InternalOps, AHostCastIsACast) {
  const auto cast = [](DType to) {
    return MakeNode("c", "_HostCast", {"x"}, {{"SrcT", DType::kFloat}, {"DstT", to}, {"Truncate", false}});
  };
  ASSERT_TRUE(Run({cast(DType::kInt32)}, {"c"}).ok());
  EXPECT_EQ(outputs_[0].data<int32_t>()[0], 1);
  EXPECT_EQ(outputs_[0].data<int32_t>()[1], -2);
  EXPECT_EQ(Run({cast(DType::kString)}, {"c"}).code(), Code::kUnimplemented);
}

// W31: under one key with _Send and _Recv.
TEST_P(InternalOps, HostsSendAndReceiveWithinAStep) {
  const AttrMap send = OnEdge("T", DType::kFloat), receive = OnEdge("tensor_type", DType::kFloat);
  for (const NodeDef& receiver :
       {MakeNode("receive", "_HostRecv", {}, receive), MakeNode("receive", "_Recv", {}, receive)}) {
    const Status status = Run({MakeNode("send", "_HostSend", {"x"}, send), receiver}, {"receive"}, {}, {"send"});
    ASSERT_TRUE(status.ok()) << status.ToString();
    EXPECT_EQ(outputs_[0].data<float>()[1], -2.5);
  }
}

// W30: as TensorFlow answers, whose keys are texts with five parts.
TEST_P(InternalOps, MessagesNameDevicesAndATensor) {
  const auto code = [&](const char* attr, const char* name) {
    AttrMap send = OnEdge("T", DType::kFloat), receive = OnEdge("tensor_type", DType::kFloat);
    send.insert_or_assign(attr, name);
    receive.insert_or_assign(attr, name);
    const Code both = Run({MakeNode("send", "_Send", {"x"}, send), MakeNode("receive", "_Recv", {}, receive)},
                          {"receive"}, {}, {"send"})
                          .code();
    EXPECT_EQ(Run({MakeNode("send", "_Send", {"x"}, send)}, {}, {}, {"send"}).code(), both) << attr << ": " << name;
    return both;
  };
  for (const char* const end : {"send_device", "recv_device"}) {
    for (const char* const device : {"/device:CPU:0", "/job:localhost/replica:0/task:0/device:CPU:0"}) {
      EXPECT_EQ(code(end, device), Code::kOk) << device;
    }
    for (const char* const device : {"CPU:0", "localhost"}) {
      EXPECT_EQ(code(end, device), Code::kInvalidArgument) << device;
    }
  }
  EXPECT_EQ(code("tensor_name", "a:0"), Code::kOk);
  EXPECT_EQ(code("tensor_name", ""), Code::kInvalidArgument);
  EXPECT_EQ(code("tensor_name", "a;b"), Code::kInvalidArgument);
}

// W31: of one key in the order in which they were sent.
TEST_P(InternalOps, MessagesOfOneKeyKeepTheirOrder) {
  const AttrMap send = OnEdge("T", DType::kFloat), receive = OnEdge("tensor_type", DType::kFloat);
  const Status status =
      Run({MakeConst("one", MakeScalar(1.0F)), MakeConst("two", MakeScalar(2.0F)),
           MakeNode("first", "_Send", {"one"}, send), MakeNode("second", "_Send", {"two", "^first"}, send),
           MakeNode("a", "_Recv", {"^second"}, receive), MakeNode("b", "_Recv", {"^a"}, receive)},
          {"a", "b"});
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(outputs_[0].scalar<float>(), 1);
  EXPECT_EQ(outputs_[1].scalar<float>(), 2);
}

// X4: a Recv that is dead takes its message all the same, so that the next one is not given it.
TEST_P(InternalOps, ADeadReceiverTakesItsMessage) {
  const AttrMap send = OnEdge("T", DType::kFloat), receive = OnEdge("tensor_type", DType::kFloat);
  const AttrMap all = {{"N", 2}, {"T", DType::kFloat}};
  const Status status =
      Run({MakeConst("one", MakeScalar(1.0F)), MakeConst("two", MakeScalar(2.0F)), MakeConst("no", MakeScalar(false)),
           MakeNode("first", "_Send", {"one"}, send), MakeNode("second", "_Send", {"two", "^first"}, send),
           MakeNode("branch", "Switch", {"one", "no"}, kFloat), MakeNode("taken", "Identity", {"branch:1"}, kFloat),
           MakeNode("a", "_Recv", {"^second", "^taken"}, receive), MakeNode("over", "ControlTrigger", {"^a"}, {}),
           MakeNode("b", "_Recv", {"^over"}, receive), MakeNode("m", "Merge", {"a", "b"}, all)},
          {"m", "m:1"});
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(outputs_[0].scalar<float>(), 2);
  EXPECT_EQ(outputs_[1].scalar<int32_t>(), 1) << "a is dead";
}

// T5: what is received has the type that its Recv is for.
TEST_P(InternalOps, NobodyReceivesAnotherType) {
  const AttrMap send = OnEdge("T", DType::kFloat);
  for (const auto& [type, op] : {std::pair(DType::kDouble, "Neg"), std::pair(DType::kString, "Identity")}) {
    const AttrMap receive = OnEdge("tensor_type", type);
    const Status status = Run({MakeNode("send", "_Send", {"x"}, send), MakeNode("receive", "_Recv", {}, receive),
                               MakeNode("read", op, {"receive"}, {{"T", type}})},
                              {"read"}, {}, {"send"});
    EXPECT_EQ(status.code(), Code::kInternal) << op << ": " << status.ToString();
  }
}

// FN5: they do no harm where nothing needs them.
TEST_P(InternalOps, ArgumentsAndResultsBelongIntoFunctions) {
  const AttrMap attrs = {{"T", DType::kFloat}, {"index", 0}};
  const std::vector<NodeDef> nodes = {
      MakeNode("arg", "_DeviceArg", {}, attrs), MakeNode("result", "_Retval", {"x"}, attrs),
      MakeNode("left", "_DeviceRetval", {"x"}, attrs), MakeNode("negative", "Neg", {"x"}, kFloat)};
  for (const char* target : {"result", "left", "arg"}) {
    EXPECT_EQ(Run(nodes, {}, {}, {target}).code(), Code::kInvalidArgument) << target;
  }
  EXPECT_TRUE(Run(nodes, {"negative"}).ok());
}

}  // namespace
}  // namespace plumb

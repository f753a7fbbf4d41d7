// Laws that every backend's session keeps.
#include <gtest/gtest.h>

#include <limits>

#include "backends/backends.h"
#include "backends/backends_testing.h"
#include "backends/library/testing/testing.h"
#include "spec/graph/graph_def.h"

namespace plumb {
namespace {

class Sessions : public testing::TestWithParam<std::string_view> {};
INSTANTIATE_TEST_SUITE_P(All, Sessions, testing::ValuesIn(BackendNames().begin(), BackendNames().end()),
                         [](const auto& info) { return TestNameOf(info.param); });
// Our own as somebody else's.
const std::string kOwnCpu = library::TestLibrary("own_cpu");
INSTANTIATE_TEST_SUITE_P(Libraries, Sessions, testing::Values(std::string_view(kOwnCpu)),
                         [](const auto&) { return "own_cpu"; });

NodeDef FloatNode(const std::string& name, float value) {
  return {name, "Const", {}, "", {{"value", MakeScalar(value)}, {"dtype", DType::kFloat}}, ""};
}
GraphDef GraphOf(std::vector<NodeDef> nodes) { return {std::move(nodes), {kGraphVersion, 0, {}}, ""}; }

Status Fetch(Session& session, std::vector<std::string> fetches, std::vector<Tensor>* outputs) {
  return session.Run({}, fetches, {}, outputs);
}

// F31: two requests are one when their names are.
TEST_P(Sessions, TellRequestsApartByTheirNames) {
  const auto session = OpenSession(GetParam(), {});
  ASSERT_TRUE(session->Extend(GraphOf({FloatNode("a", 1), FloatNode("b", 2)})).ok());
  std::vector<Tensor> outputs;
  EXPECT_TRUE(Fetch(*session, {"a", "b"}, &outputs).ok());
  EXPECT_NE(Fetch(*session, {"a\nb"}, &outputs).code(), Code::kOk);
  EXPECT_NE(Fetch(*session, {"a", "", ">b"}, &outputs).code(), Code::kOk);
}

// The names of a callable are resolved when it is made, against the graph of then.
TEST_P(Sessions, ResolveTheNamesOfACallableOnce) {
  const auto session = OpenSession(GetParam(), {});
  ASSERT_TRUE(session->Extend(GraphOf({FloatNode("a", 1)})).ok());
  std::unique_ptr<Session::Callable> callable;
  const std::vector<std::string> a = {"a"}, b = {"b"}, nothing;
  EXPECT_EQ(session->MakeCallable(nothing, b, nothing, &callable).code(), Code::kInvalidArgument);
  EXPECT_EQ(session->MakeCallable(b, a, nothing, &callable).code(), Code::kInvalidArgument);
  EXPECT_EQ(session->MakeCallable(nothing, nothing, b, &callable).code(), Code::kNotFound);
  ASSERT_TRUE(session->MakeCallable(nothing, a, nothing, &callable).ok());
  ASSERT_TRUE(session->Extend(GraphOf({FloatNode("b", 2)})).ok());
  std::vector<Tensor> outputs;
  ASSERT_TRUE(callable->Run({}, &outputs).ok());
  EXPECT_TRUE(outputs.at(0).BitwiseEquals(MakeScalar(1.0F)));
  EXPECT_TRUE(session->MakeCallable(nothing, b, nothing, &callable).ok());
}

TEST_P(Sessions, RefuseOtherFeedsThanACallableTakes) {
  const auto session = OpenSession(GetParam(), {});
  ASSERT_TRUE(session
                  ->Extend(GraphOf({{"x", "Placeholder", {}, "", {{"dtype", DType::kFloat}}, ""},
                                    {"twice", "Add", {"x", "x"}, "", {{"T", DType::kFloat}}, ""}}))
                  .ok());
  std::unique_ptr<Session::Callable> callable;
  const std::vector<std::string> x = {"x"}, twice = {"twice"};
  ASSERT_TRUE(session->MakeCallable(x, twice, {}, &callable).ok());
  std::vector<Tensor> outputs;
  EXPECT_EQ(callable->Run({}, &outputs).code(), Code::kInvalidArgument);
  EXPECT_EQ(callable->Run(std::vector{MakeScalar(1.0F), MakeScalar(2.0F)}, &outputs).code(), Code::kInvalidArgument);
  ASSERT_TRUE(callable->Run(std::vector{MakeScalar(4.0F)}, &outputs).ok());
  EXPECT_EQ(outputs.at(0).scalar<float>(), 8);
}

// S4: the longest time that can be said is no time that has passed.
TEST_P(Sessions, WaitForAsLongAsTheyAreAsked) {
  const auto session = OpenSession(GetParam(), {});
  ASSERT_TRUE(session->Extend(GraphOf({FloatNode("a", 1)})).ok());
  RunOptions options;
  options.timeout_ms = std::numeric_limits<int64_t>::max();
  const std::vector<std::string> a = {"a"};
  std::vector<Tensor> outputs;
  const Status status = session->Run(options, {}, a, {}, &outputs, nullptr);
  EXPECT_TRUE(status.ok()) << status.ToString();
}

// S6, R5: a stream belongs to its node; a reset drops what is in containers.
TEST_P(Sessions, ContinueTheirRandomStreamsAfterAReset) {
  const GraphDef graph =
      GraphOf({{"shape", "Const", {}, "", {{"value", MakeVector<int32_t>({4})}, {"dtype", DType::kInt32}}, ""},
               {"draw",
                "RandomUniform",
                {"shape"},
                "",
                {{"T", DType::kInt32}, {"dtype", DType::kFloat}, {"seed", 5}, {"seed2", 7}},
                ""}});
  std::vector<Tensor> second[2];
  for (const bool is_reset : {false, true}) {
    const auto session = OpenSession(GetParam(), {});
    ASSERT_TRUE(session->Extend(graph).ok());
    std::vector<Tensor> first;
    ASSERT_TRUE(Fetch(*session, {"draw"}, &first).ok());
    if (is_reset) {
      ASSERT_TRUE(session->Reset({}).ok());
    }
    ASSERT_TRUE(Fetch(*session, {"draw"}, &second[is_reset]).ok());
    EXPECT_FALSE(first.at(0).BitwiseEquals(second[is_reset].at(0)));
  }
  EXPECT_TRUE(second[0].at(0).BitwiseEquals(second[1].at(0)));
}

// R5: variables are uninitialised afterwards, for callables that were made before too.
TEST_P(Sessions, ForgetVariablesWhenTheyAreReset) {
  const auto session = OpenSession(GetParam(), {});
  const AttrMap type = {{"T", DType::kFloat}};
  ASSERT_TRUE(session
                  ->Extend(GraphOf(
                      {FloatNode("one", 1),
                       {"v", "VariableV2", {}, "", {{"dtype", DType::kFloat}, {"shape", PartialShape(Shape())}}, ""},
                       {"init", "Assign", {"v", "one"}, "", type, ""},
                       {"read", "Identity", {"v"}, "", type, ""}}))
                  .ok());
  const std::vector<std::string> fetches = {"read"};
  std::unique_ptr<Session::Callable> read;
  ASSERT_TRUE(session->MakeCallable({}, fetches, {}, &read).ok());
  std::vector<Tensor> outputs;
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(read->Run({}, &outputs).code(), Code::kFailedPrecondition);
    ASSERT_TRUE(Fetch(*session, {"init"}, &outputs).ok());
    EXPECT_TRUE(read->Run({}, &outputs).ok());
    ASSERT_TRUE(session->Reset({}).ok());
  }
}

// S1, V3: nothing comes of an empty graph; an addition without nodes has versions and a library all the same.
TEST_P(Sessions, CheckTheVersionsOfAnAdditionWithoutNodes) {
  const auto session = OpenSession(GetParam(), {});
  GraphDef other_producer = GraphOf({}), needs_newer = GraphOf({}), refuses_us = GraphOf({});
  other_producer.versions.producer = kGraphVersion - 1;
  needs_newer.versions.min_consumer = kGraphVersion + 1;
  refuses_us.versions.bad_consumers = {kGraphVersion};
  for (const GraphDef& addition : {other_producer, needs_newer, refuses_us}) {
    EXPECT_EQ(session->Extend(addition).code(), Code::kOk) << "before there is a graph";
  }
  ASSERT_TRUE(session->Extend(GraphOf({FloatNode("a", 1)})).ok());
  for (const GraphDef& addition : {other_producer, needs_newer, refuses_us}) {
    EXPECT_EQ(session->Extend(addition).code(), Code::kInvalidArgument);
  }
  EXPECT_EQ(session->Extend(GraphOf({})).code(), Code::kOk);
  std::vector<Tensor> outputs;
  EXPECT_TRUE(Fetch(*session, {"a"}, &outputs).ok()) << "what was refused left no trace";
}

// A Send of 'a' and a Recv, whose keys differ where `incarnation` does.
GraphDef WithTransfer(int64_t incarnation) {
  const AttrMap channel = {
      {"tensor_name", "edge"}, {"send_device", "/cpu:0"}, {"recv_device", "/cpu:1"}, {"client_terminated", false}};
  AttrMap send = channel, receive = channel;
  send["T"] = receive["tensor_type"] = DType::kFloat;
  send["send_device_incarnation"] = 1;
  receive["send_device_incarnation"] = incarnation;
  return GraphOf(
      {FloatNode("a", 1), {"send", "_Send", {"a"}, "", send, ""}, {"receive", "_Recv", {}, "", receive, ""}});
}

// W31: a Send and a Recv of the graph's own meet within a step.
TEST_P(Sessions, SendAndReceiveWithinAStep) {
  const auto session = OpenSession(GetParam(), {});
  ASSERT_TRUE(session->Extend(WithTransfer(1)).ok());
  std::vector<Tensor> outputs;
  const std::vector<std::string> fetches = {"receive"}, targets = {"send"};
  const Status status = session->Run({}, fetches, targets, &outputs);
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(outputs.at(0).scalar<float>(), 1);
  EXPECT_TRUE(Fetch(*session, {"a"}, &outputs).ok()) << "where it is not needed it does no harm";
}

// X8, E2: a Recv whose message never comes ends with the step: nobody sends here, or (W23) another incarnation does.
TEST_P(Sessions, EndTheReceivesThatNobodySendsTo) {
  for (const int64_t incarnation : {1, 2}) {
    const auto session = OpenSession(GetParam(), {});
    ASSERT_TRUE(session->Extend(WithTransfer(incarnation)).ok());
    std::vector<Tensor> outputs;
    const std::vector<std::string> fetches = {"receive"};
    const std::vector<std::string> targets =
        incarnation == 1 ? std::vector<std::string>{} : std::vector<std::string>{"send"};
    const Status status = session->Run({}, fetches, targets, &outputs);
    EXPECT_EQ(status.code(), Code::kInvalidArgument) << status.ToString();
    EXPECT_TRUE(Fetch(*session, {"a"}, &outputs).ok());
  }
}

// A7: types that no kernel takes are refused with the graph, wherever they stand in it.
TEST_P(Sessions, RefuseTypesThatHaveNoKernelAnywhere) {
  const NodeDef bytes = {
      "bytes", "Const", {}, "", {{"value", MakeTensor<uint8_t>({1, 1}, {3})}, {"dtype", DType::kUint8}}, ""};
  const NodeDef product = {"product", "MatMul", {"bytes", "bytes"}, "", {{"T", DType::kUint8}}, ""};
  const auto session = OpenSession(GetParam(), {});
  const Status status = session->Extend(GraphOf({FloatNode("a", 1), bytes, product}));
  EXPECT_EQ(status.code(), Code::kInvalidArgument);
  EXPECT_EQ(status.reason(), Reason::kNoKernel);
  EXPECT_NE(status.message().find("'product'"), std::string::npos) << status.message();
  std::vector<Tensor> outputs;
  EXPECT_EQ(Fetch(*session, {"a"}, &outputs).code(), Code::kInvalidArgument);
}

// X36: a rule of the executor counts as implemented.
TEST_P(Sessions, HaveTheOpsThatExecutorsAreMadeOf) {
  for (const std::string_view op : {"Switch", "Merge", "RefSelect", "NoOp", "ControlTrigger", "Const", "LoopCond"}) {
    EXPECT_TRUE(IsImplemented(GetParam(), op)) << op;
  }
}

}  // namespace
}  // namespace plumb

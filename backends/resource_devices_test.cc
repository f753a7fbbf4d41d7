// R1, R7: a resource lies on the device of the node that makes its reference or handle.
#include <gtest/gtest.h>

#include <utility>

#include "backends/backends.h"
#include "backends/backends_testing.h"
#include "spec/graph/function_testing.h"
#include "spec/session/saved_state.h"

namespace plumb {
namespace {

using Names = std::vector<std::string>;

const AttrMap kFloat = {{"T", DType::kFloat}}, kFloatType = {{"dtype", DType::kFloat}};
constexpr const char* kHost = "/job:localhost/replica:0/task:0/device:CPU:";

class ResourceDevices : public testing::TestWithParam<std::string_view> {
 protected:
  // Nodes are added one by one; each may ask for a device.
  void Add(std::string name, std::string op, Names inputs, AttrMap attrs, std::string device = "") {
    added_.push_back({std::move(name), std::move(op), std::move(inputs), std::move(device), std::move(attrs), ""});
  }
  void Constant(const std::string& name, Tensor value) {
    const DType dtype = value.dtype();
    Add(name, "Const", {}, {{"value", std::move(value)}, {"dtype", dtype}});
  }
  void Open(SessionOptions options = {.cpu_devices = 2}) {
    session_ = OpenSession(GetParam(), options);
    ASSERT_EQ(Extend().ToString(), "OK");
  }
  // Gives the session what was added since.
  Status Extend() { return session_->Extend({std::exchange(added_, {}), {kGraphVersion, 0, {}}, ""}); }
  Code Run(const Names& targets) { return session_->Run({}, {}, targets, nullptr).code(); }
  // A number, or the code of the failure as text.
  std::string Answer(const std::string& fetch) {
    std::vector<Tensor> outputs;
    const Status status = session_->Run({}, Names{fetch}, {}, &outputs);
    return status.ok() ? outputs.at(0).ToString() : std::string(CodeName(status.code()));
  }

  std::unique_ptr<Session> session_;
  std::vector<NodeDef> added_;
};
INSTANTIATE_TEST_SUITE_P(All, ResourceDevices, testing::ValuesIn(BackendNames().begin(), BackendNames().end()),
                         [](const auto& info) { return TestNameOf(info.param); });

// From elsewhere, to what may be on the CPU with this number.
ResourceHandle Handle(const std::string& id, const std::string& name, const std::string& type_name) {
  ResourceHandle handle;
  handle.device = kHost + id;
  handle.container = "localhost";
  handle.name = name;
  handle.type_name = type_name;
  return handle;
}

AttrMap Scalar(const std::string& shared_name, const std::string& container = "") {
  return {{"dtype", DType::kFloat},
          {"shape", PartialShape(Shape())},
          {"shared_name", shared_name},
          {"container", container}};
}

TEST_P(ResourceDevices, TellVariablesOfEqualNamesApart) {
  Constant("one", MakeScalar<float>(1));
  Constant("two", MakeScalar<float>(2));
  for (const std::string id : {"0", "1"}) {
    Add("v" + id, "VariableV2", {}, Scalar("s", "here"), "/cpu:" + id);
    Add("h" + id, "VarHandleOp", {}, Scalar("s", "here"), "/cpu:" + id);
    Add("read" + id, "ReadVariableOp", {"h" + id}, kFloatType);
    for (const std::string value : {"one", "two"}) {
      Add("v" + id + value, "Assign", {"v" + id, value}, kFloat);
      Add("h" + id + value, "AssignVariableOp", {"h" + id, value}, kFloatType);
    }
  }
  Add("same", "VariableV2", {}, Scalar("s", "here"), "/job:localhost/device:CPU:1");
  Open();
  ASSERT_EQ(Run({"v0one", "h0one"}), Code::kOk);
  EXPECT_EQ(Answer("v1"), CodeName(Code::kFailedPrecondition));
  EXPECT_EQ(Answer("read1"), CodeName(Code::kFailedPrecondition));
  ASSERT_EQ(Run({"v1two", "h1two"}), Code::kOk);
  for (const std::string name : {"v0", "read0"}) EXPECT_EQ(Answer(name), MakeScalar<float>(1).ToString());
  for (const std::string name : {"v1", "read1", "same"}) EXPECT_EQ(Answer(name), MakeScalar<float>(2).ToString());
  const std::string containers[] = {"here"};  // R5: on all devices
  ASSERT_TRUE(session_->Reset(containers).ok());
  for (const std::string name : {"v0", "v1", "read0", "read1"}) {
    EXPECT_EQ(Answer(name), CodeName(Code::kFailedPrecondition)) << name;
  }
}

TEST_P(ResourceDevices, TellQueuesAndTablesApart) {
  const std::vector<DType> types = {DType::kFloat};
  const AttrMap words = {{"key_dtype", DType::kString}, {"value_dtype", DType::kFloat}, {"shared_name", "s"}};
  const AttrMap of_words = {{"Tin", DType::kString}, {"Tout", DType::kFloat}};
  Constant("one", MakeScalar<float>(1));
  Constant("word", MakeScalar<std::string>("word"));
  for (const std::string id : {"0", "1"}) {
    const std::string device = "/cpu:" + id;
    Add("q" + id, "FIFOQueueV2", {}, {{"component_types", types}, {"shared_name", "s"}}, device);
    Add("old" + id, "FIFOQueue", {}, {{"component_types", types}, {"shared_name", "s"}}, device);
    Add("put" + id, "QueueEnqueueV2", {"q" + id, "one"}, {{"Tcomponents", types}});
    Add("size" + id, "QueueSizeV2", {"q" + id}, {});
    Add("old_size" + id, "QueueSize", {"old" + id}, {});
    Add("t" + id, "MutableHashTableV2", {}, words, device);
    Add("insert" + id, "LookupTableInsertV2", {"t" + id, "word", "one"}, of_words);
    Add("count" + id, "LookupTableSizeV2", {"t" + id}, {});
  }
  Open();
  ASSERT_EQ(Run({"put1", "insert1"}), Code::kOk);
  EXPECT_EQ(Answer("size0"), MakeScalar<int32_t>(0).ToString());
  EXPECT_EQ(Answer("size1"), MakeScalar<int32_t>(1).ToString());
  EXPECT_EQ(Answer("old_size0"), MakeScalar<int32_t>(0).ToString()) << "a handle that is two strings";
  EXPECT_EQ(Answer("old_size1"), MakeScalar<int32_t>(1).ToString());
  EXPECT_EQ(Answer("count0"), MakeScalar<int64_t>(0).ToString());
  EXPECT_EQ(Answer("count1"), MakeScalar<int64_t>(1).ToString());
}

// W10, W11: its users decide with it where a variable lies, whether they run or not; what was placed stays there.
TEST_P(ResourceDevices, AreTheSameInEveryStepAndAfterwards) {
  Constant("one", MakeScalar<float>(1));
  Add("v", "VariableV2", {}, Scalar("s"));
  Add("set", "Assign", {"v", "one"}, kFloat);
  Add("drawn", "AssignAdd", {"v", "one"}, kFloat, "/cpu:1");
  Add("there", "VariableV2", {}, Scalar("s"), "/cpu:1");
  Add("here", "VariableV2", {}, Scalar("s"), "/cpu:0");
  Add("h", "VarHandleOp", {}, Scalar("h"));
  Add("set_h", "AssignVariableOp", {"h", "one"}, kFloatType);
  Open();
  ASSERT_EQ(Run({"set", "set_h"}), Code::kOk);
  EXPECT_EQ(Answer("there"), MakeScalar<float>(1).ToString());
  EXPECT_EQ(Answer("here"), CodeName(Code::kFailedPrecondition));
  Add("far", "ReadVariableOp", {"h"}, kFloatType, "/cpu:1");
  ASSERT_EQ(Extend().ToString(), "OK");
  EXPECT_EQ(Answer("far"), MakeScalar<float>(1).ToString());
  EXPECT_EQ(Answer("v"), MakeScalar<float>(1).ToString());
}

// R7: only a handle from elsewhere can be on another device than its user.
TEST_P(ResourceDevices, RefuseAHandleOnAnotherDevice) {
  Constant("one", MakeScalar<float>(1));
  for (const std::string id : {"0", "1"}) {
    Add("h" + id, "VarHandleOp", {}, Scalar("s"), "/cpu:" + id);
    Add("set" + id, "AssignVariableOp", {"h" + id, "one"}, kFloatType);
    ResourceHandle handle = Handle(id, "s", "Var");
    handle.dtype = DType::kFloat;
    Constant("c" + id, MakeScalar(handle));
    Add("read" + id, "ReadVariableOp", {"c" + id}, kFloatType, "/cpu:1");
  }
  Open();
  ASSERT_EQ(Run({"set0", "set1"}), Code::kOk);
  EXPECT_EQ(Answer("read0"), CodeName(Code::kInvalidArgument));
  EXPECT_EQ(Answer("read1"), MakeScalar<float>(1).ToString());
  for (const std::string id : {"0", "1"}) {
    std::vector<Tensor> outputs;
    ASSERT_TRUE(session_->Run({}, Names{"h" + id}, {}, &outputs).ok());
    EXPECT_EQ(outputs.at(0).scalar<ResourceHandle>().device, kHost + id);
  }
}

// R7: a queue that is gone is told before what is asked of it.
TEST_P(ResourceDevices, AreMissedBeforeTheirUseIsJudged) {
  const std::vector<DType> types = {DType::kFloat};
  Constant("q", MakeScalar(Handle("0", "gone", "Queue")));
  Constant("n", MakeScalar<int32_t>(-1));
  Add("take", "QueueDequeueManyV2", {"q", "n"}, {{"component_types", types}});
  Open();
  EXPECT_EQ(Answer("take"), CodeName(Code::kNotFound));
}

// W13: accelerators are asked for no resources.
TEST_P(ResourceDevices, AreNeverAccelerators) {
  const auto add = [&] {
    Constant("one", MakeScalar<float>(1));
    Add("v", "VariableV2", {}, Scalar("s"), "/device:SIM:0");
    Add("set", "Assign", {"v", "one"}, kFloat);
    Add("here", "VariableV2", {}, Scalar("s"), "/cpu:0");
  };
  add();
  session_ = OpenSession(GetParam(), {.cpu_devices = 2, .sim_devices = 1});
  EXPECT_EQ(Extend().code(), Code::kInvalidArgument);
  add();
  Open({.cpu_devices = 2, .sim_devices = 1, .allow_soft_placement = true});
  ASSERT_EQ(Run({"set"}), Code::kOk);
  EXPECT_EQ(Answer("here"), MakeScalar<float>(1).ToString());
}

// A function works on what it is given wherever that is; what its body names itself is where the body asks to be.
TEST_P(ResourceDevices, AreReachedFromFunctions) {
  NodeDef own = MakeNode("own", "VarHandleOp", {}, Scalar("s"));
  own.device = "/cpu:1";
  const NodeDef read = MakeNode("read", "ReadVariableOp", {"h"}, kFloatType);
  const NodeDef read_own = MakeNode("read", "ReadVariableOp", {"own:resource:0"}, kFloatType);
  const std::vector<FunctionDef> functions = {
      MakeFunction("Read(h: resource) -> (y: float32)", "", {read}, {{"y", "read:value:0"}}),
      MakeFunction("Own(x: float32) -> (y: float32)", "", {own, read_own}, {{"y", "read:value:0"}})};
  const std::vector<DType> resource = {DType::kResource}, number = {DType::kFloat};
  const auto call = [&](const std::string& name, const char* function, const std::string& input,
                        const std::vector<DType>& type) {
    return MakeNode(name, "PartitionedCall", {input}, {{"Tin", type}, {"Tout", number}, {"f", Ref(function)}});
  };
  std::vector<NodeDef> nodes = {MakeConst("one", MakeScalar<float>(1)), call("own", "Own", "one", number)};
  for (const std::string id : {"0", "1"}) {
    nodes.push_back(MakeNode("h" + id, "VarHandleOp", {}, Scalar("s")));
    nodes.back().device = "/cpu:" + id;
    nodes.push_back(call("read" + id, "Read", "h" + id, resource));
  }
  nodes.push_back(MakeNode("set1", "AssignVariableOp", {"h1", "one"}, kFloatType));
  session_ = OpenSession(GetParam(), {.cpu_devices = 2});
  ASSERT_EQ(session_->Extend(MakeGraph(nodes, functions)).ToString(), "OK");
  ASSERT_EQ(Run({"set1"}), Code::kOk);
  EXPECT_EQ(Answer("read0"), CodeName(Code::kFailedPrecondition));
  EXPECT_EQ(Answer("read1"), MakeScalar<float>(1).ToString());
  EXPECT_EQ(Answer("own"), MakeScalar<float>(1).ToString());
}

TEST_P(ResourceDevices, AreSavedWithTheirDevices) {
  const auto open = [&] {
    Constant("one", MakeScalar<float>(1));
    for (const std::string id : {"0", "1"}) {
      Add("v" + id, "VariableV2", {}, Scalar("s"), "/cpu:" + id);
      Add("set" + id, "Assign", {"v" + id, "one"}, kFloat);
    }
    Open();
  };
  open();
  ASSERT_EQ(Run({"set1"}), Code::kOk);
  SavedState state;
  ASSERT_EQ(dynamic_cast<SavedSession&>(*session_).Save(&state).ToString(), "OK");
  open();  // S7: another session has none of it
  EXPECT_EQ(Answer("v1"), CodeName(Code::kFailedPrecondition));
  open();
  ASSERT_EQ(dynamic_cast<SavedSession&>(*session_).Restore(state).ToString(), "OK");
  EXPECT_EQ(Answer("v0"), CodeName(Code::kFailedPrecondition));
  EXPECT_EQ(Answer("v1"), MakeScalar<float>(1).ToString());
}

// W35 holds a value of another device back for the work before it, but not for what waits for that value: here a queue
// is filled by the one and read by the other.
TEST_P(ResourceDevices, NothingIsHeldBackForWhatWaits) {
  const std::vector<DType> floats = {DType::kFloat};
  Add("x", "Placeholder", {}, kFloatType, "/cpu:0");
  Add("negative", "Neg", {"x"}, kFloat, "/cpu:0");
  Add("queue", "FIFOQueueV2", {}, {{"component_types", floats}, {"shared_name", "q"}}, "/cpu:1");
  Add("taken", "QueueDequeueV2", {"queue"}, {{"component_types", floats}}, "/cpu:1");
  Add("product", "MatMul", {"taken", "taken"}, kFloat, "/cpu:1");
  Add("put", "QueueEnqueueV2", {"queue", "negative"}, {{"Tcomponents", floats}}, "/cpu:1");
  Open();
  const std::vector<Feed> feeds = {{"x", MakeTensor<float>({1, 1}, {3})}};
  std::vector<Tensor> outputs;
  const Status status = session_->Run({.timeout_ms = 60'000}, feeds, Names{"product"}, Names{"put"}, &outputs, nullptr);
  ASSERT_EQ(status.ToString(), "OK");
  EXPECT_EQ(outputs.at(0).data<float>()[0], 9);
}

}  // namespace
}  // namespace plumb

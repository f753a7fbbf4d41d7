// Laws of variables in a device's memory: their buffers lie there, aliases of them too, and who else uses them gets
// them.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <future>
#include <thread>

#include "fastpath/sim/sim_inside.h"
#include "fastpath/sim/sim_testing.h"

namespace plumb::fast {
namespace {

constexpr DType kFloat = DType::kFloat;
const AttrMap kFloats = {{"T", kFloat}}, kFloatType = {{"dtype", kFloat}};

class SimVariables : public testing::Test {
 protected:
  SimVariables() {
    device_.BeginStep(step_.step_id, [](const Status& status) { ADD_FAILURE() << status.ToString(); });
  }
  ~SimVariables() override { EXPECT_TRUE(device_.EndStep(step_.step_id).ok()); }

  Tensor OnDevice(std::initializer_list<float> values) { return Upload(device_, MakeVector<float>(values)); }
  std::shared_ptr<Variable> NewVariable() {
    const AttrMap attrs = {{"dtype", kFloat}, {"shape", PartialShape(Shape({2}))}};
    Started made(device_, step_, NodeFor("v", "VariableV2", 0, attrs), std::vector<Entry>());
    EXPECT_EQ(made.status().ToString(), "OK");
    return made.ref();
  }
  void Update(const char* op, const std::shared_ptr<Variable>& variable, const Tensor& value) {
    Started updated(device_, step_, NodeFor("update", op, 2, kFloats), std::vector<Entry>{{{}, variable}, {value, {}}});
    EXPECT_EQ(updated.status().ToString(), "OK");
    EXPECT_EQ(updated.ref(), variable);
  }
  bool IsHere(const Tensor& value) const { return value.buffer()->space == device_.memory(); }
  std::string Shown(const Tensor& value) const { return CopyOf(value).ToString(); }
  static std::string Text(std::initializer_list<float> values) { return MakeVector<float>(values).ToString(); }

  const std::shared_ptr<SimDriver> driver_ = NewSimDriver({});
  SimDevice device_{driver_, 0, 1};
  ThreadPool pool_{1};
  ResourceManager resources_, step_resources_;
  StepContext step_{pool_, resources_, step_resources_, 7};
};

// R31.
TEST_F(SimVariables, AliasesShowUpdates) {
  const auto variable = NewVariable();
  Update("Assign", variable, OnDevice({1, 2}));
  const Tensor alias = variable->Dereference("reader");
  EXPECT_TRUE(IsHere(alias) && alias.is_alias());
  Started handed_on(device_, step_, NodeFor("handed_on", "Identity", 1, kFloats), {alias});
  ASSERT_EQ(handed_on.status().ToString(), "OK");
  const Tensor second = handed_on.Take();
  EXPECT_TRUE(second.SharesWith(alias));
  Update("AssignAdd", variable, OnDevice({10, 20}));
  Update("Assign", variable, OnDevice({5, 6}));
  Update("AssignAdd", variable, OnDevice({10, 20}));
  EXPECT_EQ(Shown(alias), Text({15, 26}));
  EXPECT_EQ(Shown(second), Text({15, 26}));
}

// R36: what travels is a copy, made in the order of the device's work.
TEST_F(SimVariables, ACopyInPlaceStaysAsItIs) {
  const auto variable = NewVariable();
  Update("Assign", variable, OnDevice({1, 2}));
  const Tensor copy = device_.CopyInPlace(variable->Dereference("reader"));
  Update("AssignSub", variable, OnDevice({1, 1}));
  EXPECT_TRUE(IsHere(copy) && !copy.is_alias());
  device_.Synchronize();
  EXPECT_EQ(Shown(copy), Text({1, 2}));
}

// R42, R44.
TEST_F(SimVariables, ReadersOfAHandleGetSnapshots) {
  const AttrMap attrs = {{"dtype", kFloat}, {"shape", PartialShape(Shape({2}))}};
  Started made(device_, step_, NodeFor("h", "VarHandleOp", 0, attrs), std::vector<Entry>());
  ASSERT_EQ(made.status().ToString(), "OK");
  const Tensor handle = made.Take();
  EXPECT_TRUE(IsOnHost(handle));
  const auto run = [&](const char* op, const std::vector<Tensor>& inputs, const AttrMap& with) {
    Started node(device_, step_, NodeFor(op, op, static_cast<int>(inputs.size()), with), inputs);
    EXPECT_EQ(node.status().ToString(), "OK") << op;
    return node.Take();
  };
  run("AssignVariableOp", {handle, OnDevice({1, 2})}, kFloatType);
  const Tensor before = run("ReadVariableOp", {handle}, kFloatType);
  run("AssignAddVariableOp", {handle, OnDevice({1, 1})}, kFloatType);
  const AttrMap rows = {{"dtype", kFloat}, {"Tindices", DType::kInt32}};
  const Tensor row = run("ResourceGather", {handle, Upload(device_, MakeVector<int32_t>({1}))}, rows);
  const Tensor between = run("ReadVariableOp", {handle}, kFloatType);
  run("AssignAddVariableOp", {handle, OnDevice({100, 100})}, kFloatType);
  const Tensor after = run("ReadVariableOp", {handle}, kFloatType);
  for (const Tensor& value : {before, row, between, after}) EXPECT_TRUE(IsHere(value));
  EXPECT_EQ(Shown(before), Text({1, 2}));
  EXPECT_EQ(Shown(row), Text({3}));
  EXPECT_EQ(Shown(between), Text({2, 3}));
  EXPECT_EQ(Shown(after), Text({102, 103}));
}

// A variable that was restored, or that the host's kernels use as well, is brought to who uses it.
TEST_F(SimVariables, ComeToTheirUsers) {
  const auto variable = NewVariable();
  variable->Assign("host", MakeVector<float>({1, 2}), true);
  EXPECT_TRUE(IsOnHost(variable->Dereference("reader")));
  Update("AssignAdd", NewVariable(), OnDevice({1, 1}));
  EXPECT_TRUE(IsHere(variable->Dereference("reader")));
  EXPECT_EQ(variable->Read("host").ToString(), Text({2, 3}));
  EXPECT_TRUE(IsOnHost(variable->Dereference("reader")));
}

// Whoever brings the value to the host has the lock that a launch may be waiting for, or be about to.
TEST_F(SimVariables, ComeToTheHostThoughLaunchesAreQueued) {
  const auto variable = NewVariable();
  Update("Assign", variable, OnDevice({1, 2}));
  const Tensor more = OnDevice({10, 20});
  Gate gate(device_);
  Started queued(device_, step_, NodeFor("queued", "AssignAdd", 2, kFloats),
                 std::vector<Entry>{{{}, variable}, {more, {}}});
  std::future<Tensor> read = std::async(std::launch::async, [&] { return variable->Read("host"); });
  if (read.wait_for(std::chrono::seconds(30)) != std::future_status::ready) {
    ADD_FAILURE() << "a reader waits for a launch that waits for the reader";
    std::abort();  // neither would end
  }
  EXPECT_EQ(read.get().ToString(), Text({1, 2}));
  gate.Open();
  EXPECT_EQ(queued.status().ToString(), "OK");
  EXPECT_EQ(Shown(variable->Dereference("reader")), Text({11, 22}));
}

// R44.
TEST_F(SimVariables, StayWhereTheirRowsAreRead) {
  ResourceVariable variable;
  variable.Assign("host", MakeVector<float>({1, 2}), false);
  std::atomic<bool> has_come = false;
  variable.ReadRows("reader", [&](const Tensor&) {
    device_.driver().Launch(device_.kernels(), [&](const SimDriver::Follow& follow) {
      const SimInside inside(device_, follow);
      const InsideScope scope(inside);
      variable.Read("kernel");
      has_come = true;
      return OkStatus();
    });
    for (int i = 0; i < 100 && !has_come; ++i) std::this_thread::sleep_for(std::chrono::microseconds(500));
    EXPECT_FALSE(has_come);
  });
  device_.Synchronize();
  EXPECT_TRUE(has_come);
  EXPECT_TRUE(IsHere(variable.Dereference("reader")));
  EXPECT_EQ(Shown(variable.Dereference("reader")), Text({1, 2}));
}

// One variable in two roles: both show the update.
TEST_F(SimVariables, AreUpdatedOnceForAllTheirRoles) {
  ResourceVariable variable;
  device_.driver().Launch(device_.kernels(), [&](const SimDriver::Follow& follow) {
    const SimInside inside(device_, follow);
    const InsideScope scope(inside);
    variable.Assign("kernel", MakeVector<float>({1, 2}), false);
    Variable* const both[] = {&variable, &variable};
    VariableUpdate update("kernel", both);
    const Tensor& other = update.Value(1);
    update.Writable(0).mutable_data<float>()[0] = 7;
    EXPECT_EQ(other.ToString(), Text({7, 2}));
    return OkStatus();
  });
  device_.Synchronize();
  EXPECT_EQ(Shown(variable.Dereference("reader")), Text({7, 2}));
}

}  // namespace
}  // namespace plumb::fast

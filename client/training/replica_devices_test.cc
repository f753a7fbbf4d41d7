// Variables over parameter servers: in turn, by bytes, and slots with their variable.
#include "client/training/replica_devices.h"

#include "client/initializers.h"
#include "client/ops.h"
#include "client/optimizers/optimizer.h"
#include "client/testing.h"
#include "client/variable.h"

namespace plumb {
namespace {

using ::testing::ElementsAre;

const std::vector<std::string> kServers = {"/job:ps/task:0", "/job:ps/task:1"};

Variable Zeros(Scope& scope, const Shape& shape, VariableOptions options = {}) {
  return MakeVariable(scope, Constant(scope, Tensor(DType::kFloat, shape)), options);
}

const std::string& DeviceOf(Scope& scope, const Variable& variable) {
  return scope.builder().graph().node(variable.ref().node()).device;
}

std::vector<std::string> DevicesOf(Scope& scope) {
  std::vector<std::string> devices;
  for (const Variable& variable : scope.variables()) devices.push_back(DeviceOf(scope, variable));
  return devices;
}

TEST(ReplicaDevices, GoInTurn) {
  Scope scope;
  scope.set_variable_device(InTurn(kServers));
  for (int i = 0; i < 3; ++i) Zeros(scope, {1000});
  EXPECT_THAT(DevicesOf(scope), ElementsAre(kServers[0], kServers[1], kServers[0]));
}

TEST(ReplicaDevices, GoWhereFewestBytesAre) {
  Scope scope;
  scope.set_variable_device(ByBytes(kServers));
  for (const int64_t size : {10, 3, 3, 3, 3}) Zeros(scope, {size});
  EXPECT_THAT(DevicesOf(scope), ElementsAre(kServers[0], kServers[1], kServers[1], kServers[1], kServers[1]));
  Zeros(scope, {1});  // 10 elements against 12
  EXPECT_EQ(DevicesOf(scope).back(), kServers[0]);
}

TEST(ReplicaDevices, SayWhereAVariableIsReadAndInitialised) {
  Scope scope;
  scope.set_variable_device(InTurn(kServers));
  const Variable variable = Zeros(scope, {2});
  EXPECT_EQ(scope.builder().graph().node(variable.initializer()).device, kServers[0]);
  EXPECT_EQ(scope.builder().graph().node(variable.value().node()).device, kServers[0]);
}

TEST(ReplicaDevices, LeaveLocalVariablesAndThoseThatAskForADeviceAlone) {
  Scope scope;
  scope.set_variable_device(InTurn(kServers));
  EXPECT_EQ(DeviceOf(scope, Zeros(scope, {2}, {.local = true})), "");
  EXPECT_EQ(DeviceOf(scope, Zeros(scope, {2}, {.device = "/device:CPU:1"})), "/device:CPU:1");
  EXPECT_EQ(DeviceOf(scope, Zeros(scope, {2})), kServers[0]) << "the others are not counted";
}

TEST(ReplicaDevices, KeepSlotsWithTheirVariable) {
  Scope scope;
  scope.set_variable_device(InTurn(kServers));
  const Variable a = Zeros(scope, {2}), b = Zeros(scope, {3});
  const Output loss =
      ops::AddN(scope, {ops::Sum(scope, a, Constant(scope, 0)), ops::Sum(scope, b, Constant(scope, 0))});
  Adam({})->Minimize(scope, loss);
  int slots = 0;
  for (const Variable& variable : scope.variables()) {
    for (const Variable& of : {a, b}) {
      if (variable.name().find(scope.NameOf(of.ref().node()) + "/Adam") == std::string::npos) continue;
      ++slots;
      EXPECT_EQ(DeviceOf(scope, variable), DeviceOf(scope, of)) << variable.name();
    }
  }
  EXPECT_EQ(slots, 4) << "two of each";
}

TEST(ReplicaDevices, NeedADevice) {
  EXPECT_THROW(InTurn({}), Error);
  EXPECT_THROW(ByBytes({}), Error);
}

}  // namespace
}  // namespace plumb

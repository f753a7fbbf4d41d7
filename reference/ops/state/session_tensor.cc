// Values that the session keeps for later steps (rule S11).
#include "reference/kernel/op_context.h"
#include "reference/state/session_tensors.h"
#include "spec/core/device_name.h"

namespace plumb::reference {
namespace {

SessionTensors& Kept(OpContext& c) { return c.resources.FindOrCreate<SessionTensors>(SessionTensors::Name()); }

std::string HandleIn(const OpContext& c) {
  const Tensor& handle = c.tensor(0);
  Require(handle.elements() == 1, "a handle is one string, not of shape ", handle.shape().ToString());
  return handle.data<std::string>()[0];
}

// The full name of the node's device.
std::string DeviceOf(const Node& node) {
  DeviceName name = DeviceName::Parse(node.device);
  name.job = name.job.value_or("localhost");
  name.replica = name.replica.value_or(0);
  name.task = name.task.value_or(0);
  name.type = name.type.value_or("CPU");
  name.id = name.id.value_or(0);
  return name.ToString();
}

void GetSessionHandle(OpContext& c) {
  SessionTensors& kept = Kept(c);
  const std::string handle = Str(c.node.name, ";", kept.NextNumber(), ";", DeviceOf(c.node));
  kept.Keep(handle, c.input(0));
  c.Output(0, MakeScalar<std::string>(handle));
}

void GetSessionTensor(OpContext& c) {
  const std::string handle = HandleIn(c);
  const Value* const value = Kept(c).Find(handle);
  Require(value != nullptr, "The tensor with handle '", handle, "' is not in the session store.");
  if (value->tensor.dtype() != c.output_type(0)) {  // T5
    throw Internal("the tensor with handle '", handle, "' is of type ", DTypeName(value->tensor.dtype()), ", not ",
                   DTypeName(c.output_type(0)));
  }
  c.Output(0, *value);
}

void DeleteSessionTensor(OpContext& c) {
  const std::string handle = HandleIn(c);
  Require(Kept(c).Remove(handle), "Failed to delete a tensor with handle '", handle, "' in the session store.");
}

constexpr KernelRow kRows[] = {
    {"GetSessionHandle", GetSessionHandle},
    {"GetSessionTensor", GetSessionTensor},
    {"DeleteSessionTensor", DeleteSessionTensor},
};

}  // namespace

namespace topics {
std::span<const KernelRow> StateSessionTensor() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

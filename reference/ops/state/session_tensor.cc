// Values that a session keeps from one step to the next (rule S11).
#include "reference/kernel/op_context.h"

namespace plumb::reference {
namespace {

struct SessionTensors : ClonedByCopy<SessionTensors> {
  std::map<std::string, Tensor> values;  // by handle
  int64_t next_number = 0;
};

SessionTensors& KeptBy(OpContext& c) { return c.resources.FindOrCreate<SessionTensors>({"", "_session", "tensors"}); }

std::map<std::string, Tensor>::iterator Find(OpContext& c, SessionTensors& kept) {
  Require(c.tensor(0).rank() == 0, "a handle is a scalar, not of shape ", c.tensor(0).shape().ToString());
  const auto found = kept.values.find(c.tensor(0).scalar<std::string>());
  Require(found != kept.values.end(), "the session keeps no tensor with the handle '",
          c.tensor(0).scalar<std::string>(), "'");
  return found;
}

void GetSessionHandle(OpContext& c) {
  SessionTensors& kept = KeptBy(c);
  const std::string handle = Str(c.node.name, ";", kept.next_number++, ";", c.node.device);
  kept.values[handle] = c.tensor(0);
  c.Output(0, MakeScalar(handle));
}

void GetSessionTensor(OpContext& c) {
  const Tensor value = Find(c, KeptBy(c))->second;
  if (value.dtype() != c.output_type(0)) {  // T5
    throw Internal("the tensor that the session keeps is ", DTypeName(value.dtype()), ", not ",
                   DTypeName(c.output_type(0)));
  }
  c.Output(0, value);
}

void DeleteSessionTensor(OpContext& c) {
  SessionTensors& kept = KeptBy(c);
  kept.values.erase(Find(c, kept));
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

#include "reference/kernel/op_context.h"
#include "spec/graph/proto_io.h"
#include "spec/graph/tensor_content.h"
#include "spec/proto/tensor.pb.h"

namespace plumb::reference {
namespace {

void SerializeTensor(OpContext& c) {
  pb::TensorProto message;
  ContentToProto(c.tensor(0), &message);
  c.Output(0, MakeScalar(message.SerializeAsString()));
}

void ParseTensor(OpContext& c) {
  const Tensor& serialized = c.tensor(0);
  Require(serialized.rank() == 0, "serialized must be a scalar, not of shape ", serialized.shape().ToString());
  Tensor parsed = ParseTensorProto(serialized.scalar<std::string>());
  Require(parsed.dtype() == c.output_type(0), "the bytes say a tensor of ", DTypeName(parsed.dtype()), ", not of ",
          DTypeName(c.output_type(0)));
  c.Output(0, std::move(parsed));
}

constexpr KernelRow kRows[] = {
    {"SerializeTensor", SerializeTensor},
    {"ParseTensor", ParseTensor},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ParsingTensor() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

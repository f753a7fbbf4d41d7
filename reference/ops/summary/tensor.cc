#include "reference/kernel/op_context.h"
#include "spec/graph/tensor_content.h"
#include "spec/proto/event.pb.h"

namespace plumb::reference {
namespace {

void NamedTensorSummary(OpContext& c) {
  pb::Summary summary;
  pb::Summary::Value* const value = summary.add_value();
  value->set_node_name(c.node.name);
  ContentToProto(c.tensor(0), value->mutable_tensor());
  c.Output(0, MakeScalar(summary.SerializeAsString()));
}

// Of metadata that are no message what can be read of them counts.
void TensorSummary(OpContext& c) {
  const Tensor &tag = c.tensor(0), &metadata = c.tensor(2);
  Require(tag.rank() == 0, "tag must be a scalar, not of shape ", tag.shape().ToString());
  Require(metadata.rank() == 0, "serialized_summary_metadata must be a scalar, not of shape ",
          metadata.shape().ToString());
  pb::Summary summary;
  pb::Summary::Value* const value = summary.add_value();
  value->set_tag(tag.scalar<std::string>());
  ContentToProto(c.tensor(1), value->mutable_tensor());
  value->mutable_metadata()->ParsePartialFromString(metadata.scalar<std::string>());
  c.Output(0, MakeScalar(summary.SerializeAsString()));
}

constexpr KernelRow kRows[] = {
    {"TensorSummary", NamedTensorSummary},
    {"TensorSummaryV2", TensorSummary},
};

}  // namespace

namespace topics {
std::span<const KernelRow> SummaryTensor() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

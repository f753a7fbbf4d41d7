#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/device/kernel.h"
#include "spec/graph/tensor_content.h"
#include "spec/proto/event.pb.h"

namespace plumb::fast::cpu {
namespace {

// Under the name of the node.
class NamedTensorSummaryKernel : public Kernel {
 public:
  explicit NamedTensorSummaryKernel(const Node& node) : node_(node.name) {}

  void Run(KernelContext& context) override {
    pb::Summary summary;
    pb::Summary::Value& value = *summary.add_value();
    value.set_node_name(node_);
    ContentToProto(context.input(0), value.mutable_tensor());
    summary.SerializeToString(context.AllocateOutput(0, DType::kString, Shape()).mutable_data<std::string>().data());
  }

 private:
  const std::string node_;
};

class TensorSummaryKernel : public Kernel {
 public:
  explicit TensorSummaryKernel(const Node&) {}

  void Run(KernelContext& context) override {
    const Tensor &tag = context.input(0), &metadata = context.input(2);
    Require(tag.rank() == 0 && metadata.rank() == 0, "tag and metadata are scalars, not of shapes ",
            Printed(tag.shape()), " and ", Printed(metadata.shape()));
    pb::Summary summary;
    pb::Summary::Value& value = *summary.add_value();
    value.set_tag(tag.scalar<std::string>());
    ContentToProto(context.input(1), value.mutable_tensor());
    value.mutable_metadata()->ParsePartialFromString(metadata.scalar<std::string>());
    summary.SerializeToString(context.AllocateOutput(0, DType::kString, Shape()).mutable_data<std::string>().data());
  }
};

constexpr KernelRow kRows[] = {
    {"TensorSummary", Make<NamedTensorSummaryKernel>},
    {"TensorSummaryV2", Make<TensorSummaryKernel>},
};

}  // namespace

std::span<const KernelRow> SummaryTensor() { return kRows; }

}  // namespace plumb::fast::cpu

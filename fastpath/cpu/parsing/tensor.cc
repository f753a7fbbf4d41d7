#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/device/kernel.h"
#include "spec/graph/proto_io.h"
#include "spec/graph/tensor_content.h"
#include "spec/proto/tensor.pb.h"

namespace plumb::fast::cpu {
namespace {

class SerializeTensorKernel : public Kernel {
 public:
  explicit SerializeTensorKernel(const Node&) {}

  void Run(KernelContext& context) override {
    pb::TensorProto message;
    ContentToProto(context.input(0), &message);
    message.SerializeToString(context.AllocateOutput(0, DType::kString, Shape()).mutable_data<std::string>().data());
  }
};

class ParseTensorKernel : public Kernel {
 public:
  explicit ParseTensorKernel(const Node& node) : node_(node.name), type_(OutputType(node, 0)) {}

  void Run(KernelContext& context) override {
    const Tensor& serialized = context.input(0);
    Require(serialized.rank() == 0, "node ", node_, ": one serialized tensor is parsed, not a tensor of shape ",
            Printed(serialized.shape()));
    Tensor parsed = ParseTensorProto(serialized.scalar<std::string>());
    Require(parsed.dtype() == type_, "node ", node_, ": a tensor of ", DTypeName(type_), " is wanted, and the bytes ",
            "have one of ", DTypeName(parsed.dtype()));
    context.SetOutput(0, std::move(parsed));
  }

 private:
  const std::string node_;
  const DType type_;
};

constexpr KernelRow kRows[] = {
    {"SerializeTensor", Make<SerializeTensorKernel>},
    {"ParseTensor", Make<ParseTensorKernel>},
};

}  // namespace

std::span<const KernelRow> ParsingTensor() { return kRows; }

}  // namespace plumb::fast::cpu

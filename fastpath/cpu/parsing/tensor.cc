#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/parsing/wire.h"
#include "fastpath/device/kernel.h"
#include "spec/graph/proto_io.h"
#include "spec/graph/tensor_content.h"
#include "spec/proto/tensor.pb.h"

namespace plumb::fast::cpu {
namespace {

// A message of numbers ends with their bytes, which are copied there without a stay in a message object.
class SerializeTensorKernel : public Kernel {
 public:
  explicit SerializeTensorKernel(const Node&) {}

  void Run(KernelContext& context) override {
    const Tensor& tensor = context.input(0);
    std::string& bytes = *context.AllocateOutput(0, DType::kString, Shape()).mutable_data<std::string>().data();
    const bool has_content = ElementSize(tensor.dtype()) > 0 && tensor.bytes() > 0;
    pb::TensorProto message;
    if (has_content) {
      message.set_dtype(static_cast<pb::DataType>(tensor.dtype()));
      ToProto(PartialShape(tensor.shape()), message.mutable_tensor_shape());
    } else {
      ContentToProto(tensor, &message);
    }
    message.SerializeToString(&bytes);
    if (has_content) AppendContent(tensor, bytes);
  }

 private:
  static void AppendContent(const Tensor& tensor, std::string& bytes) {
    constexpr size_t kMostOfLength = 11;  // a tag, and a number of ten bytes
    bytes.reserve(bytes.size() + kMostOfLength + tensor.bytes());
    bytes.push_back(static_cast<char>(Tag(pb::TensorProto::kTensorContentFieldNumber, Wire::kBytes)));
    uint64_t length = tensor.bytes();
    for (; length >= 0x80; length >>= 7) bytes.push_back(static_cast<char>(length | 0x80));
    bytes.push_back(static_cast<char>(length));
    bytes.append(static_cast<const char*>(tensor.raw()), tensor.bytes());
  }
};

class ParseTensorKernel : public Kernel {
 public:
  explicit ParseTensorKernel(const Node& node) : type_(OutputType(node, 0)) {}

  void Run(KernelContext& context) override {
    const Tensor& serialized = context.input(0);
    Require(serialized.rank() == 0, "one serialized tensor is parsed, not a tensor of shape ",
            Printed(serialized.shape()));
    Tensor parsed = ParseTensorProto(serialized.scalar<std::string>());
    Require(parsed.dtype() == type_, "a tensor of ", DTypeName(type_), " is wanted, and the bytes ", "have one of ",
            DTypeName(parsed.dtype()));
    context.SetOutput(0, std::move(parsed));
  }

 private:
  const DType type_;
};

constexpr KernelRow kRows[] = {
    {"SerializeTensor", Make<SerializeTensorKernel>},
    {"ParseTensor", Make<ParseTensorKernel>},
};

}  // namespace

std::span<const KernelRow> ParsingTensor() { return kRows; }

}  // namespace plumb::fast::cpu

// Writers of summaries: event files that the steps of a session share.
#include <string>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/state/named_resource.h"
#include "fastpath/cpu/summary/writer_object.h"
#include "fastpath/device/kernel.h"
#include "spec/graph/tensor_content.h"
#include "spec/proto/event.pb.h"

namespace plumb::fast::cpu {
namespace {

constexpr char kType[] = "SummaryWriterInterface";

class HandleKernel final : public Kernel {
 public:
  explicit HandleKernel(const Node& node) : handle_(node, ResourceNameOf(node, node.name), kType) {}
  void Run(KernelContext& context) override { handle_.Set(context); }

 private:
  const HandleOutput handle_;
};

// What the ops on a writer have in common: input 0 is its handle.
class WriterKernel : public Kernel {
 public:
  explicit WriterKernel(const Node& node) : node_(node.name), device_(node.device) {}

 protected:
  ResourceKey Key(const KernelContext& context) const {
    const ResourceHandle& handle = HandleOn(device_, context.input(0), kType);
    return {handle.device, handle.container, handle.name};
  }
  [[noreturn]] void ThrowNoWriter(const KernelContext& context) const {
    throw NotFound("node ", node_, ": there is no summary writer '", Key(context).name, "'");
  }
  template <class T>
  const T& ScalarAt(const KernelContext& context, int input) const {
    const Tensor& tensor = context.input(input);
    Require(tensor.rank() == 0, "node ", node_, ": input ", input, " must be a scalar, not of shape ",
            Printed(tensor.shape()));
    return tensor.data<T>()[0];
  }

  const std::string node_, device_;
};

class CreateKernel final : public WriterKernel {
 public:
  using WriterKernel::WriterKernel;
  void Run(KernelContext& context) override {
    const ResourceKey key = Key(context);
    const std::string &folder = ScalarAt<std::string>(context, 1), &suffix = ScalarAt<std::string>(context, 4);
    const int32_t max_queue = ScalarAt<int32_t>(context, 2), flush_millis = ScalarAt<int32_t>(context, 3);
    context.resources().FindOrCreate<WriterObject>(key)->Open(folder, suffix, max_queue, flush_millis);
  }
};

class WriteKernel final : public WriterKernel {
 public:
  using WriterKernel::WriterKernel;
  void Run(KernelContext& context) override {
    const auto writer = context.resources().Find<WriterObject>(Key(context));
    if (writer == nullptr) ThrowNoWriter(context);
    const int64_t step = ScalarAt<int64_t>(context, 1);
    const std::string& metadata = ScalarAt<std::string>(context, 4);
    pb::Summary summary;
    pb::Summary::Value& value = *summary.add_value();
    value.set_tag(ScalarAt<std::string>(context, 3));
    ContentToProto(context.input(2), value.mutable_tensor());
    if (!metadata.empty()) value.mutable_metadata()->ParsePartialFromString(metadata);
    if (!writer->Write(step, summary.SerializeAsString())) ThrowNoWriter(context);
  }
};

class FlushKernel final : public WriterKernel {
 public:
  using WriterKernel::WriterKernel;
  void Run(KernelContext& context) override {
    const auto writer = context.resources().Find<WriterObject>(Key(context));
    if (writer == nullptr || !writer->Flush()) ThrowNoWriter(context);
  }
};

constexpr KernelRow kRows[] = {
    {"SummaryWriter", Make<HandleKernel>},
    {"CreateSummaryFileWriter", Make<CreateKernel>},
    {"WriteSummary", Make<WriteKernel>},
    {"FlushSummaryWriter", Make<FlushKernel>},
};

}  // namespace

std::span<const KernelRow> SummaryWriter() { return kRows; }

}  // namespace plumb::fast::cpu

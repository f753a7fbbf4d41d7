// Writers of summaries: event files that the steps of a session share.
#include <string>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/state/named_resource.h"
#include "fastpath/cpu/summary/writer_kernel.h"
#include "fastpath/device/kernel.h"
#include "spec/graph/tensor_content.h"
#include "spec/proto/event.pb.h"

namespace plumb::fast::cpu {
namespace {

class HandleKernel final : public Kernel {
 public:
  explicit HandleKernel(const Node& node) : handle_(node, ResourceNameOf(node, node.name), kWriterType) {}
  void Run(KernelContext& context) override { handle_.Set(context); }

 private:
  const HandleOutput handle_;
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
    const auto writer = Writer(context);
    const int64_t step = OnlyAt<int64_t>(context, 1);
    const std::string& metadata = OnlyAt<std::string>(context, 4);
    pb::Summary summary;
    pb::Summary::Value& value = *summary.add_value();
    value.set_tag(OnlyAt<std::string>(context, 3));
    ContentToProto(context.input(2), value.mutable_tensor());
    if (!metadata.empty()) value.mutable_metadata()->ParsePartialFromString(metadata);
    if (!writer->Write(step, summary.SerializeAsString())) ThrowNoWriter(context);
  }
};

class FlushKernel final : public WriterKernel {
 public:
  using WriterKernel::WriterKernel;
  void Run(KernelContext& context) override {
    if (!Writer(context)->Flush()) ThrowNoWriter(context);
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

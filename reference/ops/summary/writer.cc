// Writers of summaries: an event file behind a handle.
#include "reference/ops/summary/writer.h"

#include "spec/graph/tensor_content.h"
#include "spec/proto/event.pb.h"

namespace plumb::reference {
namespace {

// The handle names the node where nothing else is said (R2).
void SummaryWriter(OpContext& c) {
  const std::string shared_name = SharedNameOf(c.node);
  ResourceHandle handle;
  handle.device = c.node.device;
  handle.container = ContainerOf(c.node);
  handle.name = shared_name.empty() ? c.node.name : shared_name;
  handle.type_name = kWriterType;
  c.Output(0, MakeScalar(std::move(handle)));
}

void CreateSummaryFileWriter(OpContext& c) {
  const ResourceName name = NameIn(ResourceInput(c, 0, kWriterType));
  const std::string& folder = ScalarAt<std::string>(c, 1, "logdir");
  const int32_t max_queue = ScalarAt<int32_t>(c, 2, "max_queue");
  const int32_t flush_millis = ScalarAt<int32_t>(c, 3, "flush_millis");
  const std::string& suffix = ScalarAt<std::string>(c, 4, "filename_suffix");
  if (c.resources.Find<SummaryLog>(name) != nullptr) return;
  const EventLog log(folder, suffix);
  SummaryLog& writer = c.resources.FindOrCreate<SummaryLog>(name);
  writer.log = log;
  writer.max_queue = max_queue;
  writer.flush_millis = flush_millis;
}

// Metadata that are empty are left out; of those that are no message what can be read of them counts.
void WriteSummary(OpContext& c) {
  SummaryLog& writer = WriterOf(c);
  const int64_t step = OnlyAt<int64_t>(c, 1, "step");
  pb::Summary summary;
  pb::Summary::Value* const value = summary.add_value();
  value->set_tag(OnlyAt<std::string>(c, 3, "tag"));
  ContentToProto(c.tensor(2), value->mutable_tensor());
  const std::string& metadata = OnlyAt<std::string>(c, 4, "summary_metadata");
  if (!metadata.empty()) value->mutable_metadata()->ParsePartialFromString(metadata);
  writer.log.AddSummary(step, summary.SerializeAsString());
  FlushIfDue(writer);
}

void FlushSummaryWriter(OpContext& c) { WriterOf(c).log.Flush(); }

constexpr KernelRow kRows[] = {
    {"SummaryWriter", SummaryWriter},
    {"CreateSummaryFileWriter", CreateSummaryFileWriter},
    {"WriteSummary", WriteSummary},
    {"FlushSummaryWriter", FlushSummaryWriter},
};

}  // namespace

namespace topics {
std::span<const KernelRow> SummaryWriter() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

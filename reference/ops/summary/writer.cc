// Writers of summaries: an event file behind a handle.
#include "reference/kernel/op_context.h"
#include "reference/kernel/variables.h"
#include "reference/state/summary_log.h"
#include "spec/graph/tensor_content.h"
#include "spec/proto/event.pb.h"

namespace plumb::reference {
namespace {

constexpr char kType[] = "SummaryWriterInterface";

template <class T>
const T& ScalarAt(const OpContext& c, int input, std::string_view what) {
  const Tensor& tensor = c.tensor(input);
  Require(tensor.rank() == 0, what, " must be a scalar, not of shape ", tensor.shape().ToString());
  return tensor.data<T>()[0];
}

// The handle names the node where nothing else is said (R2).
void SummaryWriter(OpContext& c) {
  const std::string shared_name = SharedNameOf(c.node);
  ResourceHandle handle;
  handle.device = c.node.device;
  handle.container = ContainerOf(c.node);
  handle.name = shared_name.empty() ? c.node.name : shared_name;
  handle.type_name = kType;
  c.Output(0, MakeScalar(std::move(handle)));
}

void CreateSummaryFileWriter(OpContext& c) {
  const ResourceName name = NameIn(ResourceInput(c, 0, kType));
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

SummaryLog& WriterOf(OpContext& c) {
  const ResourceName name = NameIn(ResourceInput(c, 0, kType));
  SummaryLog* const writer = c.resources.Find<SummaryLog>(name);
  if (writer == nullptr) throw NotFound("there is no summary writer '", name.name, "'");
  return *writer;
}

// Metadata that are empty are left out; of those that are no message what can be read of them counts.
void WriteSummary(OpContext& c) {
  SummaryLog& writer = WriterOf(c);
  const int64_t step = ScalarAt<int64_t>(c, 1, "step");
  pb::Summary summary;
  pb::Summary::Value* const value = summary.add_value();
  value->set_tag(ScalarAt<std::string>(c, 3, "tag"));
  ContentToProto(c.tensor(2), value->mutable_tensor());
  const std::string& metadata = ScalarAt<std::string>(c, 4, "summary_metadata");
  if (!metadata.empty()) value->mutable_metadata()->ParsePartialFromString(metadata);
  writer.log.AddSummary(step, summary.SerializeAsString());
  if (writer.log.waiting() > writer.max_queue || writer.log.MillisSinceFlush() > writer.flush_millis) {
    writer.log.Flush();
  }
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

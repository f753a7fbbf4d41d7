// Events that go into the file of a summary writer.
#include "reference/ops/summary/shown.h"
#include "reference/ops/summary/writer.h"

namespace plumb::reference {
namespace {

// An event with what `show` puts into a summary, at the step that input 1 says.
template <class Show>
void Write(OpContext& c, const Show& show) {
  SummaryLog& writer = WriterOf(c);
  const int64_t step = OnlyAt<int64_t>(c, 1, "step");
  pb::Summary summary;
  show(&summary);
  writer.log.AddSummary(step, summary.SerializeAsString());
  FlushIfDue(writer);
}

const std::string& Tag(const OpContext& c) { return OnlyAt<std::string>(c, 2, "tag"); }

void WriteScalarSummary(OpContext& c) {
  Write(c, [&](pb::Summary* summary) {
    const Tensor& value = c.tensor(3);
    Require(value.elements() > 0, "value must have an element, and has the shape ", value.shape().ToString());
    pb::Summary::Value* const shown = summary->add_value();
    shown->set_tag(Tag(c));
    VisitType(value.dtype(), [&](auto type) {
      using T = typename decltype(type)::Type;
      if constexpr (requires(T number) { static_cast<float>(number); }) {
        shown->set_simple_value(static_cast<float>(value.data<T>()[0]));
      }
    });
  });
}

void WriteHistogramSummary(OpContext& c) {
  Write(c, [&](pb::Summary* summary) { ShowHistogram(Tag(c), c.tensor(3), summary); });
}

void WriteImageSummary(OpContext& c) {
  Write(c, [&](pb::Summary* summary) {
    RequireColor(c.tensor(4));
    ShowImages(Tag(c), c.tensor(3), c.tensor(4), c.attr<int64_t>("max_images"), summary);
  });
}

void WriteAudioSummary(OpContext& c) {
  Write(c, [&](pb::Summary* summary) {
    ShowSounds(Tag(c), c.tensor(3), OnlyAt<float>(c, 4, "sample_rate"), c.attr<int64_t>("max_outputs"), summary);
  });
}

void CheckMost(const Node& node, const char* attr) {
  const auto most = GetAttr<int64_t>(node.attrs, attr);
  Require(most >= 1 && most <= INT32_MAX, attr, " must be from 1 to 2^31 - 1, not ", most);
}
void CheckImages(const Node& node) { CheckMost(node, "max_images"); }
void CheckSounds(const Node& node) { CheckMost(node, "max_outputs"); }

void WriteRawProtoSummary(OpContext& c) {
  Write(c, [&](pb::Summary* summary) {
    for (const std::string& bytes : c.tensor(2).data<std::string>()) {
      pb::Summary part;
      if (!part.ParseFromString(bytes)) throw DataLoss("tensor has bytes that are no summary");
      summary->MergeFrom(part);
    }
  });
}

void WriteGraphSummary(OpContext& c) {
  SummaryLog& writer = WriterOf(c);
  writer.log.AddGraph(OnlyAt<int64_t>(c, 1, "step"), OnlyAt<std::string>(c, 2, "tensor"));
  FlushIfDue(writer);
}

void ImportEvent(OpContext& c) {
  SummaryLog& writer = WriterOf(c);
  writer.log.AddEvent(OnlyAt<std::string>(c, 1, "event"));
  FlushIfDue(writer);
}

void CloseSummaryWriter(OpContext& c) {
  WriterOf(c).log.Flush();
  c.resources.Remove<SummaryLog>(NameIn(ResourceInput(c, 0, kWriterType)));
}

constexpr KernelRow kRows[] = {
    {"WriteScalarSummary", WriteScalarSummary},
    {"WriteHistogramSummary", WriteHistogramSummary},
    {"WriteImageSummary", WriteImageSummary, CheckImages},
    {"WriteAudioSummary", WriteAudioSummary, CheckSounds},
    {"WriteRawProtoSummary", WriteRawProtoSummary},
    {"WriteGraphSummary", WriteGraphSummary},
    {"ImportEvent", ImportEvent},
    {"CloseSummaryWriter", CloseSummaryWriter},
};

}  // namespace

namespace topics {
std::span<const KernelRow> SummaryEvent() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

// Events that go into the file of a summary writer.
#include <string>

#include "fastpath/cpu/lib/types.h"
#include "fastpath/cpu/summary/shown.h"
#include "fastpath/cpu/summary/writer_kernel.h"

namespace plumb::fast::cpu {
namespace {

// Input 1 is the step; what the event shows is a derived class's.
class SummaryEventKernel : public WriterKernel {
 public:
  using WriterKernel::WriterKernel;
  void Run(KernelContext& context) final {
    const auto writer = Writer(context);
    const int64_t step = OnlyAt<int64_t>(context, 1);
    pb::Summary summary;
    Show(context, summary);
    if (!writer->Write(step, summary.SerializeAsString())) ThrowNoWriter(context);
  }

 protected:
  virtual void Show(KernelContext& context, pb::Summary& summary) const = 0;
  const std::string& Tag(const KernelContext& context) const { return OnlyAt<std::string>(context, 2); }
};

class ScalarKernel final : public SummaryEventKernel {
 public:
  explicit ScalarKernel(const Node& node) : SummaryEventKernel(node) {}

 private:
  static constexpr auto kTypes = Types<float, double, Half>() + IntegerTypes();

  void Show(KernelContext& context, pb::Summary& summary) const override {
    const Tensor& value = context.input(3);
    Require(value.elements() > 0, "there is no number in a value of shape ", Printed(value.shape()));
    pb::Summary::Value& shown = *summary.add_value();
    shown.set_tag(Tag(context));
    VisitOneOf(kTypes, value.dtype(), false, [&](auto type) {
      shown.set_simple_value(static_cast<float>(value.data<typename decltype(type)::Type>()[0]));
      return true;
    });
  }
};

class HistogramKernel final : public SummaryEventKernel {
 public:
  explicit HistogramKernel(const Node& node) : SummaryEventKernel(node) {}

 private:
  void Show(KernelContext& context, pb::Summary& summary) const override {
    pb::Summary::Value& shown = *summary.add_value();
    shown.set_tag(Tag(context));
    ShowHistogram(context.input(3), *shown.mutable_histo());
  }
};

int64_t MostOf(const Node& node, const char* attr) {
  const auto most = GetAttr<int64_t>(node.attrs, attr);
  Require(most >= 1 && most <= INT32_MAX, attr, " has 31 bits, and is not ", most);
  return most;
}

class ImagesKernel final : public SummaryEventKernel {
 public:
  explicit ImagesKernel(const Node& node) : SummaryEventKernel(node), most_(MostOf(node, "max_images")) {}

 private:
  void Show(KernelContext& context, pb::Summary& summary) const override {
    const Tensor& bad_color = context.input(4);
    Require(bad_color.rank() == 1, "bad_color is a vector, and not of shape ", Printed(bad_color.shape()));
    ShowImages(context.pool(), Tag(context), context.input(3), bad_color, most_, summary);
  }

  const int64_t most_;
};

class SoundsKernel final : public SummaryEventKernel {
 public:
  explicit SoundsKernel(const Node& node) : SummaryEventKernel(node), most_(MostOf(node, "max_outputs")) {}

 private:
  void Show(KernelContext& context, pb::Summary& summary) const override {
    ShowSounds(Tag(context), context.input(3), OnlyAt<float>(context, 4), most_, summary);
  }

  const int64_t most_;
};

class RawKernel final : public SummaryEventKernel {
 public:
  using SummaryEventKernel::SummaryEventKernel;

 private:
  void Show(KernelContext& context, pb::Summary& summary) const override {
    pb::Summary part;
    for (const std::string& bytes : context.input(2).data<std::string>()) {
      if (!part.ParseFromString(bytes)) throw DataLoss("tensor has bytes that are no summary");
      for (pb::Summary::Value& value : *part.mutable_value()) summary.add_value()->Swap(&value);
    }
  }
};

class GraphKernel final : public WriterKernel {
 public:
  using WriterKernel::WriterKernel;
  void Run(KernelContext& context) override {
    const auto writer = Writer(context);
    const int64_t step = OnlyAt<int64_t>(context, 1);
    const std::string& graph = OnlyAt<std::string>(context, 2);
    if (!writer->Add([&](EventLog& log) { log.AddGraph(step, graph); })) ThrowNoWriter(context);
  }
};

class ImportKernel final : public WriterKernel {
 public:
  using WriterKernel::WriterKernel;
  void Run(KernelContext& context) override {
    const auto writer = Writer(context);
    const std::string& event = OnlyAt<std::string>(context, 1);
    if (!writer->Add([&](EventLog& log) { log.AddEvent(event); })) ThrowNoWriter(context);
  }
};

class CloseKernel final : public WriterKernel {
 public:
  using WriterKernel::WriterKernel;
  void Run(KernelContext& context) override {
    if (!Writer(context)->Flush()) ThrowNoWriter(context);
    context.resources().Remove<WriterObject>(Key(context));
  }
};

constexpr KernelRow kRows[] = {
    {"WriteScalarSummary", Make<ScalarKernel>}, {"WriteHistogramSummary", Make<HistogramKernel>},
    {"WriteImageSummary", Make<ImagesKernel>},  {"WriteAudioSummary", Make<SoundsKernel>},
    {"WriteRawProtoSummary", Make<RawKernel>},  {"WriteGraphSummary", Make<GraphKernel>},
    {"ImportEvent", Make<ImportKernel>},        {"CloseSummaryWriter", Make<CloseKernel>},
};

}  // namespace

std::span<const KernelRow> SummaryEvent() { return kRows; }

}  // namespace plumb::fast::cpu

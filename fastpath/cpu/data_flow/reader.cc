// The ops on readers (rules Q51–Q56), of whatever kind they are. Who has a turn is said in reader_object.cc, what is
// read in work_reader.cc.
#include "fastpath/cpu/data_flow/reader_object.h"
#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/state/named_resource.h"

namespace plumb::fast::cpu {
namespace {

// The handle is input 0.
class ReaderKernel : public AsyncKernel {
 public:
  explicit ReaderKernel(const Node& node) : lookup_(node, kReaderTypeName) {}

 protected:
  std::shared_ptr<ReaderObject> ReaderIn(KernelContext& context) const { return lookup_.Find<ReaderObject>(context); }

 private:
  const NamedLookup lookup_;
};

class ReadKernel final : public ReaderKernel {
 public:
  ReadKernel(const Node& node, bool is_batch)
      : ReaderKernel(node), queue_(node, kQueueTypeName, /*input=*/1), is_batch_(is_batch) {}
  void Start(AsyncContext& context, Done done) override {
    const auto reader = ReaderIn(context);
    const auto queue = queue_.Find<QueueObject>(context);
    if (!is_batch_) return reader->ReadOne(context, std::move(done), queue);
    const Tensor& count = context.input(2);
    Require(count.rank() == 0, "num_records must be a scalar, not of shape ", Printed(count.shape()));
    const int64_t wanted = count.data<int64_t>()[0];
    Require(wanted >= 0, "num_records must not be negative, but is ", wanted);
    reader->ReadUpTo(context, std::move(done), queue, wanted);
  }

 private:
  const NamedLookup queue_;
  const bool is_batch_;
};

enum class Count { kProduced, kFinished };

class CountKernel final : public ReaderKernel {
 public:
  CountKernel(const Node& node, Count count) : ReaderKernel(node), count_(count) {}
  void Start(AsyncContext& context, Done done) override {
    ReaderIn(context)->Do(context, std::move(done), [count = count_](WorkReader& reader, KernelContext& answered) {
      const int64_t number = count == Count::kProduced ? reader.num_produced() : reader.num_finished();
      answered.AllocateOutput(0, DType::kInt64, Shape()).mutable_data<int64_t>()[0] = number;
    });
  }

 private:
  const Count count_;
};

class SerializeKernel final : public ReaderKernel {
 public:
  using ReaderKernel::ReaderKernel;
  void Start(AsyncContext& context, Done done) override {
    ReaderIn(context)->Do(context, std::move(done), [](WorkReader& reader, KernelContext& answered) {
      std::string state = reader.State();
      answered.AllocateOutput(0, DType::kString, Shape()).mutable_data<std::string>()[0] = std::move(state);
    });
  }
};

class RestoreKernel final : public ReaderKernel {
 public:
  using ReaderKernel::ReaderKernel;
  void Start(AsyncContext& context, Done done) override {
    const auto reader = ReaderIn(context);
    context.Unalias(1);  // of a string variable, which may change while the reader is busy
    const Tensor& state = context.input(1);
    Require(state.rank() == 0, "the state of a reader must be a scalar, not of shape ", Printed(state.shape()));
    reader->Do(context, std::move(done), [](WorkReader& restored, KernelContext& answered) {
      restored.SetState(answered.input(1).data<std::string>()[0]);
    });
  }
};

class ResetKernel final : public ReaderKernel {
 public:
  using ReaderKernel::ReaderKernel;
  void Start(AsyncContext& context, Done done) override {
    ReaderIn(context)->Do(context, std::move(done), [](WorkReader& reader, KernelContext&) { reader.Reset(); });
  }
};

constexpr KernelRow kRows[] = {
    {"ReaderRead", MakeWith<ReadKernel, false>},
    {"ReaderReadV2", MakeWith<ReadKernel, false>},
    {"ReaderReadUpTo", MakeWith<ReadKernel, true>},
    {"ReaderReadUpToV2", MakeWith<ReadKernel, true>},
    {"ReaderNumRecordsProduced", MakeWith<CountKernel, Count::kProduced>},
    {"ReaderNumRecordsProducedV2", MakeWith<CountKernel, Count::kProduced>},
    {"ReaderNumWorkUnitsCompleted", MakeWith<CountKernel, Count::kFinished>},
    {"ReaderNumWorkUnitsCompletedV2", MakeWith<CountKernel, Count::kFinished>},
    {"ReaderSerializeState", Make<SerializeKernel>},
    {"ReaderSerializeStateV2", Make<SerializeKernel>},
    {"ReaderRestoreState", Make<RestoreKernel>},
    {"ReaderRestoreStateV2", Make<RestoreKernel>},
    {"ReaderReset", Make<ResetKernel>},
    {"ReaderResetV2", Make<ResetKernel>},
};

}  // namespace

std::span<const KernelRow> DataFlowReader() { return kRows; }

}  // namespace plumb::fast::cpu

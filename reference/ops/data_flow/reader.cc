// The ops on readers (rules Q51–Q56), of whatever kind they are. What a reader reads is said in
// reference/state/reader.cc.
#include "reference/state/reader.h"

#include <vector>

#include "reference/kernel/op_context.h"
#include "reference/ops/lib/named_resource.h"

namespace plumb::reference {
namespace {

std::shared_ptr<RecordReader> ReaderOf(const OpContext& c) {
  const ResourceName name = NamedBy(c, kReaderType);
  auto reader = c.resources.Share<RecordReader>(name);
  // The attempt was made at one that is gone, though there may be another one in its place.
  if (reader != nullptr && c.resumed && !reader->Has(c.execution)) reader = nullptr;
  if (reader == nullptr) throw NotFound("there is no reader '", name.name, "' in the container '", name.container, "'");
  return reader;
}

// Ends with the kernel, unless that parks.
class Turn {
 public:
  Turn(OpContext& c, std::shared_ptr<RecordReader> reader) : c_(c), reader_(std::move(reader)) {}
  ~Turn() {
    if (c_.parked_at == nullptr) reader_->Leave(c_.execution);
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  RecordReader& reader() const { return *reader_; }

  // Whether it is this execution's turn; if not, it parks.
  bool HasCome() const {
    if (!c_.resumed) reader_->Join(c_.execution);
    if (reader_->IsServed(c_.execution)) return true;
    c_.Park(reader_);
    return false;
  }
  // Q51: the next work item; if there is none yet, it parks.
  std::optional<std::string> NextWork(const std::shared_ptr<Queue>& queue) const {
    auto work = reader_->NextWork(c_.execution, queue);
    if (!work) c_.Park(reader_);
    return work;
  }

 private:
  OpContext& c_;
  const std::shared_ptr<RecordReader> reader_;
};

// ---- Reading -------------------------------------------------------------------------------------------------------

// The queue at input 1, at which the reader may wait.
std::shared_ptr<Queue> QueueOf(const OpContext& c, const RecordReader& reader) {
  const ResourceName name = NamedBy(c, kQueueType, 1);
  auto queue = c.resources.Share<Queue>(name);
  if (queue == nullptr ||
      (c.resumed && reader.IsServed(c.execution) && reader.asked() != nullptr && reader.asked() != queue)) {
    throw NotFound("there is no queue '", name.name, "' in the container '", name.container, "'");
  }
  return queue;
}

// Q51, Q52. Nothing: the execution waits.
std::optional<std::vector<Record>> Read(OpContext& c, int64_t count) {
  const Turn turn(c, ReaderOf(c));
  const auto queue = QueueOf(c, turn.reader());
  if (!turn.HasCome()) return std::nullopt;
  RecordReader& reader = turn.reader();
  std::vector<Record> records;
  while (std::ssize(records) < count) {
    if (!reader.HasWork()) {
      const auto work = turn.NextWork(queue);
      if (!work) return std::nullopt;
      reader.Begin(*work);
    }
    if (auto record = reader.Next()) records.push_back(std::move(*record));
    if (!records.empty() && !reader.HasWork()) break;
  }
  return records;
}

void ReadOne(OpContext& c) {
  auto records = Read(c, 1);
  if (!records) return;
  c.Output(0, MakeScalar(std::move(records->front().key)));
  c.Output(1, MakeScalar(std::move(records->front().value)));
}

void ReadUpTo(OpContext& c) {
  Require(c.tensor(2).rank() == 0, "num_records is a scalar, not of shape ", c.tensor(2).shape().ToString());
  const int64_t count = c.tensor(2).scalar<int64_t>();
  Require(count >= 0, "num_records must not be negative, but is ", count);
  auto records = Read(c, count);
  if (!records) return;
  Tensor keys(DType::kString, {std::ssize(*records)}), values(DType::kString, {std::ssize(*records)});
  for (size_t i = 0; i < records->size(); ++i) {
    keys.mutable_data<std::string>()[i] = std::move((*records)[i].key);
    values.mutable_data<std::string>()[i] = std::move((*records)[i].value);
  }
  c.Output(0, std::move(keys));
  c.Output(1, std::move(values));
}

// ---- The rest ------------------------------------------------------------------------------------------------------

void NumRecordsProduced(OpContext& c) {
  const Turn turn(c, ReaderOf(c));
  if (turn.HasCome()) c.Output(0, MakeScalar(turn.reader().num_produced()));
}

void NumWorkUnitsCompleted(OpContext& c) {
  const Turn turn(c, ReaderOf(c));
  if (turn.HasCome()) c.Output(0, MakeScalar(turn.reader().num_finished()));
}

void SerializeState(OpContext& c) {
  const Turn turn(c, ReaderOf(c));
  if (turn.HasCome()) c.Output(0, MakeScalar(turn.reader().State()));
}

void RestoreState(OpContext& c) {
  Require(c.tensor(1).rank() == 0, "the state of a reader is a scalar, not of shape ", c.tensor(1).shape().ToString());
  const Turn turn(c, ReaderOf(c));
  if (turn.HasCome()) turn.reader().SetState(c.tensor(1).data<std::string>()[0]);
}

void Reset(OpContext& c) {
  const Turn turn(c, ReaderOf(c));
  if (turn.HasCome()) turn.reader().Reset();
}

constexpr KernelRow kRows[] = {
    {"ReaderRead", ReadOne},
    {"ReaderReadV2", ReadOne},
    {"ReaderReadUpTo", ReadUpTo},
    {"ReaderReadUpToV2", ReadUpTo},
    {"ReaderNumRecordsProduced", NumRecordsProduced},
    {"ReaderNumRecordsProducedV2", NumRecordsProduced},
    {"ReaderNumWorkUnitsCompleted", NumWorkUnitsCompleted},
    {"ReaderNumWorkUnitsCompletedV2", NumWorkUnitsCompleted},
    {"ReaderSerializeState", SerializeState},
    {"ReaderSerializeStateV2", SerializeState},
    {"ReaderRestoreState", RestoreState},
    {"ReaderRestoreStateV2", RestoreState},
    {"ReaderReset", Reset},
    {"ReaderResetV2", Reset},
};

}  // namespace

namespace topics {
std::span<const KernelRow> DataFlowReader() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

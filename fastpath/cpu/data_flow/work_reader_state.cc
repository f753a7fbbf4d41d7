// What is said of a reader (rule Q55), and saved of it (rule S10).
#include <algorithm>
#include <vector>

#include "fastpath/cpu/data_flow/work_reader.h"
#include "spec/proto/reader.pb.h"

namespace plumb::fast::cpu {
namespace {

bool HasNegative(const std::vector<int64_t>& values) {
  return std::any_of(values.begin(), values.end(), [](int64_t value) { return value < 0; });
}

}  // namespace

std::string WorkReader::State() const {
  if (ReadsPieces()) throw Unimplemented("reader '", name_, "' reads files in pieces: its state cannot be serialised");
  pb::ReaderBaseState state;
  state.set_work_started(started_);
  state.set_work_finished(finished_);
  state.set_num_records_produced(produced_);
  state.set_current_work(work_);
  return state.SerializeAsString();
}

void WorkReader::SetState(const std::string& state) {
  try {
    TakeUp(state);
  } catch (const Error&) {
    Reset();
    throw;
  }
}

void WorkReader::TakeUp(const std::string& state) {
  if (ReadsPieces()) throw Unimplemented("reader '", name_, "' reads files in pieces: its state cannot be restored");
  pb::ReaderBaseState said;
  Require(said.ParseFromString(state), "could not parse the state for reader '", name_, "'");
  const std::vector<int64_t> counts = {said.work_started(), said.work_finished(), said.num_records_produced()};
  Require(!HasNegative(counts), "the state for reader '", name_, "' has a negative count");
  Require(counts[0] <= counts[1], "the state for reader '", name_,
          "' is of one with a work item under way: ", counts[0], " were begun, ", counts[1], " finished");
  Reset();
  started_ = counts[0];
  finished_ = counts[1];
  produced_ = counts[2];
  work_ = said.current_work();
}

void WorkReader::Save(const StateWriter& writer) const {
  writer.PutScalar<int32_t>("kind", static_cast<int32_t>(spec_.kind));
  writer.PutScalar<int32_t>("compression", static_cast<int32_t>(spec_.compression));
  writer.Put("lengths", MakeVector<int64_t>({spec_.header_lines, spec_.header_bytes, spec_.record_bytes,
                                             spec_.footer_bytes, spec_.hop_bytes}));
  writer.PutScalar<std::string>("work", work_);
  writer.Put("counts", MakeVector<int64_t>({started_, finished_, produced_, position_, number_}));
}

void WorkReader::Restore(const StateReader& reader) {
  const auto kind = reader.GetScalar<int32_t>("kind"), compression = reader.GetScalar<int32_t>("compression");
  const std::vector<int64_t> lengths = ToInt64s(reader.Get("lengths")), counts = ToInt64s(reader.Get("counts"));
  const bool is_known = kind >= 0 && kind <= static_cast<int32_t>(ReaderKind::kIdentity) && compression >= 0 &&
                        compression <= static_cast<int32_t>(Compression::kGzip);
  if (!is_known || lengths.size() != 5 || counts.size() != 5 || HasNegative(lengths) || HasNegative(counts)) {
    throw DataLoss("the saved state of a reader says what no reader is");
  }
  spec_ = {static_cast<ReaderKind>(kind),
           static_cast<Compression>(compression),
           lengths[0],
           lengths[1],
           lengths[2],
           lengths[3],
           lengths[4]};
  is_declared_ = true;
  work_ = reader.GetScalar<std::string>("work");
  started_ = counts[0];
  finished_ = counts[1];
  produced_ = counts[2];
  position_ = counts[3];
  number_ = counts[4];
}

}  // namespace plumb::fast::cpu

#include "reference/state/reader.h"

#include <algorithm>

#include "reference/state/variable.h"
#include "spec/files/file_system.h"
#include "spec/formats/inflate.h"
#include "spec/formats/record.h"
#include "spec/proto/reader.pb.h"

namespace plumb::reference {

void RecordReader::Declare(const ReaderType& type) {
  if (!is_declared_) type_ = type;
  is_declared_ = true;
}

// ---- Turns ---------------------------------------------------------------------------------------------------------

bool RecordReader::Has(int64_t ticket) const { return std::find(line_.begin(), line_.end(), ticket) != line_.end(); }

bool RecordReader::IsServed(int64_t ticket) const {
  return HasTurn(ticket) && (asked_ == nullptr || asked_->IsServed(ticket));
}

std::string RecordReader::WaitsFor(int64_t ticket) const {
  if (HasTurn(ticket) && asked_ != nullptr) return asked_->WaitsFor(ticket);
  return Str("reader '", name, "', from which another one reads");
}

void RecordReader::Drop(int64_t ticket) {
  if (HasTurn(ticket) && asked_ != nullptr) std::exchange(asked_, nullptr)->Drop(ticket);
  std::erase(line_, ticket);
}

std::shared_ptr<Resource> RecordReader::Clone(Copies& copies) const {
  auto clone = std::make_shared<RecordReader>(*this);
  clone->asked_ = copies.Of(asked_);
  return clone;
}

std::optional<std::string> RecordReader::NextWork(int64_t ticket, const std::shared_ptr<Queue>& queue) {
  if (asked_ == nullptr) {
    queue->Dequeue(ticket);
    asked_ = queue;
  }
  if (!asked_->IsServed(ticket)) return std::nullopt;
  const Queue::Answer answer = std::exchange(asked_, nullptr)->Fetch(ticket);
  if (!answer.status.ok()) throw Error(answer.status);
  const Tuple& element = answer.elements.front();
  Require(element.size() == 1, "a queue of work items has one component, not ", element.size());
  const Tensor work = Current(element[0]).tensor;
  Require(work.dtype() == DType::kString && work.elements() == 1, "a work item is one string, not ", work.ToString());
  return work.data<std::string>()[0];
}

// ---- Work items ----------------------------------------------------------------------------------------------------

void RecordReader::Reset() {
  started_ = finished_ = produced_ = position_ = number_ = 0;
  work_.clear();
  bytes_ = nullptr;
}

// Q54: one that cannot begin is not counted.
void RecordReader::Begin(const std::string& work) {
  work_ = work;
  position_ = number_ = 0;
  bytes_ = nullptr;
  if (type_.kind == ReaderKind::kTextLine || type_.kind == ReaderKind::kFixedLength ||
      type_.kind == ReaderKind::kRecord) {
    Files().Open(work);  // it is there
    SkipHeader();
  }
  ++started_;
}

void RecordReader::SkipHeader() {
  for (int64_t i = 0; i < type_.header_lines; ++i) {
    if (!NextLine()) return;
  }
  if (type_.header_bytes == 0) return;
  if (type_.header_bytes > std::ssize(Bytes())) {
    CheckEnd();
    throw OutOfRange("the file '", work_, "' has ", Bytes().size(), " bytes, fewer than its header, ",
                     type_.header_bytes);
  }
  position_ = type_.header_bytes;
}

const std::string& RecordReader::Bytes() {
  if (bytes_ == nullptr) {
    Inflated inflated = Inflate(Files().Read(work_), type_.compression);
    is_damaged_ = inflated.is_damaged;
    bytes_ = std::make_shared<const std::string>(std::move(inflated.bytes));
  }
  return *bytes_;
}

// Where bytes are asked for beyond those that could be decoded.
void RecordReader::CheckEnd() const {
  if (is_damaged_) throw DataLoss("the file '", work_, "' is damaged behind ", bytes_->size(), " decoded bytes");
}

std::optional<Record> RecordReader::Next() {
  std::optional<Record> record;
  bool is_last = false;
  switch (type_.kind) {
    case ReaderKind::kWholeFile:
      record = Record{work_, Files().Read(work_)};
      is_last = true;
      break;
    case ReaderKind::kTextLine:
      if (auto line = NextLine()) record = Record{Str(work_, ":", number_), std::move(*line)};
      break;
    case ReaderKind::kFixedLength:
      record = NextPiece();
      break;
    case ReaderKind::kRecord:
      record = NextOfRecordFile();
      break;
    case ReaderKind::kIdentity:
      record = Record{work_, work_};
      is_last = true;
      break;
  }
  if (record) ++produced_;
  if (!record || is_last) finished_ = started_;
  return record;
}

// Without its end, "\n" or "\r\n". What the last line has no end for is a line if it is not empty (Q53).
std::optional<std::string> RecordReader::NextLine() {
  const std::string& bytes = Bytes();
  if (position_ >= std::ssize(bytes)) return std::nullopt;
  const auto from = static_cast<size_t>(position_);
  const size_t end = bytes.find('\n', from);
  std::string line = bytes.substr(from, end == std::string::npos ? end : end - from);
  if (!line.empty() && line.back() == '\r') line.pop_back();
  position_ = end == std::string::npos ? std::ssize(bytes) : static_cast<int64_t>(end) + 1;
  if (end == std::string::npos && line.empty()) return std::nullopt;
  ++number_;
  return line;
}

// Q53.
std::optional<Record> RecordReader::NextPiece() {
  const std::string& bytes = Bytes();
  const int64_t left = std::ssize(bytes) - position_;
  if (left < type_.record_bytes || left - type_.record_bytes < type_.footer_bytes) {
    CheckEnd();
    return std::nullopt;
  }
  Record record{Str(work_, ":", number_),
                bytes.substr(static_cast<size_t>(position_), static_cast<size_t>(type_.record_bytes))};
  const int64_t hop = type_.hop_bytes == 0 ? type_.record_bytes : type_.hop_bytes;
  position_ += std::min(hop, left + 1);
  ++number_;
  return record;
}

std::optional<Record> RecordReader::NextOfRecordFile() {
  const std::string_view bytes = Bytes();
  // Less than a header is the end of the file (TensorFlow's record_reader.cc), unlike a record that lacks some of its
  // data.
  if (std::ssize(bytes) - position_ < static_cast<int64_t>(kRecordHeaderBytes)) {
    CheckEnd();
    return std::nullopt;
  }
  const std::string place = Str("offset ", position_, " of ", work_);
  std::string_view rest = bytes.substr(static_cast<size_t>(position_));
  const uint64_t length = RecordLength(rest.substr(0, kRecordHeaderBytes), place);
  rest.remove_prefix(kRecordHeaderBytes);
  if (rest.size() < kRecordFooterBytes || rest.size() - kRecordFooterBytes < length) {
    throw DataLoss("truncated record at ", place);
  }
  const std::string_view data = rest.substr(0, length);
  CheckRecord(data, rest.substr(length, kRecordFooterBytes), place);
  Record record{Str(work_, ":", position_), std::string(data)};
  position_ += static_cast<int64_t>(kRecordHeaderBytes + length + kRecordFooterBytes);
  return record;
}

// ---- State ---------------------------------------------------------------------------------------------------------

void RecordReader::CheckHasState() const {
  if (type_.kind == ReaderKind::kIdentity || type_.kind == ReaderKind::kWholeFile) return;
  throw Unimplemented("the state of reader '", name, "', which reads files piece by piece, cannot be written or set");
}

std::string RecordReader::State() const {
  CheckHasState();
  pb::ReaderBaseState state;
  state.set_work_started(started_);
  state.set_work_finished(finished_);
  state.set_num_records_produced(produced_);
  state.set_current_work(work_);
  return state.SerializeAsString();
}

void RecordReader::SetState(const std::string& state) {
  try {
    TakeUp(state);
  } catch (const Error&) {  // it has no state any more
    Reset();
    throw;
  }
}

void RecordReader::TakeUp(const std::string& state) {
  CheckHasState();
  pb::ReaderBaseState parsed;
  Require(parsed.ParseFromString(state), "the string is no state for reader '", name, "'");
  Require(parsed.work_started() >= 0 && parsed.work_finished() >= 0 && parsed.num_records_produced() >= 0,
          "a state for reader '", name, "' with a negative count");
  Require(parsed.work_started() <= parsed.work_finished(), "a state for reader '", name, "' with ",
          parsed.work_started(), " work items begun, and only ", parsed.work_finished(), " finished");
  Reset();
  started_ = parsed.work_started();
  finished_ = parsed.work_finished();
  produced_ = parsed.num_records_produced();
  work_ = parsed.current_work();
}

void RecordReader::Save(const StateWriter& writer) const {
  writer.PutScalar<int32_t>("kind", static_cast<int32_t>(type_.kind));
  writer.PutScalar<int32_t>("compression", static_cast<int32_t>(type_.compression));
  writer.Put("lengths", MakeVector<int64_t>({type_.header_lines, type_.header_bytes, type_.record_bytes,
                                             type_.footer_bytes, type_.hop_bytes}));
  writer.PutScalar<std::string>("work", work_);
  writer.Put("counts", MakeVector<int64_t>({started_, finished_, produced_, position_, number_}));
}

void RecordReader::Restore(const StateReader& reader) {
  const auto kind = reader.GetScalar<int32_t>("kind"), compression = reader.GetScalar<int32_t>("compression");
  const std::vector<int64_t> lengths = ToInt64s(reader.Get("lengths")), counts = ToInt64s(reader.Get("counts"));
  const auto is_negative = [](int64_t value) { return value < 0; };
  if (kind < 0 || kind > static_cast<int32_t>(ReaderKind::kIdentity) || compression < 0 ||
      compression > static_cast<int32_t>(Compression::kGzip) || lengths.size() != 5 || counts.size() != 5 ||
      std::any_of(lengths.begin(), lengths.end(), is_negative) ||
      std::any_of(counts.begin(), counts.end(), is_negative)) {
    throw DataLoss("the saved state of a reader is none");
  }
  Declare({static_cast<ReaderKind>(kind), static_cast<Compression>(compression), lengths[0], lengths[1], lengths[2],
           lengths[3], lengths[4]});
  work_ = reader.GetScalar<std::string>("work");
  started_ = counts[0];
  finished_ = counts[1];
  produced_ = counts[2];
  position_ = counts[3];
  number_ = counts[4];
}

}  // namespace plumb::reference

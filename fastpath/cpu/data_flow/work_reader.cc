#include "fastpath/cpu/data_flow/work_reader.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "spec/formats/record.h"

namespace plumb::fast::cpu {
namespace {

constexpr int64_t kFirstLook = 256;  // for the end of a line
constexpr int64_t kHeader = kRecordHeaderBytes, kFooter = kRecordFooterBytes;

}  // namespace

void WorkReader::Declare(const std::string& name, const ReaderSpec& spec) {
  if (name_.empty()) name_ = name;
  if (!is_declared_) spec_ = spec;
  is_declared_ = true;
}

void WorkReader::Reset() {
  work_.clear();
  file_.reset();
  position_ = number_ = started_ = finished_ = produced_ = 0;
}

FileWindow& WorkReader::File() {
  if (file_ == nullptr) file_ = std::make_unique<FileWindow>(work_, spec_.compression);
  return *file_;
}

// Q54: one that cannot begin is not counted.
void WorkReader::Begin(std::string work) {
  work_ = std::move(work);
  file_.reset();
  position_ = number_ = 0;
  if (ReadsPieces()) {
    File();
    SkipHeader();
  }
  ++started_;
}

void WorkReader::SkipHeader() {
  std::string line;
  for (int64_t left = spec_.header_lines; left > 0 && NextLine(&line); --left) continue;
  if (spec_.header_bytes == 0) return;
  const int64_t size = File().size();
  if (size < spec_.header_bytes) {
    File().RequireWhole();
    throw OutOfRange("reader '", name_, "': the file '", work_, "' ends within its header, after ", size, " of ",
                     spec_.header_bytes, " bytes");
  }
  position_ = spec_.header_bytes;
}

std::optional<Record> WorkReader::Next() {
  Record record;
  bool is_there = true, is_last = false;
  switch (spec_.kind) {
    case ReaderKind::kWholeFile:
      record = {work_, Files().Read(work_)};
      is_last = true;
      break;
    case ReaderKind::kTextLine:
      is_there = NextLine(&record.value);
      if (is_there) record.key = Str(work_, ":", number_);
      break;
    case ReaderKind::kFixedLength:
      is_there = NextFixed(&record);
      break;
    case ReaderKind::kRecord:
      is_there = NextFramed(&record);
      break;
    case ReaderKind::kIdentity:
      record = {work_, work_};
      is_last = true;
      break;
  }
  if (!is_there || is_last) {
    finished_ = started_;
    file_.reset();
  }
  if (!is_there) return std::nullopt;
  ++produced_;
  return record;
}

// Q53: without "\n" or "\r\n". A last line without an end counts if it is not empty.
bool WorkReader::NextLine(std::string* line) {
  FileWindow& file = File();
  for (int64_t look = kFirstLook;; look *= 2) {
    const std::string_view rest = file.At(position_, look);
    const size_t end = rest.find('\n');
    const bool has_end = end != std::string_view::npos;
    if (!has_end && std::ssize(rest) == look) continue;
    std::string_view found = rest.substr(0, end);
    if (found.ends_with('\r')) found.remove_suffix(1);
    position_ += std::ssize(rest.substr(0, end)) + (has_end ? 1 : 0);
    if (!has_end && found.empty()) return false;
    line->assign(found);
    ++number_;
    return true;
  }
}

// Q53.
bool WorkReader::NextFixed(Record* record) {
  FileWindow& file = File();
  const int64_t left = file.size() - position_;
  if (left < spec_.record_bytes || left - spec_.record_bytes < spec_.footer_bytes) {
    file.RequireWhole();
    return false;
  }
  record->key = Str(work_, ":", number_++);
  record->value = file.At(position_, spec_.record_bytes);
  const int64_t hop = spec_.hop_bytes == 0 ? spec_.record_bytes : spec_.hop_bytes;
  position_ = hop > left ? file.size() + 1 : position_ + hop;
  return true;
}

// The next record of a record file (Z2, Z3).
bool WorkReader::NextFramed(Record* record) {
  FileWindow& file = File();
  const int64_t left = file.size() - position_;
  if (left < kHeader) {  // whatever is left of one
    file.RequireWhole();
    return false;
  }
  const std::string place = Str("offset ", position_, " of ", work_);
  const uint64_t length = RecordLength(file.At(position_, kHeader), place);
  if (left < kHeader + kFooter || static_cast<uint64_t>(left - kHeader - kFooter) < length) {
    throw DataLoss("truncated record at ", place);
  }
  const auto whole = static_cast<int64_t>(length) + kHeader + kFooter;
  const std::string_view bytes = file.At(position_, whole), data = bytes.substr(kHeader, length);
  CheckRecord(data, bytes.substr(kHeader + length), place);
  *record = {Str(work_, ":", position_), std::string(data)};
  position_ += whole;
  return true;
}

}  // namespace plumb::fast::cpu

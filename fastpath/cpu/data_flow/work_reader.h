// What a reader reads: one work item after the other, record by record (rules Q51–Q55). Its user has a lock.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "fastpath/cpu/data_flow/file_window.h"
#include "spec/session/saved_state.h"

namespace plumb::fast::cpu {

// What the records of a work item are: the whole file, its lines, pieces of one length, records of a record file, or
// the work item itself. The numbers are saved.
enum class ReaderKind : int32_t { kWholeFile, kTextLine, kFixedLength, kRecord, kIdentity };

// What the node that makes a reader says of it.
struct ReaderSpec {
  ReaderKind kind = ReaderKind::kIdentity;
  Compression compression = Compression::kNone;
  int64_t header_lines = 0;
  int64_t header_bytes = 0, record_bytes = 0, footer_bytes = 0, hop_bytes = 0;
};

struct Record {
  std::string key, value;
};

class WorkReader {
 public:
  void Declare(const std::string& name, const ReaderSpec& spec);
  const std::string& name() const { return name_; }

  bool HasWork() const { return finished_ < started_; }
  void Begin(std::string work);
  // Nothing at the end of the work item. That, or a record that is known to be the last one, finishes it.
  std::optional<Record> Next();
  int64_t num_produced() const { return produced_; }
  int64_t num_finished() const { return finished_; }
  void Reset();

  // Q55: TensorFlow's record of it; kUnimplemented for a reader of pieces. After a failure to set it, it is reset.
  std::string State() const;
  void SetState(const std::string& state);

  void Save(const StateWriter& writer) const;
  void Restore(const StateReader& reader);

 private:
  bool ReadsPieces() const { return spec_.kind != ReaderKind::kIdentity && spec_.kind != ReaderKind::kWholeFile; }
  FileWindow& File();
  void SkipHeader();
  bool NextLine(std::string* line);
  bool NextFixed(Record* record);
  bool NextFramed(Record* record);
  void TakeUp(const std::string& state);

  std::string name_;  // not saved: the node says it again
  ReaderSpec spec_;
  bool is_declared_ = false;
  std::string work_;
  std::unique_ptr<FileWindow> file_;  // of the work item; opened again after a restore
  int64_t position_ = 0;              // of what comes next
  int64_t number_ = 0;                // of lines or pieces before
  int64_t started_ = 0, finished_ = 0, produced_ = 0;
};

}  // namespace plumb::fast::cpu

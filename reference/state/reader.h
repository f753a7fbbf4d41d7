// A reader of records (rules Q51–Q56): what it has read of which work item, and who waits for a turn at it.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "reference/state/queue.h"
#include "spec/formats/compression.h"

namespace plumb::reference {

inline constexpr char kReaderType[] = "Reader";  // in handles

// What the records of a work item are. The numbers are saved.
enum class ReaderKind : int32_t {
  kWholeFile,    // the content of the file
  kTextLine,     // its lines
  kFixedLength,  // pieces of one length
  kRecord,       // the records of a record file
  kIdentity,     // the work item itself, which names no file
};

// What the node that makes a reader says of it.
struct ReaderType {
  ReaderKind kind = ReaderKind::kIdentity;
  Compression compression = Compression::kNone;
  int64_t header_lines = 0;                                                     // that are skipped
  int64_t header_bytes = 0, record_bytes = 0, footer_bytes = 0, hop_bytes = 0;  // Q53
};

struct Record {
  std::string key, value;
};

// Whoever uses a reader waits for a turn, under a ticket, in the order of arrival (Q51).
class RecordReader : public Waitable {
 public:
  std::string name;  // for messages; not saved: its node says it again

  // What the reader is, said by the first node that makes it.
  void Declare(const ReaderType& type);

  void Join(int64_t ticket) { line_.push_back(ticket); }
  void Leave(int64_t ticket) { Drop(ticket); }
  // Whether it knows of this attempt.
  bool Has(int64_t ticket) const;

  // ---- For the one whose turn it is
  // Asks the queue for a work item, the first time. Nothing: there is none yet. Throws the queue's failure.
  std::optional<std::string> NextWork(int64_t ticket, const std::shared_ptr<Queue>& queue);
  // The queue that it waits at, or null.
  const std::shared_ptr<Queue>& asked() const { return asked_; }
  bool HasWork() const { return finished_ < started_; }
  void Begin(const std::string& work);
  // Nothing: the work item has no more. Either that or its last record finishes it.
  std::optional<Record> Next();
  int64_t num_produced() const { return produced_; }
  int64_t num_finished() const { return finished_; }
  void Reset();
  // Q55.
  std::string State() const;
  void SetState(const std::string& state);

  bool IsServed(int64_t ticket) const override;
  std::string WaitsFor(int64_t ticket) const override;
  void Drop(int64_t ticket) override;
  std::shared_ptr<Resource> Clone(Copies& copies) const override;
  void Save(const StateWriter& writer) const override;
  void Restore(const StateReader& reader) override;

 private:
  bool HasTurn(int64_t ticket) const { return !line_.empty() && line_.front() == ticket; }
  const std::string& Bytes();
  void CheckEnd() const;
  void SkipHeader();
  std::optional<std::string> NextLine();
  std::optional<Record> NextPiece();
  std::optional<Record> NextOfRecordFile();
  void CheckHasState() const;
  void TakeUp(const std::string& state);

  ReaderType type_;
  bool is_declared_ = false;
  std::string work_;
  int64_t started_ = 0, finished_ = 0, produced_ = 0;
  std::shared_ptr<const std::string> bytes_;  // of the work item, decoded, once they were needed
  bool is_damaged_ = false;                   // behind them
  int64_t position_ = 0;                      // of what comes next
  int64_t number_ = 0;                        // of lines, or pieces, that came before

  std::deque<int64_t> line_;
  std::shared_ptr<Queue> asked_;  // by the one whose turn it is
};

}  // namespace plumb::reference

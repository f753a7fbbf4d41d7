// The event file of a summary writer (rules Z10–Z13), through Files(), so that it lies where graphs may write.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "spec/session/saved_state.h"

namespace plumb {

class EventLog {
 public:
  EventLog() = default;
  // The file "<folder>/events.out.tfevents.<seconds>.<host>.<process>.<number>.<suffix>", no two of which are the same
  // in a process, holds the version record when this returns. Folders that are missing are made. Throws what
  // Files() does.
  EventLog(const std::string& folder, std::string_view suffix);

  const std::string& path() const { return path_; }
  // An event of this moment with the summary, a serialised Summary message; it is in the file after the next Flush.
  void AddSummary(int64_t step, const std::string& summary);
  // The same with a graph, a serialised GraphDef message; and an event as it is, a serialised Event message. kDataLoss
  // for what is no such message.
  void AddGraph(int64_t step, const std::string& graph);
  void AddEvent(const std::string& event);
  // Events that are not in the file yet.
  int64_t waiting() const { return waiting_; }
  // Milliseconds since the file was written last.
  int64_t MillisSinceFlush() const;
  void Flush();
  // Where the file is, what it holds and what waits, for a saved session.
  void Save(const StateWriter& writer) const;
  void Restore(const StateReader& reader);

 private:
  void Queue(const std::string& event);

  std::string path_;
  std::string pending_;   // what waits, as records
  bool replaces_ = true;  // what is in the place of the file, which is begun or restored, with the next flush
  int64_t waiting_ = 0;
  int64_t flushed_at_ = 0;  // milliseconds of the steady clock
};

}  // namespace plumb

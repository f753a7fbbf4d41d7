#include "spec/formats/event_log.h"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>

#include "spec/core/status.h"
#include "spec/files/file_system.h"
#include "spec/formats/event_file.h"
#include "spec/proto/event.pb.h"
#include "spec/proto/graph.pb.h"

namespace plumb {
namespace {

double Now() { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }

int64_t SteadyMillis() {
  const auto since = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
}

// Z10; a suffix begins with a dot, which is put before one that does not.
std::string NewPath(const std::string& folder, std::string_view suffix) {
  static std::atomic<int64_t> made{0};
  char host[256] = "localhost";
  gethostname(host, sizeof(host) - 1);
  char seconds[32];
  std::snprintf(seconds, sizeof(seconds), "%010lld", static_cast<long long>(Now()));
  return Str(folder, folder.empty() ? "" : "/", "events.out.tfevents.", seconds, ".", host, ".", getpid(), ".",
             made.fetch_add(1), suffix.starts_with('.') ? "" : ".", suffix);
}

}  // namespace

EventLog::EventLog(const std::string& folder, std::string_view suffix) : path_(NewPath(folder, suffix)) {
  if (!folder.empty()) Files().MakeFolders(folder);
  pending_ = FrameRecord(VersionEvent(Now()));
  Flush();
}

void EventLog::AddSummary(int64_t step, const std::string& summary) {
  pb::Event event;
  event.set_wall_time(Now());
  event.set_step(step);
  if (!event.mutable_summary()->ParseFromString(summary)) throw DataLoss("the summary of an event is no message");
  Queue(event.SerializeAsString());
}

void EventLog::AddGraph(int64_t step, const std::string& graph) {
  pb::GraphDef parsed;
  if (!parsed.ParseFromString(graph)) throw DataLoss("the graph of an event is no message");
  pb::Event event;
  event.set_wall_time(Now());
  event.set_step(step);
  event.set_graph_def(graph);
  Queue(event.SerializeAsString());
}

void EventLog::AddEvent(const std::string& event) {
  if (!pb::Event().ParseFromString(event)) throw DataLoss("an event is no message");
  Queue(event);
}

void EventLog::Queue(const std::string& event) {
  pending_ += FrameRecord(event);
  ++waiting_;
}

int64_t EventLog::MillisSinceFlush() const { return SteadyMillis() - flushed_at_; }

void EventLog::Flush() {
  if (replaces_) {
    Files().Write(path_, pending_);
  } else if (!pending_.empty()) {
    Files().Append(path_, pending_);  // whoever shows the file has it open
  }
  replaces_ = false;
  pending_.clear();
  waiting_ = 0;
  flushed_at_ = SteadyMillis();
}

void EventLog::Save(const StateWriter& writer) const {
  writer.PutScalar<std::string>("path", path_);
  const bool has_file = !replaces_ && Files().Exists(path_);
  writer.PutScalar<std::string>("content", (has_file ? Files().Read(path_) : std::string()) + pending_);
  writer.PutScalar<int64_t>("waiting", waiting_);
}

void EventLog::Restore(const StateReader& reader) {
  path_ = reader.GetScalar<std::string>("path");
  pending_ = reader.GetScalar<std::string>("content");
  replaces_ = true;
  waiting_ = reader.GetScalar<int64_t>("waiting");
  flushed_at_ = SteadyMillis();
}

}  // namespace plumb

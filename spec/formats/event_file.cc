#include "spec/formats/event_file.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>

#include "spec/files/file_system.h"
#include "spec/proto/event.pb.h"

namespace plumb {
namespace {

constexpr double kFlushSeconds = 120;  // as TensorFlow's writer

double Now() { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }

// Z10.
std::string MakePath(const std::string& folder, std::string_view suffix, double now) {
  Files().MakeFolders(folder);
  char host[256] = "localhost";
  gethostname(host, sizeof(host) - 1);
  char seconds[32];
  std::snprintf(seconds, sizeof(seconds), "%010lld", static_cast<long long>(now));
  return Str(folder, "/events.out.tfevents.", seconds, ".", host, suffix);
}

pb::Event EventAt(double wall_time, int64_t step) {
  pb::Event event;
  event.set_wall_time(wall_time);
  event.set_step(step);
  return event;
}

}  // namespace

std::string VersionEvent(double wall_time) {  // Z11
  pb::Event event = EventAt(wall_time, 0);
  event.set_file_version("brain.Event:2");
  return event.SerializeAsString();
}

std::string ScalarEvent(double wall_time, int64_t step, std::span<const std::pair<std::string, float>> tagged_values) {
  pb::Event event = EventAt(wall_time, step);
  for (const auto& [tag, number] : tagged_values) {
    pb::Summary::Value* value = event.mutable_summary()->add_value();
    value->set_tag(tag);
    value->set_simple_value(number);
  }
  return event.SerializeAsString();
}

std::string GraphEvent(double wall_time, std::string_view graph_def) {
  pb::Event event = EventAt(wall_time, 0);
  event.set_graph_def(std::string(graph_def));
  return event.SerializeAsString();
}

EventWriter::EventWriter(const std::string& folder, std::string_view suffix, std::function<double()> now)
    : now_(now ? std::move(now) : Now), path_(MakePath(folder, suffix, now_())), writer_(path_) {
  writer_.Write(VersionEvent(now_()));
  Flush();
}

void EventWriter::Write(const std::string& event) {
  writer_.Write(event);
  FlushIfDue();
}

void EventWriter::Flush() {
  writer_.Flush();
  flushed_ = now_();
}

void EventWriter::FlushIfDue() {
  if (now_() - flushed_ >= kFlushSeconds) Flush();
}

void EventWriter::AddScalars(int64_t step, std::span<const std::pair<std::string, float>> tagged_values) {
  Write(ScalarEvent(now_(), step, tagged_values));
}

void EventWriter::AddGraph(std::string_view graph_def) { Write(GraphEvent(now_(), graph_def)); }

}  // namespace plumb

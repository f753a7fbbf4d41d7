// Event files, which TensorBoard shows (rules Z10–Z13).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "spec/formats/record.h"

namespace plumb {

class EventWriter {
 public:
  // Creates "<folder>/events.out.tfevents.<seconds>.<host><suffix>" and writes the version record at once. The folder
  // is made when it is missing, and those that it lies in. Throws naming the path where that cannot be. `now` gives
  // seconds since the epoch; the clock of the machine where it is not given.
  explicit EventWriter(const std::string& folder, std::string_view suffix = "", std::function<double()> now = {});

  const std::string& path() const { return path_; }
  void AddScalars(int64_t step, std::span<const std::pair<std::string, float>> tagged_values);
  void AddScalar(int64_t step, std::string tag, float value) {
    const std::pair<std::string, float> one(std::move(tag), value);
    AddScalars(step, {&one, 1});
  }
  // Bytes of a serialised GraphDef.
  void AddGraph(std::string_view graph_def);
  void Flush();
  // Writes out what waits in memory where 120 s have passed since that was last done, which whoever adds an event does
  // too. So much is lost at most of a process that is killed, where this is called now and then.
  void FlushIfDue();
  void Close() { writer_.Close(); }

 private:
  void Write(const std::string& event);

  std::function<double()> now_;
  std::string path_;
  RecordWriter writer_;
  double flushed_ = 0;
};

// Serialised Event messages.
std::string VersionEvent(double wall_time);
std::string ScalarEvent(double wall_time, int64_t step, std::span<const std::pair<std::string, float>> tagged_values);
std::string GraphEvent(double wall_time, std::string_view graph_def);

}  // namespace plumb

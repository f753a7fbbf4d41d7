#include "tools/train/train_trace.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

#include "spec/core/status.h"
#include "spec/session/trace_lines.h"

namespace plumb::tools {
namespace {

using nlohmann::json;

constexpr double kMicrosecond = 1000;  // in nanoseconds
constexpr char kSteps[] = "/steps";    // behind the task: the device that whole steps are noted on
// Rows of a process: steps, threads by their numbers, streams of its devices, then those who wait.
constexpr int kStepsRow = 0, kFirstThread = 1, kFirstStream = 9'000, kFirstWait = 10'000;

struct Event {
  const NodeStats* node;
  bool waits;
  int64_t begin() const { return waits ? node->scheduled_ns : node->start_ns; }
};

bool IsOf(const std::string& device, const std::string& task) {
  return device.starts_with(task) && device.size() > task.size() && device[task.size()] == '/';
}

int64_t FirstMoment(const RunMetadata& metadata) {
  int64_t first = std::numeric_limits<int64_t>::max();
  for (const DeviceStats& device : metadata.step_stats) {
    for (const NodeStats& node : device.nodes) first = std::min(first, node.scheduled_ns);
  }
  return first;
}

json Named(int rank, const char* what, const std::string& name) {
  return {{"ph", "M"}, {"pid", rank}, {"name", what}, {"args", {{"name", name}}}};
}
json NamedRow(int rank, int row, const std::string& name) {
  json named = Named(rank, "thread_name", name);
  named["tid"] = row;
  return named;
}

class Writer {
 public:
  explicit Writer(int64_t first) : first_(first) {}

  void AddRank(int rank, const TracedRank& known, const RunMetadata& metadata) {
    events_.push_back(Named(rank, "process_name", Str("rank ", rank, " ", known.task, " on ", known.host)));
    errors_[Str("rank ", rank)] = known.clock_error_us;
    std::vector<Event> waits;
    std::map<int, bool> threads;
    int streams = 0;
    for (const DeviceStats& device : metadata.step_stats) {
      const TraceLine line = TraceLineOf(device.device);
      if (!IsOf(device.device, known.task) || line == TraceLine::kAgain) continue;
      if (line == TraceLine::kStream) {
        AddStream(rank, kFirstStream + streams++, device, known.task);
        continue;
      }
      const bool is_steps = device.device.ends_with(kSteps);
      if (is_steps) events_.push_back(NamedRow(rank, kStepsRow, "steps"));
      for (const NodeStats& node : device.nodes) {
        if (node.scheduled_ns < node.start_ns) {
          waits.push_back({&node, true});
          continue;
        }
        const int row = is_steps ? kStepsRow : kFirstThread + node.thread;
        if (!is_steps && !std::exchange(threads[node.thread], true)) {
          events_.push_back(NamedRow(rank, row, Str("thread ", node.thread)));
        }
        Add(rank, row, {&node, false});
      }
    }
    AddWaits(rank, std::move(waits));
  }

  std::string Take() {
    const json all = {{"displayTimeUnit", "ms"},
                      {"otherData", {{"clock error in microseconds", errors_}}},
                      {"traceEvents", std::move(events_)}};
    return all.dump() + "\n";
  }

 private:
  // What a stream did, as it did it.
  void AddStream(int rank, int row, const DeviceStats& stream, const std::string& task) {
    events_.push_back(NamedRow(rank, row, stream.device.substr(task.size() + 1)));
    for (const NodeStats& node : stream.nodes) Add(rank, row, {&node, false}, "streams");
  }

  // Each on the first row that nobody waits on any more.
  void AddWaits(int rank, std::vector<Event> waits) {
    std::stable_sort(waits.begin(), waits.end(), [](const Event& a, const Event& b) { return a.begin() < b.begin(); });
    std::vector<int64_t> busy_until;
    for (const Event& wait : waits) {
      const auto row =
          std::find_if(busy_until.begin(), busy_until.end(), [&](int64_t until) { return until <= wait.begin(); });
      const auto number = static_cast<int>(row - busy_until.begin());
      if (row == busy_until.end()) {
        busy_until.push_back(0);
        events_.push_back(NamedRow(rank, kFirstWait + number, Str("waits ", number)));
      }
      busy_until[number] = wait.node->end_ns;
      Add(rank, kFirstWait + number, wait);
    }
  }

  void Add(int rank, int row, const Event& event) { Add(rank, row, event, event.waits ? "waits" : "computes"); }
  void Add(int rank, int row, const Event& event, const char* category) {
    events_.push_back({{"ph", "X"},
                       {"pid", rank},
                       {"tid", row},
                       {"name", event.node->op},
                       {"cat", category},
                       {"ts", static_cast<double>(event.begin() - first_) / kMicrosecond},
                       {"dur", static_cast<double>(event.node->end_ns - event.begin()) / kMicrosecond},
                       {"args", {{"node", event.node->node}}}});
  }

  const int64_t first_;
  json events_ = json::array();
  json errors_ = json::object();
};

}  // namespace

std::string ChromeTrace(const RunMetadata& metadata, const std::map<int, TracedRank>& ranks) {
  Writer writer(FirstMoment(metadata));
  for (const auto& [rank, known] : ranks) writer.AddRank(rank, known, metadata);
  return writer.Take();
}

void AddStep(RunMetadata& metadata, const std::string& task, int64_t number, int64_t begin_ns, int64_t end_ns) {
  metadata.step_stats.push_back({task + kSteps, {{Str("step ", number), "step", begin_ns, begin_ns, end_ns, 0}}});
}

}  // namespace plumb::tools

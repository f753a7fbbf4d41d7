#include "tools/train/train_pace.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <vector>

#include "spec/core/status.h"
#include "spec/ops/catalogue.h"
#include "spec/session/trace_lines.h"

namespace plumb::tools {
namespace {

constexpr double kRemembered = 10;  // seconds of steps that were looked at: older ones fade
constexpr size_t kListed = 8;       // ranks
constexpr double kNanosecond = 1e-9;
constexpr std::chrono::milliseconds kApart{100};

struct Span {
  int64_t begin, end;
};

// In order and apart from each other.
std::vector<Span> United(std::vector<Span> spans) {
  std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) { return a.begin < b.begin; });
  std::vector<Span> united;
  for (const Span& span : spans) {
    if (span.begin >= span.end) continue;
    if (united.empty() || span.begin > united.back().end) {
      united.push_back(span);
    } else {
      united.back().end = std::max(united.back().end, span.end);
    }
  }
  return united;
}

// What of `spans` is in none of `others`; both are united.
std::vector<Span> Without(const std::vector<Span>& spans, const std::vector<Span>& others) {
  std::vector<Span> left;
  auto other = others.begin();
  for (Span span : spans) {
    while (other != others.end() && other->end <= span.begin) ++other;
    for (auto at = other; at != others.end() && at->begin < span.end; ++at) {
      if (at->begin > span.begin) left.push_back({span.begin, at->begin});
      span.begin = std::max(span.begin, at->end);
    }
    if (span.begin < span.end) left.push_back(span);
  }
  return left;
}

double SecondsOf(const std::vector<Span>& spans) {
  int64_t sum = 0;
  for (const Span& span : spans) sum += span.end - span.begin;
  return static_cast<double>(sum) * kNanosecond;
}

// Nodes, by whether they waited.
struct Nodes {
  std::vector<Span> computing;            // of the task
  std::vector<const NodeStats*> waiting;  // of the task
  std::vector<const NodeStats*> waiting_elsewhere;
};

Nodes NodesOf(const RunMetadata& metadata, std::string_view task, int64_t begin_ns, int64_t end_ns) {
  Nodes nodes;
  for (const DeviceStats& device : metadata.step_stats) {
    if (TraceLineOf(device.device) == TraceLine::kAgain) continue;
    const bool is_own = device.device.starts_with(task) && device.device.substr(task.size()).starts_with("/device:");
    for (const NodeStats& node : device.nodes) {
      if (node.scheduled_ns < node.start_ns) {
        (is_own ? nodes.waiting : nodes.waiting_elsewhere).push_back(&node);
      } else if (is_own) {
        nodes.computing.push_back({std::max(node.start_ns, begin_ns), std::min(node.end_ns, end_ns)});
      }
    }
  }
  return nodes;
}

int64_t Overlap(const Span& gap, const NodeStats& node) {
  return std::min(node.start_ns, gap.end) - std::max(node.scheduled_ns, gap.begin);
}

bool IsReceive(const NodeStats& node) {
  const OpDef* const op = FindOp(node.op);
  return op != nullptr && op->kind == OpKind::kRecv;
}

// What a gap in the work is for. A value that is received late was waited for elsewhere, perhaps: whatever else waits
// for most of the gap says more, wherever it is. Else it is the node whose wait ended with the gap.
std::string ReasonOf(const Span& gap, const Nodes& nodes) {
  const NodeStats *longest = nullptr, *ender = nullptr;
  for (const auto* waiting : {&nodes.waiting, &nodes.waiting_elsewhere}) {
    for (const NodeStats* node : *waiting) {
      const bool is_most_of_it = 2 * Overlap(gap, *node) > gap.end - gap.begin;
      const bool is_longer = longest == nullptr || Overlap(gap, *node) > Overlap(gap, *longest);
      if (is_most_of_it && is_longer && !IsReceive(*node)) longest = node;
    }
  }
  if (longest != nullptr) return longest->op;
  const auto apart = [&](const NodeStats& node) { return std::abs(node.start_ns - gap.end); };
  for (const NodeStats* node : nodes.waiting) {
    if (Overlap(gap, *node) > 0 && (ender == nullptr || apart(*node) <= apart(*ender))) ender = node;
  }
  return ender == nullptr ? "" : ender->op;
}

std::string Percent(double share) {
  char text[16];
  std::snprintf(text, sizeof(text), "%.0f %%", 100 * share);
  return text;
}

}  // namespace

void Pace::Add(const Pace& other) {
  steps += other.steps;
  seconds += other.seconds;
  waiting += other.waiting;
  for (const auto& [op, time] : other.waited) waited[op] += time;
  if (seconds > kRemembered) Halve();
}

void Pace::Halve() {
  for (double* each : {&steps, &seconds, &waiting}) *each /= 2;
  for (auto& [op, time] : waited) time /= 2;
}

std::string Pace::waited_for() const {
  const auto most =
      std::max_element(waited.begin(), waited.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == waited.end() ? "" : most->first;
}

std::string Pace::ToText() const {
  std::ostringstream text;
  text << steps << ' ' << seconds << ' ' << waiting;
  for (const auto& [op, time] : waited) text << ' ' << op << ' ' << time;
  return text.str();
}

Pace Pace::FromText(std::string_view text) {
  std::istringstream words{std::string(text)};
  Pace pace;
  words >> pace.steps >> pace.seconds >> pace.waiting;
  Require(!words.fail() && pace.steps >= 0 && pace.seconds >= 0 && pace.waiting >= 0, "a rank tells its pace as '",
          text, "', which is no pace");
  for (std::string op; words >> op;) words >> pace.waited[op];
  return pace;
}

Pace PaceOf(const RunMetadata& metadata, std::string_view task, bool is_client, int64_t begin_ns, int64_t end_ns) {
  Pace pace{1, static_cast<double>(end_ns - begin_ns) * kNanosecond};
  const Nodes nodes = NodesOf(metadata, task, begin_ns, end_ns);
  const std::vector<Span> computing = United(nodes.computing);
  std::vector<Span> waiting = {{begin_ns, end_ns}};
  if (is_client) {
    waiting.clear();
    for (const NodeStats* node : nodes.waiting) {
      waiting.push_back({std::max(node->scheduled_ns, begin_ns), std::min(node->start_ns, end_ns)});
    }
  }
  const std::vector<Span> gaps = Without(United(waiting), computing);
  pace.waiting = SecondsOf(gaps);
  for (const Span& gap : gaps) {
    if (const std::string op = ReasonOf(gap, nodes); !op.empty()) pace.waited[op] += SecondsOf({gap});
  }
  return pace;
}

int SlowestOf(const std::map<int, Pace>& paces) {
  if (paces.size() < 2) return -1;
  return std::max_element(
             paces.begin(), paces.end(),
             [](const auto& a, const auto& b) { return a.second.busy_seconds() < b.second.busy_seconds(); })
      ->first;
}

std::string PaceLine(const std::map<int, Pace>& paces) {
  const int slowest = SlowestOf(paces);
  if (slowest < 0) return "";
  if (paces.size() <= kListed) {
    std::string text;
    for (const auto& [rank, pace] : paces) {
      text += Str(text.empty() ? "waiting: rank " : ", rank ", rank, " ", Percent(pace.share()),
                  rank == slowest ? " (slowest)" : "");
    }
    return text;
  }
  double least = 1, most = 0;
  for (const auto& [rank, pace] : paces) {
    if (rank == slowest) continue;
    least = std::min(least, pace.share());
    most = std::max(most, pace.share());
  }
  return Str("waiting: rank ", slowest, " ", Percent(paces.at(slowest).share()), " (slowest), others ", Percent(least),
             " to ", Percent(most));
}

std::string PaceSummary(const std::map<int, Pace>& paces) {
  const int slowest = SlowestOf(paces);
  std::string text;
  for (const auto& [rank, pace] : paces) {
    if (slowest < 0) break;
    const std::string op = pace.waited_for();
    text += Str("Rank ", rank, " waited ", Percent(pace.share()), " of its time", op.empty() ? "" : ", most of it for ",
                op, rank == slowest ? "; it is the slowest rank\n" : "\n");
  }
  return text;
}

bool PaceSampling::IsDue() {
  const auto now = Clock::now();
  if (steps_++ == 0 || now - last_ < kApart) return false;
  last_ = now;
  return true;
}

}  // namespace plumb::tools

// Sessions that train the models of the benches.
#include <algorithm>
#include <iomanip>
#include <map>
#include <sstream>
#include <utility>

#include "backends/backends.h"
#include "spec/session/trace_lines.h"
#include "tools/check.h"
#include "tools/gpu_bench/gpu_bench_models.h"

namespace plumb::tools {
namespace {

NodeDef MakeNode(const std::string& name, const char* op, std::vector<std::string> inputs, AttrMap attrs) {
  NodeDef node;
  node.name = name;
  node.op = op;
  node.inputs = std::move(inputs);
  node.attrs = std::move(attrs);
  return node;
}

// In place of the placeholder stands the value of a variable; the node that gives it its value is returned.
std::string Hold(GraphDef& graph, const Feed& feed) {
  const DType dtype = feed.second.dtype();
  const std::string variable = feed.first + "/held", first = variable + "/first", set = variable + "/set";
  for (NodeDef& node : graph.nodes) {
    if (node.name == feed.first) node = MakeNode(node.name, "Identity", {variable}, {{"T", dtype}});
  }
  graph.nodes.push_back(
      MakeNode(variable, "VariableV2", {}, {{"dtype", dtype}, {"shape", PartialShape(feed.second.shape())}}));
  graph.nodes.push_back(MakeNode(first, "Placeholder", {}, {{"dtype", dtype}}));
  graph.nodes.push_back(MakeNode(set, "Assign", {variable, first}, {{"T", dtype}}));
  return set;
}

// The ops that took most of the time on the card's stream of kernels: "MatMul 1.2 ms, Relu 0.3 ms and 9 more 0.1 ms".
std::string Longest(const std::map<std::string, int64_t>& nanoseconds) {
  constexpr size_t kListed = 12;
  std::vector<std::pair<int64_t, std::string>> sorted;
  for (const auto& [op, took] : nanoseconds) sorted.emplace_back(took, op);
  std::sort(sorted.rbegin(), sorted.rend());
  std::ostringstream text;
  text << std::setprecision(3);
  int64_t others = 0;
  for (size_t i = 0; i < sorted.size(); ++i) {
    if (i >= kListed) {
      others += sorted[i].first;
    } else {
      text << (i == 0 ? "" : ", ") << sorted[i].second << ' ' << 1e-6 * static_cast<double>(sorted[i].first) << " ms";
    }
  }
  if (sorted.size() > kListed) {
    text << " and " << sorted.size() - kListed << " more " << 1e-6 * static_cast<double>(others) << " ms";
  }
  return text.str();
}

// "3 Mean, 1 Where".
std::string Listed(const std::map<std::string, int>& counts) {
  std::string text;
  for (const auto& [name, count] : counts) text += Str(text.empty() ? "" : ", ", count, " ", name);
  return text;
}

// What a traced step did, and where.
class TracedWork {
 public:
  void Add(const DeviceStats& line) {
    for (const NodeStats& node : line.nodes) {
      if (line.device.ends_with("/stream:0")) {
        kernels_[node.op] += node.end_ns - node.start_ns;
      } else if (line.device.ends_with("/sections")) {
        ++sections_[node.op];
      } else if (line.device.ends_with("/memcpy")) {
        ++copies_[node.op];
      } else if (TraceLineOf(line.device) == TraceLine::kNodes) {
        AddNode(node, line.device.find("GPU") != std::string::npos);
      }
    }
  }
  std::vector<std::string> Notes() const {
    std::vector<std::string> notes = {Str(on_card_, " nodes ran on the card")};
    if (!on_host_.empty()) notes.push_back("on the host: " + Listed(on_host_));
    if (!copies_.empty()) notes.push_back("copies: " + Listed(copies_));
    if (!kernels_.empty()) notes.push_back("kernels: " + Longest(kernels_));
    if (!sections_.empty()) notes.push_back("sections: " + Listed(sections_));
    return notes;
  }

 private:
  void AddNode(const NodeStats& node, bool is_on_card) {
    if (is_on_card) {
      ++on_card_;
    } else {
      ++on_host_[node.op];
    }
  }

  int on_card_ = 0;
  std::map<std::string, int> on_host_, sections_, copies_;
  std::map<std::string, int64_t> kernels_;  // nanoseconds
};

}  // namespace

BenchedModel::BenchedModel(const std::string& backend, ModelStep step, const Options& options)
    : step_(std::move(step)),
      session_(OpenSession(backend, {.gpu_graphs = options.has_graphs, .allow_soft_placement = true})) {
  std::vector<Feed> fed, held;
  std::vector<std::string> setting, names;
  for (const Feed& feed : step_.feeds) {
    if (options.is_fed || feed.second.dtype() == DType::kInt32) {
      fed.push_back(feed);
      fed_.push_back(feed.second);
      names.push_back(feed.first);
    } else {
      setting.push_back(Hold(step_.graph, feed));
      held.emplace_back(feed.first + "/held/first", feed.second);
    }
  }
  step_.feeds = fed;
  std::vector<Tensor> none;
  Check(session_->Extend(step_.graph));
  if (!setting.empty()) Check(session_->Run(held, {}, setting, &none));
  Check(session_->Run({}, {}, std::vector{step_.init}, &none));
  Check(session_->MakeCallable(names, {}, std::vector{step_.train}, &callable_));
}

void BenchedModel::Step() {
  std::vector<Tensor> none;
  Check(callable_->Run(fed_, &none));
}

int64_t BenchedModel::fed_bytes() const {
  int64_t bytes = 0;
  for (const Tensor& value : fed_) bytes += static_cast<int64_t>(value.bytes());
  return bytes;
}

std::vector<std::string> BenchedModel::Notes() {
  constexpr int kSettled = 5;  // what is launched as one is captured in the third run, and launched from then on
  RunMetadata metadata;
  std::vector<Tensor> none;
  for (int i = 0; i < kSettled; ++i) {
    metadata = {};
    Check(session_->Run({.trace = true}, step_.feeds, {}, std::vector{step_.train}, &none, &metadata));
  }
  TracedWork work;
  for (const DeviceStats& device : metadata.step_stats) work.Add(device);
  return work.Notes();
}

}  // namespace plumb::tools

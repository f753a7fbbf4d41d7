// Sessions that train the models of the benches.
#include <map>
#include <utility>

#include "backends/backends.h"
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

// "3 Mean, 1 Where".
std::string Listed(const std::map<std::string, int>& counts) {
  std::string text;
  for (const auto& [name, count] : counts) text += Str(text.empty() ? "" : ", ", count, " ", name);
  return text;
}

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
  std::map<std::string, int> on_host, sections, copies;
  int on_card = 0;
  for (const DeviceStats& device : metadata.step_stats) {
    const bool is_card = device.device.find("GPU") != std::string::npos;
    for (const NodeStats& node : device.nodes) {
      if (device.device.ends_with("/sections")) {
        ++sections[node.op];
      } else if (device.device.ends_with("/memcpy")) {
        ++copies[node.op];
      } else if (is_card && device.device.find("/stream") == std::string::npos) {
        ++on_card;
      } else if (!is_card) {
        ++on_host[node.op];
      }
    }
  }
  std::vector<std::string> notes = {Str(on_card, " nodes ran on the card")};
  if (!on_host.empty()) notes.push_back("on the host: " + Listed(on_host));
  if (!copies.empty()) notes.push_back("copies: " + Listed(copies));
  if (!sections.empty()) notes.push_back("sections: " + Listed(sections));
  return notes;
}

}  // namespace plumb::tools

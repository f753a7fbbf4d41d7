#include "client/program.h"

namespace plumb {
namespace {

void ThrowUnlessOk(const Status& status) {
  if (!status.ok()) throw Error(status);
}

}  // namespace

void Program::Extend() {
  if (scope_.builder().graph().size() == loaded_) return;
  GraphDef graph = scope_.ToGraphDef();
  graph.nodes.erase(graph.nodes.begin(), graph.nodes.begin() + loaded_);
  for (NodeDef& node : graph.nodes) {
    const auto found = devices_.find(node.name);
    if (node.device.empty() && found != devices_.end()) node.device = found->second;
  }
  const std::string functions = graph.library;
  if (functions == functions_) graph.library.clear();
  ThrowUnlessOk(session_->Extend(graph));
  functions_ = functions;
  loaded_ += static_cast<int>(graph.nodes.size());
}

std::vector<Tensor> Program::Step(const std::vector<Output>& outputs, const std::vector<std::string>& targets,
                                  const std::vector<FeedValue>& feeds) {
  Extend();
  std::vector<Feed> named_feeds;
  named_feeds.reserve(feeds.size());
  for (const auto& [output, value] : feeds) named_feeds.emplace_back(output.name(), value);
  std::vector<std::string> fetches;
  fetches.reserve(outputs.size());
  for (const Output& output : outputs) fetches.push_back(output.name());
  std::vector<Tensor> values;
  ThrowUnlessOk(session_->Run(named_feeds, fetches, targets, &values));
  return values;
}

std::vector<Tensor> Program::Fetch(const std::vector<Output>& outputs, const std::vector<FeedValue>& feeds) {
  return Step(outputs, {}, feeds);
}

void Program::Run(NodeId target, const std::vector<FeedValue>& feeds) { Step({}, {scope_.NameOf(target)}, feeds); }

}  // namespace plumb

#include "client/fed_fetches.h"

#include <map>

#include "spec/graph/graph.h"

namespace plumb {
namespace {

// What is no name of a tensor is left to the session, which says so.
std::string Canonical(const std::string& name) {
  try {
    return ParseTensorName(name).ToString();
  } catch (const Error&) {
    return name;
  }
}

}  // namespace

Status RunAnsweringFeeds(Session& session, const RunOptions& options, std::span<const Feed> feeds,
                         std::span<const std::string> fetches, std::vector<Tensor>* outputs) {
  std::map<std::string, const Tensor*> fed;
  for (const Feed& feed : feeds) fed.emplace(Canonical(feed.first), &feed.second);
  std::vector<const Tensor*> answers;  // null: the step's next output
  std::vector<std::string> computed;
  for (const std::string& fetch : fetches) {
    const auto feed = fed.find(Canonical(fetch));
    answers.push_back(feed == fed.end() ? nullptr : feed->second);
    if (feed == fed.end()) computed.push_back(fetch);
  }
  std::vector<Tensor> values;
  if (!computed.empty() || fetches.empty()) {
    const Status status = session.Run(options, feeds, computed, {}, &values, nullptr);
    if (!status.ok()) return status;
  }
  outputs->clear();
  size_t next = 0;
  for (const Tensor* answer : answers) outputs->push_back(answer == nullptr ? values[next++] : *answer);
  return OkStatus();
}

}  // namespace plumb

// A session on the reference: the contract of spec/session/session.h, and runs that keep bounds and derivatives.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reference/step.h"
#include "spec/graph/graph.h"
#include "spec/session/session.h"

namespace plumb::reference {

using ValueFeed = std::pair<std::string, Value>;

// Steps of one session that overlap run one after the other: a legal instance of rule S3.
class ReferenceSession : public Session {
 public:
  // For oracles: where a node asks to run does not change what it means.
  ReferenceSession() { options_.allow_soft_placement = true; }
  explicit ReferenceSession(const SessionOptions& options) : options_(options) {}

  using Session::Run;
  Status Extend(const GraphDef& graph) override;
  Status Run(const RunOptions& options, std::span<const Feed> feeds, std::span<const std::string> fetches,
             std::span<const std::string> targets, std::vector<Tensor>* outputs, RunMetadata* metadata) override;
  Status MakeCallable(std::span<const std::string> feed_names, std::span<const std::string> fetches,
                      std::span<const std::string> targets, std::unique_ptr<Callable>* callable) override;
  Status Reset(std::span<const std::string> containers) override;
  Status Close() override;

  // Run, with bounds and derivatives in and out.
  Status RunValues(std::span<const ValueFeed> feeds, std::span<const std::string> fetches,
                   std::span<const std::string> targets, std::vector<Value>* outputs, const Mode& mode);

 private:
  std::vector<Value> RunOrThrow(std::span<const ValueFeed> feeds, std::span<const std::string> fetches,
                                std::span<const std::string> targets, const Mode& mode,
                                const std::function<void()>& stop);
  void CheckOpen() const;

  SessionOptions options_;
  std::mutex mutex_;  // one step at a time
  GraphDef def_;
  std::optional<Graph> graph_;
  SharedState shared_;
};

}  // namespace plumb::reference

namespace plumb {

std::unique_ptr<Session> NewReferenceSession(const SessionOptions& options);

}  // namespace plumb

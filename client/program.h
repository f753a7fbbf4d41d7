// Program: a scope's graph in a session, run by the outputs and nodes that made it instead of by names.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "client/scope.h"
#include "spec/session/session.h"

namespace plumb {

using FeedValue = std::pair<Output, Tensor>;

class Program {
 public:
  // What is added to the scope later joins the session before the next run.
  Program(Scope& scope, std::unique_ptr<Session> session) : scope_(scope), session_(std::move(session)) {}

  // By node, where those lie that ask for no device (client/placement/place_by_cost.h). Before the first step.
  void set_devices(std::map<std::string, std::string> devices) { devices_ = std::move(devices); }

  // One step. All throw the Error that the step ends with.
  std::vector<Tensor> Fetch(const std::vector<Output>& outputs, const std::vector<FeedValue>& feeds = {});
  Tensor Fetch(Output output, const std::vector<FeedValue>& feeds = {}) { return Fetch(std::vector{output}, feeds)[0]; }
  void Run(NodeId target, const std::vector<FeedValue>& feeds = {});

  Session& session() { return *session_; }

 private:
  std::vector<Tensor> Step(const std::vector<Output>& outputs, const std::vector<std::string>& targets,
                           const std::vector<FeedValue>& feeds);
  void Extend();

  Scope& scope_;
  std::unique_ptr<Session> session_;
  int loaded_ = 0;         // nodes that the session has
  std::string functions_;  // the library that it has
  std::map<std::string, std::string> devices_;
};

}  // namespace plumb

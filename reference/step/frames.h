// Frames and iterations: where tokens go, and when iterations and frames end (rules X13–X30).
#pragma once

#include "reference/step/configuration.h"

namespace plumb::reference {

// The rules for tokens in one configuration. Nodes that become ready are appended to configuration.ready.
class Frames {
 public:
  Frames(const StepGraph& graph, Configuration& configuration) : graph_(graph), config_(configuration) {}

  // X6: the root frame, in which the nodes without inputs are ready.
  void Start() { StartNodes(kRootFrame); }
  // FN5: a frame for the body of a call, which started in `parent`. Once it has run, the call is among those returned.
  void StartBody(FrameId parent, std::shared_ptr<const Body> body, Call call);
  // The nodes that run in a frame.
  const StepGraph& GraphOf(FrameId frame) const;

  // Sends the outputs of a node that has fired to where its op says, then counts it as finished. `outputs` has one
  // token per output; a dead node has dead outputs only.
  void Propagate(const Event& event, std::vector<Token> outputs);

 private:
  void StartNodes(FrameId frame);
  void Deliver(int node, bool dead, const std::vector<Token>& outputs, FrameId frame, int64_t iteration);
  void DeliverToMerge(int node, Arrivals& arrivals, bool dead_enter, FrameId frame, int64_t iteration);
  Arrivals& ArrivalsAt(const StepNode& node, int number, Iteration& iteration);
  void MakeReady(int node, Arrivals& arrivals, bool dead, FrameId frame, int64_t iteration);

  void Enter(const Event& event, const std::vector<Token>& outputs);
  void Exit(const Event& event, const std::vector<Token>& outputs);
  void NextIteration(const Event& event, std::vector<Token> outputs);

  FrameId ChildFrame(const Event& event);
  void StartIteration(FrameId frame);
  void FinishNode(FrameId frame, int64_t iteration);
  void RetireIterations(FrameId frame, int64_t iteration);
  void FinishFrame(FrameId frame);
  void FinishBody(FrameId call);

  const StepGraph& graph_;
  Configuration& config_;
};

}  // namespace plumb::reference

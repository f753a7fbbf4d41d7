// Frames and iterations: where tokens go, and when iterations and frames end (rules X13–X30).
#pragma once

#include "reference/configuration.h"

namespace plumb::reference {

// The rules for tokens in one configuration. Nodes that become ready are appended to configuration.ready.
class Frames {
 public:
  Frames(const StepGraph& graph, Configuration& configuration) : graph_(graph), config_(configuration) {}

  // X6: the root frame, in which the nodes without inputs are ready.
  void Start();

  // Sends the outputs of a node that has fired to where its op says, then counts it as finished. `outputs` has one
  // token per output; a dead node has dead outputs only.
  void Propagate(const Event& event, std::vector<Token> outputs);

 private:
  void Deliver(int node, bool dead, const std::vector<Token>& outputs, FrameId frame, int64_t iteration);
  void DeliverToMerge(int node, Arrivals& arrivals, bool dead_enter, FrameId frame, int64_t iteration);
  Arrivals& ArrivalsAt(int node, Iteration& iteration);
  void MakeReady(int node, Arrivals& arrivals, bool dead, FrameId frame, int64_t iteration);

  void Enter(const Event& event, const std::vector<Token>& outputs);
  void Exit(const Event& event, const std::vector<Token>& outputs);
  void NextIteration(const Event& event, std::vector<Token> outputs);

  FrameId ChildFrame(const Event& event);
  void StartIteration(FrameId frame);
  void FinishNode(FrameId frame, int64_t iteration);
  void RetireIterations(FrameId frame, int64_t iteration);
  void FinishFrame(FrameId frame);

  const StepGraph& graph_;
  Configuration& config_;
};

}  // namespace plumb::reference

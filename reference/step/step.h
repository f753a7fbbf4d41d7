// The step: the successor function from one configuration to the next. Somebody chooses among the enabled events
// (world.h); everything else is determined.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <span>

#include "reference/step/configuration.h"
#include "spec/session/session.h"

namespace plumb::reference {

// What happened when a node fired; for debuggers and comparers.
struct NodeRun {
  const StepNode& step_node;
  const Node& node;  // of feeds and fetches: the producer
  const Configuration& configuration;
  FrameId frame;
  int64_t iteration;
  bool dead;
  std::span<const Item> inputs;    // as the kernel saw them
  std::span<const Token> outputs;  // one per output
};

// How a step computes.
struct Mode {
  bool bounds = false;                   // carry error bounds with every float
  bool sharp = false;                    // with the sharp limit for sums of high-entropy terms (rule N16)
  std::optional<uint64_t> perturb_seed;  // move each float result by up to its own bound (Monte-Carlo arithmetic)
  int64_t fuel = INT64_MAX;              // node instances that may fire
  // Called after each node, on whichever thread moves the world. An Error that it throws ends the step.
  std::function<void(const NodeRun&)> observer;
};

// What a step runs, on what, and how. It never changes.
struct Program {
  std::shared_ptr<const Graph> source;  // owns the nodes of `graph`
  StepGraph graph;
  std::vector<Value> feeds;
  Mode mode;
  SessionOptions options;
  KernelFinder find_kernel = FindKernel;  // for the bodies of functions
  bool in_pieces = false;                 // values are fed while it runs (rule P1); `feeds` is empty
};

using StepId = int64_t;
struct BodyRun;  // calls.h

// A kernel that waits, for people.
struct Waiting {
  StepId step;
  std::string node;
  std::string op;
  std::string waits_for;
};
// "step 1: node 'a' (QueueDequeueV2) waits for queue 'q': …; step 2: …".
std::string ToString(const std::vector<Waiting>& waiting);

// What the steps of a world share.
struct SharedState {
  ResourceStore resources;
  std::map<std::string, std::unique_ptr<KernelState>, std::less<>> kernels;  // by node name (rule S6)
  int64_t executions = 0;
  std::atomic<bool> closed{false};
};

class Step {
 public:
  Step(StepId id, std::shared_ptr<const Program> program, SharedState& shared);
  // The step in a fork of its world.
  Step(const Step& original, SharedState& shared, Copies& copies);

  StepId id() const { return id_; }
  // P1, P2, of a step in pieces: the value of a feed, and that of a fetch of the request as soon as it is there.
  void Feed(int slot, Value value);
  std::optional<Value> FetchedSoFar(size_t fetch) const;
  // How many events may come next.
  size_t enabled() const { return config_.ready.size(); }
  // X8: whether nothing is ready and nothing waits at an object, or to be fed.
  bool IsOver() const { return IsIdle() && config_.unfed.empty(); }
  bool IsIdle() const { return config_.ready.empty() && config_.parked.empty(); }
  // Fires one of the enabled events. Throws Error when its node fails; the step is then to be ended (rule E5).
  void Fire(size_t event);

  // E2: enables the kernels whose attempts have been served, or all that wait.
  void Wake(bool all = false);
  // Has the objects forget all attempts of this step, which ends (rule E5).
  void DropAttempts();
  void AddWaiting(std::vector<Waiting>& waiting) const;
  // E8: the attempts whose wait time alone would end.
  void AddTimed(std::vector<std::shared_ptr<const Attempt>>& timed) const;
  // The fetched values, one per fetch of the request. Throws when one is missing (rules F26, F27).
  std::vector<Value> Fetched() const;

 private:
  const StepNode& NodeOf(const Event& event) const;
  std::vector<Token> Outputs(Event& event);
  std::vector<Token> LiveOutputs(const StepNode& node, Event& event);
  Item Fed(const StepNode& node, const Event& event);
  void Fetch(const StepNode& node, const Event& event);
  void Finish(const StepNode& node, const Event& event, std::vector<Token> outputs);
  // FN5: a call runs bodies, one after the other, in frames of their own.
  void StartCall(const StepNode& node, Event event);
  void RunBody(BodyRun run, Call call);
  void SeeToReturned();
  void Send(const StepNode& node, const Event& event);
  Token Received(const Node& recv, const std::string& key);

  const StepId id_;
  const std::shared_ptr<const Program> program_;
  const StepGraph& graph_;  // the program's
  const Mode& mode_;
  SharedState& shared_;
  Configuration config_;
  std::map<std::string, std::shared_ptr<const Body>> bodies_;  // by call path
  std::shared_ptr<const Attempt> firing_;  // of the kernel that runs: should it fail, nobody else knows of it
};

}  // namespace plumb::reference

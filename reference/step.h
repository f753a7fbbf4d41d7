// The step: the successor function from one configuration to the next (conformance §1). A driver chooses among the
// enabled events; everything else is determined.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <span>

#include "reference/configuration.h"
#include "reference/drivers/driver.h"

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
  std::function<void(const NodeRun&)> observer;
};

// What the steps of a session share.
struct SharedState {
  ResourceStore resources;
  std::map<std::string, std::unique_ptr<KernelState>, std::less<>> kernels;  // by node name (rule S6)
  int64_t executions = 0;
  std::atomic<bool> closed{false};
};

class Step {
 public:
  Step(const StepGraph& graph, std::span<const Value> feeds, SharedState& shared, const Mode& mode);

  // The events that may come next; none: the step is over (rule X8).
  const std::deque<Event>& enabled() const { return config_.ready; }
  // Fires one of them. Throws Error when its node fails; the step is then over (rule E5).
  void Fire(size_t event);

  const StepNode& node(const Event& event) const { return graph_.nodes[event.node]; }
  const Configuration& configuration() const { return config_; }
  // The fetched values, one per fetch of the request. Throws when one is missing (rules F26, F27).
  std::vector<Value> Fetched() const;

 private:
  std::vector<Token> Outputs(Event& event);
  std::vector<Token> LiveOutputs(const StepNode& node, Event& event);
  void Fetch(const StepNode& node, const Event& event);
  void Send(const StepNode& node, const Event& event);

  const StepGraph& graph_;
  const std::span<const Value> feeds_;
  SharedState& shared_;
  const Mode& mode_;
  Configuration config_;
};

// Fires what the driver chooses until the step is over, and gives the fetched values. `stop` is asked before each event
// and throws to end the step.
std::vector<Value> RunStep(Step& step, Driver& driver, const std::function<void()>& stop);

}  // namespace plumb::reference
